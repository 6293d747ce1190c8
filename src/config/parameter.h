// One parameter's value: from the text of a machine file or an option, and back to text or JSON.
#ifndef HEDDLE_CONFIG_PARAMETER_H
#define HEDDLE_CONFIG_PARAMETER_H

#include "base/fail.h"
#include "heddle/parameter.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the field of an HD_TEXT, with its terminating zero.
enum { PARAMETER_TEXT_SIZE = 256 };
// Room for any value's text: every character of an HD_TEXT escaped, two quotes and a zero.
enum { PARAMETER_VALUE_TEXT = 2 * PARAMETER_TEXT_SIZE + 3 };
// The value of an HD_WHOLE with `choices`, in a field of 4 bytes, that is given as the word
// choices[0] instead of a number; `max` is below it.
#define PARAMETER_WORD UINT32_MAX

// The `size` of a row says the type of its field: 1, 4 or 8 bytes: an unsigned number; 0: a double;
// of an HD_TEXT: char[PARAMETER_TEXT_SIZE].

// Bytes of the field.
size_t parameter_size(const HdParameter *parameter);

// What is wrong with the row's kind, field, bounds or choices; NULL: nothing.
const char *parameter_mistake(const HdParameter *parameter);

// Reads `text` into *field. On failure *field is unchanged, and err says what is expected, without
// the parameter's name and the text, which the caller knows.
bool parameter_read(const HdParameter *parameter, const char *text, void *field, HdError *err);

// Gives *field the default. false: the parameter cannot have it; err is "VALUE: expected ...".
bool parameter_default(const HdParameter *parameter, void *field, HdError *err);

// The value in *field, in the syntax of parameter_read.
void parameter_text(const HdParameter *parameter, const void *field, char *text, size_t size);
// The same for a number that is in no field, such as a bound; not of an HD_TEXT.
void parameter_number_text(const HdParameter *parameter, double value, char *text, size_t size);

// The value as JSON: numbers in base units; choices, words and texts as strings. NULL if out of
// memory.
json_t *parameter_json(const HdParameter *parameter, const void *field);

// Whether two values of the parameter are the same.
bool parameter_equal(const HdParameter *parameter, const void *a, const void *b);

// The index of the parameter of this name in a list (which may be NULL); false: there is none.
bool parameter_find(const HdParameter *list, const char *name, size_t *found);
size_t parameter_count(const HdParameter *list);

#endif
