// Kernel launches that nvcc reads and clang does not: `kernel<< <grid, block>> >(...)`.
#ifndef HEDDLE_CLI_CC_CC_LAUNCHES_H
#define HEDDLE_CLI_CC_CC_LAUNCHES_H

#include <stdbool.h>

// Joins the brackets of launches in the text of a source file (`<< <` becomes `<<< `), in place:
// lines and columns stay what they are. false: there are none to be joined.
bool cc_launches_join(char *text);

#endif
