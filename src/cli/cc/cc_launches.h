// Kernel launches that nvcc parses and clang does not: `kernel<< <grid, block>> >(...)`.
#ifndef HEDDLE_CLI_CC_CC_LAUNCHES_H
#define HEDDLE_CLI_CC_CC_LAUNCHES_H

#include <stdbool.h>

// Joins the brackets of launches in the text of a source file (`<< <` becomes `<<< `), in place,
// without moving lines or columns. false: there was nothing to join.
bool cc_launches_join(char *text);

#endif
