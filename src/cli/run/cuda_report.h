// The report and the result of a run on a real GPU: measured times instead of counters.
#ifndef HEDDLE_CLI_RUN_CUDA_REPORT_H
#define HEDDLE_CLI_RUN_CUDA_REPORT_H

#include "cli/run/run.h"

#include <jansson.h>
#include <stdio.h>

// The report of one screen.
void cuda_report_print(const Run *run, FILE *out);

// {"measured": ..., "host": ...}, by docs/measured.schema.json. NULL: out of memory.
json_t *cuda_result_json(const Run *run);

#endif
