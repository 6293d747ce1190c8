// Lists the parameters of a mechanism or a workload.
#ifndef HEDDLE_CLI_CATALOGUE_PRINT_PARAMETERS_H
#define HEDDLE_CLI_CATALOGUE_PRINT_PARAMETERS_H

#include "config/parameter.h"

// Prints a heading and a line for each parameter; nothing if the list is NULL.
void print_parameters(const HdParameter *list);

#endif
