// Values of mechanisms' parameters, as text.
#ifndef HEDDLE_HOOKS_PARAMETER_H
#define HEDDLE_HOOKS_PARAMETER_H

#include "base/error.h"
#include "heddle/mechanism.h"

// Reads a value: a number, or one of the choices. On failure *value is unchanged and err says,
// without the place, what would be right.
bool parameter_read(const HdParameter *parameter, const char *text, double *value, HdError *err);

// Writes it so that parameter_read reads the same.
void parameter_text(const HdParameter *parameter, double value, char *text, size_t size);

// The number of the parameter of this name in a list (which may be NULL); false: there is none.
bool parameter_find(const HdParameter *list, const char *name, size_t *found);
size_t parameter_count(const HdParameter *list);

#endif
