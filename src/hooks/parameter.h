// Parameters of mechanisms as sections of a configuration, whose structs are arrays of double.
#ifndef HEDDLE_HOOKS_PARAMETER_H
#define HEDDLE_HOOKS_PARAMETER_H

#include "base/memory.h"
#include "config/config.h"
#include "heddle/mechanism.h"

// The section of a mechanism's parameters, under its name. The table and the texts of defaults live
// in `arena`. false: out of memory.
bool parameter_section(const HdMechanism *mechanism, HdArena *arena, ConfigSection *section);

// Reads a value: a number, or one of the choices. On failure *value is unchanged, and err says what
// is expected, without the parameter's name and the text, which the caller knows.
bool parameter_read(const HdParameter *parameter, const char *text, double *value, HdError *err);

// Writes it so that parameter_read reads the same.
void parameter_text(const HdParameter *parameter, double value, char *text, size_t size);

// The index of the parameter of this name in a list (which may be NULL); false: there is none.
bool parameter_find(const HdParameter *list, const char *name, size_t *found);
size_t parameter_count(const HdParameter *list);

#endif
