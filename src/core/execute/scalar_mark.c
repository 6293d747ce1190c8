// Checks and copies values that are marked to be equal in all lanes of a warp.
//
// Only the active lanes are written. What reads a scalar register runs in lanes that also executed
// its last write (ptx/scalar.c), so these lanes are enough; and another register may share the slot
// in lanes that are on another path.
#include "core/execute/scalar_mark.h"

#include <stdio.h>
#include <string.h>

static uint64_t value_of(const UOp *op, const void *slot, unsigned lane)
{
    uint64_t wide;
    uint32_t narrow;
    if (ptx_type_bytes((PtxType)op->type) == 8) {
        memcpy(&wide, (const uint8_t *)slot + 8 * lane, sizeof wide);
        return wide;
    }
    memcpy(&narrow, (const uint8_t *)slot + 4 * lane, sizeof narrow);
    return narrow;
}

static void format_value(const UOp *op, uint64_t bits, char text[32])
{
    float single;
    double value;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    switch (op->type) {
    case PTX_S32: snprintf(text, 32, "%d", (int32_t)low); break;
    case PTX_S64: snprintf(text, 32, "%lld", (long long)bits); break;
    case PTX_F32: snprintf(text, 32, "%.9g", (double)single); break;
    case PTX_F64: snprintf(text, 32, "%.17g", value); break;
    default: snprintf(text, 32, "%llu", (unsigned long long)bits);
    }
}

bool scalar_mark_execute(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    const void *from = exec_operand(&w->exec, op->src[0]);
    uint8_t *to = exec_operand(&w->exec, op->dst[0]);
    unsigned first = lanes_first(lanes), bytes = ptx_type_bytes((PtxType)op->type);
    uint64_t value = value_of(op, from, first);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        uint64_t other = value_of(op, from, l);
        if (other == value) {
            memcpy(to + (size_t)bytes * l, &value, bytes);
            continue;
        }
        char texts[2][32];
        format_value(op, value, texts[0]);
        format_value(op, other, texts[1]);
        return sm_fault(sm, w, l, "heddle_scalar: lanes %u and %u have the values %s and %s: "
                                  "expected one value in all active lanes",
                        first, l, texts[0], texts[1]);
    }
    return true;
}
