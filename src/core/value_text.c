// The text of a value, by its type.
#include "core/value_text.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

void value_text(PtxType type, uint64_t bits, char text[VALUE_TEXT])
{
    uint32_t word = (uint32_t)bits;
    float f32;
    double f64;
    memcpy(&f32, &word, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    switch (type) {
    case PTX_U8: number_format(text, VALUE_TEXT, "%u", (unsigned)(uint8_t)bits); break;
    case PTX_U16: number_format(text, VALUE_TEXT, "%u", (unsigned)(uint16_t)bits); break;
    case PTX_U32: number_format(text, VALUE_TEXT, "%u", (unsigned)word); break;
    case PTX_U64: number_format(text, VALUE_TEXT, "%" PRIu64, bits); break;
    case PTX_S8: number_format(text, VALUE_TEXT, "%d", (int8_t)bits); break;
    case PTX_S16: number_format(text, VALUE_TEXT, "%d", (int16_t)bits); break;
    case PTX_S32: number_format(text, VALUE_TEXT, "%d", (int32_t)bits); break;
    case PTX_S64: number_format(text, VALUE_TEXT, "%" PRId64, (int64_t)bits); break;
    case PTX_F32: number_format(text, VALUE_TEXT, "%.9g", (double)f32); break;
    case PTX_F64: number_format(text, VALUE_TEXT, "%.17g", f64); break;
    case PTX_PRED: number_format(text, VALUE_TEXT, "%s", bits ? "true" : "false"); break;
    case PTX_B64: number_format(text, VALUE_TEXT, "0x%" PRIx64, bits); break;
    default: number_format(text, VALUE_TEXT, "0x%x", (unsigned)word);
    }
}
