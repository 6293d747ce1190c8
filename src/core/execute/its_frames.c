// Independent threads: activations of functions, which can differ between splits, and storage of
// their registers.
#include "core/execute/its.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void its_free(Its *its)
{
    if (!its) return;
    free(its->convergences);
    free(its->frames);
    free(its->own_slots);
}

void its_drop_slots(Its *its)
{
    if (!its) return;
    free(its->own_slots);
    its->own_slots = NULL;
}

bool its_place(SmContext *sm, Warp *w, size_t slots)
{
    if (!w->its && !(w->its = hd_tables_new(&sm->tables, 1, sizeof *w->its))) return false;
    Its *its = w->its;
    its->slots = slots; // a write first: the host provides a page at once
    its_drop_slots(its); // of another launch
    return (its->frame_capacity ||
            hd_reserve(&its->frames, 0, &its->frame_capacity, sizeof *its->frames)) &&
           (its->convergence_capacity ||
            hd_reserve(&its->convergences, 0, &its->convergence_capacity,
                        sizeof *its->convergences));
}

// Places the register slots of a new activation: after its caller's, or in the first place behind
// them that no other open activation uses. Lanes in the same function may share slots, because each
// lane has its own part. More slots are allocated if needed, and keep their values.
static bool slots_place(SmContext *sm, Warp *w, Frame *frame, LaneMask lanes)
{
    Its *its = w->its;
    uint32_t count = frame->function->frame_slots;
    for (size_t i = 0; i < its->frame_count; i++) {
        const Frame *other = &w->frames[i];
        if (!other->lanes) continue;
        uint32_t base = frame->slot_base, other_base = other->slot_base;
        uint32_t other_end = other_base + other->function->frame_slots;
        bool shares = frame->function == other->function && base == other_base;
        if (base + count <= other_base || other_end <= base || shares) continue;
        frame->slot_base = other_end;
        i = (size_t)-1; // start again: an earlier one may use these
    }
    size_t needed = frame->slot_base + count;
    if (needed <= its->slots) return true;
    size_t own = its->own_slots ? its->slots : 0;
    if (!simt_count_frames(sm, w, (needed - own) * SLOT_BYTES, lanes)) return false;
    uint8_t *more = hd_new_aligned(needed, SLOT_BYTES, 64);
    if (!more) return sm_out_of_memory(sm, "calling functions from several paths");
    memcpy(more, w->slots, its->slots * SLOT_BYTES);
    free(its->own_slots);
    its->own_slots = w->slots = more;
    its->slots = needed;
    return true;
}

uint32_t its_frame_new(SmContext *sm, Warp *w, uint32_t caller, uint32_t callee, LaneMask lanes)
{
    Its *its = w->its;
    uint32_t at = 1;
    while (at < its->frame_count && its->frames[at].lanes) at++;
    if (at == its->frame_count) {
        if (!hd_reserve(&its->frames, its->frame_count, &its->frame_capacity,
                        sizeof *its->frames)) {
            sm_out_of_memory(sm, "calling a function");
            return 0;
        }
        w->frames = its->frames;
        its->frames[at] = (Frame){0};
        its->frame_count++;
    }
    Frame frame;
    simt_frame(sm, &frame, &its->frames[caller], callee);
    if (!slots_place(sm, w, &frame, lanes) || !simt_take_frame(sm, w, &frame, lanes)) return 0;
    frame.caller = caller;
    frame.depth = its->frames[caller].depth + 1;
    frame.lanes = lanes;
    its->frames[at] = frame;
    return at;
}
