// One knob's value: from the text of a machine file, and back to text or JSON.
#ifndef HEDDLE_CONFIG_VALUE_H
#define HEDDLE_CONFIG_VALUE_H

#include "config/config.h"

// Room for any value's text: every character of a KNOB_TEXT escaped, two quotes and a zero.
enum { KNOB_VALUE_TEXT = 2 * KNOB_TEXT_SIZE + 3 };

// Bytes that a value of this type takes in its section's struct.
size_t knob_size(KnobType type);

// Reads `text` into *field. On failure *field is unchanged, and err says what is expected, without
// the knob's name and the text, which the caller knows.
bool knob_parse(const Knob *knob, const char *text, void *field, HdError *err);

// The value in *field, in the syntax of a machine file.
void knob_format(const Knob *knob, const void *field, char *text, size_t size);

// The value as JSON, numbers in base units. NULL if out of memory.
json_t *knob_json(const Knob *knob, const void *field);

// Whether two values of this knob are the same.
bool knob_equal(const Knob *knob, const void *a, const void *b);

#endif
