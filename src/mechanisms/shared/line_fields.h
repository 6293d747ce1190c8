// The number of a line as bit fields of an entry (HD_BIT_FIELDS). Addresses have 48 bits, and lines
// at least 32 bytes.
#ifndef HEDDLE_MECHANISMS_SHARED_LINE_FIELDS_H
#define HEDDLE_MECHANISMS_SHARED_LINE_FIELDS_H

#include <stdint.h>

#define LINE_FIELDS(F) F(line_low, 32) F(line_high, 11)
#define LINE_NUMBER(entry) ((uint64_t)(entry)->line_high << 32 | (entry)->line_low)
// Initializers of these fields.
#define LINE_VALUES(number)                                                                        \
    .line_low = (uint32_t)(number), .line_high = (uint32_t)((number) >> 32)

#endif
