// Checks and copies values that are marked to be equal in all lanes of a warp.
//
// Only the active lanes are written. What reads a scalar register runs in lanes that also executed
// its last write (ptx/scalar.c), so these lanes are enough; and another register may share the slot
// in lanes that are on another path.
#include "core/execute/scalar_mark.h"

#include "core/value_text.h"

#include <string.h>

bool scalar_mark_execute(SmContext *context, Warp *w, const UOp *op, LaneMask lanes)
{
    PtxType type = (PtxType)op->type;
    uint8_t *to = exec_operand(&w->exec, op->dst[0]);
    unsigned first = lanes_first(lanes), bytes = ptx_type_bytes(type);
    uint64_t value = exec_value(&w->exec, type, op->src[0], first);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        uint64_t other = exec_value(&w->exec, type, op->src[0], l);
        if (other == value) {
            memcpy(to + (size_t)bytes * l, &value, bytes);
            continue;
        }
        // Decimal also if the mov says only a size.
        if (type == PTX_B32 || type == PTX_B64) type = bytes == 4 ? PTX_U32 : PTX_U64;
        char texts[2][VALUE_TEXT];
        value_text(type, value, texts[0]);
        value_text(type, other, texts[1]);
        return sm_fault(context, w, l, "heddle_scalar: lanes %u and %u have the values %s and %s: "
                        "expected one value in all active lanes",
                        first, l, texts[0], texts[1]);
    }
    return true;
}
