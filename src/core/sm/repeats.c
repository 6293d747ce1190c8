// Which warps repeat their states (repeats.h).
#include "core/sm/repeats.h"

#include "base/hash.h"
#include "base/memory.h"
#include "core/execute/splits.h"

#include <stdlib.h>
#include <string.h>

enum {
    BRANCHES_PER_SAMPLE = 8,
    DENSE_SAMPLES = 64,   // after which each renewal of the reference doubles their distance
    MAX_LOCAL = 64 << 10, // bytes of a warp's local memory that a sample reads
    YIELDS = 16           // after which splits and convergence barriers have had their turns
};

static bool local_is_sampled(const SmContext *context, size_t local_stride)
{
    return local_stride * context->config.core->width <= MAX_LOCAL;
}

// ---- a state ----

static uint64_t hash_frame(const SmContext *context, const Warp *w, const Frame *frame, uint64_t h)
{
    const PtxFunction *f = frame->function;
    const uint32_t place[] = {frame->function_index, frame->call, frame->slot_base,
                              frame->predicate_base, frame->param_base};
    h = hash_bytes(h, place, sizeof place);
    h = hash_bytes(h, &frame->returned, sizeof frame->returned);
    h = hash_bytes(h, w->values.slots + (size_t)frame->slot_base * SLOT_BYTES,
                   (size_t)f->frame_slots * SLOT_BYTES);
    h = hash_bytes(h, w->values.predicates + frame->predicate_base,
                   f->frame_predicates * sizeof *w->values.predicates);
    for (unsigned l = 0; f->frame_param_bytes && l < context->config.core->width; l++)
        h = hash_bytes(h, w->values.frame_params + (size_t)l * w->exec.frame_param_stride +
                       frame->param_base, f->frame_param_bytes);
    return h;
}

static uint64_t hash_stack(const SmContext *context, const Warp *w, uint64_t h)
{
    for (uint32_t i = 0; i < w->stack.depth; i++) {
        const SimtEntry *entry = &w->stack.entries[i];
        // The entry on top may lag behind the warp's pc.
        const uint32_t place[] = {i + 1 < w->stack.depth ? entry->pc : w->pc, entry->reconverge,
                                  entry->lanes, entry->frame};
        h = hash_bytes(h, place, sizeof place);
    }
    for (uint32_t i = 0; i <= w->calls.frame; i++)
        h = hash_frame(context, w, &w->calls.frames[i], h);
    return h;
}

static uint64_t hash_splits(const SmContext *context, const Warp *w, uint64_t h)
{
    const WarpSplits *splits = w->splits;
    for (uint32_t i = 0; i < splits->count; i++) {
        const WarpSplit *split = &splits->split[i];
        const uint32_t place[] = {split->lanes, i == splits->current ? w->pc : split->pc,
                                  split->frame, split->convergence, split->at, split->barrier,
                                  split->mask, split->state, split->done};
        h = hash_bytes(h, place, sizeof place);
    }
    for (size_t i = 1; i < splits->convergence_count; i++) {
        const ConvergenceBarrier *barrier = &splits->convergences[i];
        const uint32_t place[] = {(uint32_t)i, barrier->members, barrier->here, barrier->pc,
                                  barrier->frame, barrier->outer};
        if (barrier->members) h = hash_bytes(h, place, sizeof place);
    }
    for (size_t i = 0; i < splits->frame_count; i++)
        if (splits->frames[i].lanes || !i) h = hash_frame(context, w, &splits->frames[i], h);
    return h;
}

static uint64_t hash_state(const SmContext *context, const Warp *w)
{
    const LaneMask lanes[] = {w->exec.active, w->stack.exited, w->exec.carry};
    uint64_t h = hash_bytes(HASH_START, lanes, sizeof lanes);
    h = hash_bytes(h, &w->exec.stack, sizeof w->exec.stack);
    if (w->exec.local_stride && local_is_sampled(context, w->exec.local_stride))
        h = hash_bytes(h, w->exec.local, w->exec.local_stride * context->config.core->width);
    return w->splits ? hash_splits(context, w, h) : hash_stack(context, w, h);
}

// Whether all splits that can run have run since the reference, and each has had its turns: what
// they do next then depends on nothing that the state does not have.
static bool had_turns(const Warp *w, const WarpRepeats *r)
{
    if (!w->splits) return true;
    const WarpSplits *splits = w->splits;
    unsigned ready = 0;
    bool waits = false;
    for (uint32_t i = 0; i < splits->count; i++) {
        const WarpSplit *split = &splits->split[i];
        if (split->state != SPLIT_READY && split->state != SPLIT_SLEEP) continue;
        ready += split->state == SPLIT_READY;
        if (split->lanes & ~r->ran) return false;
    }
    for (size_t i = 1; i < splits->convergence_count; i++)
        waits |= splits->convergences[i].here != 0;
    return (ready <= 1 && !waits) || splits->yields - r->yields >= YIELDS;
}

static void sample(const SmContext *context, const Warp *w, WarpRepeats *r)
{
    uint64_t h = hash_state(context, w);
    r->repeats |= r->samples && h == r->reference && !r->clock && had_turns(w, r);
    if (r->samples++ < r->renew) return;
    // A warp that computes for long costs little, and one that then spins is found soon.
    uint8_t sparse = r->samples > DENSE_SAMPLES ? r->sparse + 1 : 0;
    *r = (WarpRepeats){.reference = h, .samples = r->samples, .renew = 2 * r->samples,
                       .sparse = sparse, .yields = w->splits ? w->splits->yields : 0,
                       .repeats = r->repeats};
}

// ---- instructions ----

static bool reads_clock(const UOp *op)
{
    return op->code == UOP_SREG && op->imm >= SREG_CLOCK && op->imm <= SREG_GLOBALTIMER_HI;
}

static void note_polled(RepeatWatch *watch, const Warp *w, const UOp *op, LaneMask lanes)
{
    bool shared_value = op->code == UOP_ATOM ||
                        (op->code == UOP_LD && (op->flags & UF_VOLATILE || op->cache == CACHE_CV ||
                                                op->cache == CACHE_CG));
    bool global = op->space == SPACE_GLOBAL || op->space == SPACE_GENERIC;
    bool overwritten = op->dst[0] + 1 >= op->src[0] && op->dst[0] <= op->src[0] + 1;
    if (!shared_value || !global || overwritten) return;
    watch->polled = exec_value(&w->exec, PTX_U64, op->src[0], lanes_first(lanes)) +
                    (uint64_t)op->imm;
}

void repeats_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, LaneMask active)
{
    RepeatWatch *watch = sm->repeats;
    WarpRepeats *r = &watch->warps[w->id];
    r->ran |= active | lanes;
    if (!lanes) return;
    if (op_is_memory(op)) note_polled(watch, w, op, lanes);
    r->clock |= reads_clock(op);
    bool turns = op->code == UOP_BRA || op->code == UOP_BRX || op->code == UOP_RET;
    if (!turns || !w->flags.live || r->repeats) return;
    if (++r->branches < (uint32_t)BRANCHES_PER_SAMPLE << r->sparse) return;
    if (w->memory.atomics || w->group.ahead) return; // results are not written yet
    r->branches = 0;
    sample(&sm->context, w, r);
}

// ---- the SM ----

bool sm_watch_repeats(Sm *sm, HdError *err)
{
    const CoreConfig *core = sm->context.config.core;
    unsigned slots = core->threads / core->width; // of any launch
    if (!sm->repeats) sm->repeats = hd_new(1, sizeof *sm->repeats);
    if (sm->repeats && !sm->repeats->warps)
        sm->repeats->warps = hd_new(slots, sizeof *sm->repeats->warps);
    if (!sm->repeats || !sm->repeats->warps)
        return hd_fail_memory(err, "watching for a launch without an end");
    memset(sm->repeats->warps, 0, slots * sizeof *sm->repeats->warps);
    sm->repeats->polled = 0;
    sm->context.watched = sm->context.repeats = true;
    return true;
}

void sm_end_watch(Sm *sm)
{
    sm->context.repeats = false;
    sm->context.watched = core_hooks_want(sm->hooks, CORE_WORK | CORE_ISSUE);
}

void repeats_free(RepeatWatch *watch)
{
    if (watch) free(watch->warps);
    free(watch);
}

// Whether the warp waits for other warps or for its own other lanes, and does nothing.
static bool is_blocked(const Warp *w)
{
    if (!w->flags.at_barrier || w->memory.atomics) return false;
    if (!w->splits) return w->barrier.number < BLOCK_BARRIERS;
    for (uint32_t i = 0; i < w->splits->count; i++)
        if (w->splits->split[i].state != SPLIT_SYNC && w->splits->split[i].state != SPLIT_BARRIER)
            return false;
    return true;
}

SmRepeats sm_repeats(const Sm *sm)
{
    SmRepeats seen = {.polled = sm->repeats->polled};
    // Mechanisms change what instructions do, and may let queued blocks start later.
    seen.all = !sm->injector && !(sm->hooks && sm->blocks.queue_count);
    for (unsigned i = 0; i < sm->blocks.warp_slots && seen.all; i++) {
        const Warp *w = &sm->blocks.warps[i];
        if (!w->block || !w->block->live) continue;
        bool ends = w->block->ended == w->block->participants; // when what is in flight has arrived
        if (ends || w->memory.stores || (!w->flags.live && w->memory.atomics)) seen.all = false;
        else if (w->flags.live) seen.all = sm->repeats->warps[i].repeats || is_blocked(w);
    }
    return seen;
}

bool sm_changes_memory(const Sm *sm, const UOp *op)
{
    switch (op->code) {
    case UOP_ST:
        return op->space != SPACE_FRAME_PARAM &&
               (op->space != SPACE_LOCAL ||
                !local_is_sampled(&sm->context, sm->blocks.local_stride));
    case UOP_SUST:
    case UOP_ENGINE:
    case UOP_SYSTEM:
    case UOP_BAR:
    case UOP_EXIT:
    case UOP_TRAP:
    case UOP_BRKPT: return true;
    default: return false;
    }
}

uint64_t sm_changes(const Sm *sm, const uint32_t *pcs, size_t count)
{
    uint64_t changes = 0;
    for (size_t i = 0; i < count; i++) changes += sm->context.count.pcs[pcs[i]].lanes;
    return changes;
}

uint64_t sm_atomic_changes(const Sm *sm) { return sm->context.atomic_changes; }
