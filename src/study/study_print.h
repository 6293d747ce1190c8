// What a study prints: tables and its page.
#ifndef HEDDLE_STUDY_STUDY_PRINT_H
#define HEDDLE_STUDY_STUDY_PRINT_H

#include "study/study.h"

#include <stdio.h>

// Prints a table in Markdown, by the data in `tables`. A table without rows is "Not run yet."
bool study_print_table(const StudyTable *table, Store *tables, FILE *out, HdError *err);

// Prints the page: its text, where a line `{{table NAME}}` is replaced by the table and
// `{{figure NAME}}` by a link to FOLDER/STUDY-NAME.svg. false and err, with the line: there is no
// such table or figure, or an error of its SQL.
bool study_print_page(const Study *study, Store *tables, const char *figure_folder, FILE *out,
                      HdError *err);

#endif
