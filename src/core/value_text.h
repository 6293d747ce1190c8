// Values of registers as text, for messages and traces.
#ifndef HEDDLE_CORE_VALUE_TEXT_H
#define HEDDLE_CORE_VALUE_TEXT_H

#include "ptx/ptx.h"

enum { VALUE_TEXT = 32 };

// Writes the value of this type: decimal; hexadecimal if the type says only a size (.b32).
void value_text(PtxType type, uint64_t bits, char text[VALUE_TEXT]);

#endif
