// The report of a run, on one screen.
#ifndef HEDDLE_CLI_RUN_RUN_REPORT_H
#define HEDDLE_CLI_RUN_RUN_REPORT_H

#include "cli/run/run.h"

#include <stdio.h>

void run_report_print(const Run *run, FILE *out);

// Its first lines: what was run on which machine, and the answer.
void run_report_title(const Run *run, const char *where, FILE *out);
void run_report_answer(const Run *run, FILE *out);
// The numbers of an answer that is right, without the end of the line.
void run_report_numbers(const Answer *answers, unsigned count, FILE *out);

#endif
