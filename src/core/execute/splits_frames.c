// Independent threads: activations of functions, which can differ between splits, and storage of
// their registers.
#include "core/execute/splits.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void splits_free(WarpSplits *splits)
{
    if (!splits) return;
    free(splits->convergences);
    free(splits->frames);
    free(splits->own_slots);
}

void splits_drop_slots(WarpSplits *splits)
{
    if (!splits) return;
    free(splits->own_slots);
    splits->own_slots = NULL;
}

bool splits_place(SmContext *context, Warp *w, size_t slots)
{
    if (!w->splits) w->splits = hd_tables_new(&context->tables, 1, sizeof *w->splits);
    if (!w->splits) return false;
    WarpSplits *splits = w->splits;
    splits->slots = slots; // a write first: the host provides a page at once
    splits_drop_slots(splits); // of another launch
    return (splits->frame_capacity ||
            hd_reserve(&splits->frames, 0, &splits->frame_capacity, sizeof *splits->frames)) &&
           (splits->convergence_capacity ||
            hd_reserve(&splits->convergences, 0, &splits->convergence_capacity,
                       sizeof *splits->convergences));
}

// Places the register slots of a new activation: after its caller's, or in the first place behind
// them that no other open activation uses. Lanes in the same function may share slots, because each
// lane has its own part. More slots are allocated if needed, and keep their values.
static bool slots_place(SmContext *context, Warp *w, Frame *frame, LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    uint32_t count = frame->function->frame_slots;
    for (size_t i = 0; i < splits->frame_count; i++) {
        const Frame *other = &w->calls.frames[i];
        if (!other->lanes) continue;
        uint32_t base = frame->slot_base, other_base = other->slot_base;
        uint32_t other_end = other_base + other->function->frame_slots;
        bool shares = frame->function == other->function && base == other_base;
        if (base + count <= other_base || other_end <= base || shares) continue;
        frame->slot_base = other_end;
        i = (size_t)-1; // start again: an earlier one may use these
    }
    size_t needed = frame->slot_base + count;
    if (needed <= splits->slots) return true;
    size_t own = splits->own_slots ? splits->slots : 0;
    if (!simt_count_frames(context, w, (needed - own) * SLOT_BYTES, lanes)) return false;
    uint8_t *more = hd_new_aligned(needed, SLOT_BYTES, 64);
    if (!more) return sm_out_of_memory(context, "calling functions from several paths");
    memcpy(more, w->values.slots, splits->slots * SLOT_BYTES);
    free(splits->own_slots);
    splits->own_slots = w->values.slots = more;
    splits->slots = needed;
    return true;
}

uint32_t splits_frame_new(SmContext *context, Warp *w, uint32_t caller, uint32_t callee,
                          LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    uint32_t at = 1;
    while (at < splits->frame_count && splits->frames[at].lanes) at++;
    if (at == splits->frame_count) {
        if (!hd_reserve(&splits->frames, splits->frame_count, &splits->frame_capacity,
                        sizeof *splits->frames)) {
            sm_out_of_memory(context, "calling a function");
            return 0;
        }
        w->calls.frames = splits->frames;
        splits->frames[at] = (Frame){0};
        splits->frame_count++;
    }
    Frame frame;
    simt_frame(context, &frame, &splits->frames[caller], callee);
    if (!slots_place(context, w, &frame, lanes)) return 0;
    if (!simt_take_frame(context, w, &frame, lanes)) return 0;
    frame.caller = caller;
    frame.depth = splits->frames[caller].depth + 1;
    frame.lanes = lanes;
    splits->frames[at] = frame;
    return at;
}
