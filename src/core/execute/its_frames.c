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
    free(its);
}

bool its_place(Warp *w, size_t slots)
{
    if (!w->its && !(w->its = hd_new(1, sizeof *w->its))) return false;
    Its *its = w->its;
    free(its->own_slots); // of another launch
    its->own_slots = NULL;
    its->slots = slots;
    return (its->frame_capacity ||
            hd_reserve(&its->frames, 0, &its->frame_capacity, sizeof *its->frames)) &&
           (its->convergence_capacity ||
            hd_reserve(&its->convergences, 0, &its->convergence_capacity,
                        sizeof *its->convergences));
}

// Whether activations that are open at once use different registers. Lanes in the same function may
// share register slots, because each lane has its own part.
static bool slots_apart(const Frame *a, const Frame *b)
{
    uint32_t end_a = a->slot_base + a->function->frame_slots,
             end_b = b->slot_base + b->function->frame_slots;
    return end_a <= b->slot_base || end_b <= a->slot_base ||
           (a->function == b->function && a->slot_base == b->slot_base);
}

// Makes room for `count` register slots and keeps their values.
static bool slots_fit(SmContext *sm, Warp *w, size_t count)
{
    Its *its = w->its;
    if (count <= its->slots) return true;
    uint8_t *more = hd_new_aligned(count, SLOT_BYTES, 64);
    if (!more) return sm_out_of_memory(sm, "calling functions from several paths");
    memcpy(more, w->slots, its->slots * SLOT_BYTES);
    free(its->own_slots);
    its->own_slots = w->slots = more;
    its->slots = count;
    return true;
}

// Places the register slots of a new activation: after its caller's, or after all if another split
// uses those.
static bool slots_place(SmContext *sm, Warp *w, Frame *frame)
{
    const Its *its = w->its;
    bool apart = true;
    uint32_t end = 0;
    for (size_t i = 0; i < its->frame_count; i++) {
        const Frame *other = &w->frames[i];
        if (!other->lanes) continue;
        apart &= slots_apart(frame, other);
        uint32_t behind = other->slot_base + other->function->frame_slots;
        if (behind > end) end = behind;
    }
    if (!apart) frame->slot_base = end;
    return slots_fit(sm, w, frame->slot_base + frame->function->frame_slots);
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
    if (!slots_place(sm, w, &frame)) return 0;
    frame.caller = caller;
    frame.depth = its->frames[caller].depth + 1;
    frame.lanes = lanes;
    its->frames[at] = frame;
    return at;
}
