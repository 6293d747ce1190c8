// Finds launches that cannot end, and launches of which no end is in sight.
//
// A launch cannot end if no memory changes any more and each of its warps either repeats the same
// states (core/sm/repeats.h) or is blocked: by induction, each warp then goes round for ever, and
// nothing unblocks the others. Only what is outside the launch could change memory: the host, or
// another kernel, and neither runs before a launch has ended.
//
// Time is simulated time, so the outcome is the same on every host: cycles, or in a functional
// launch the turns of each warp. Whether memory changes is seen from counters, now and then. To
// watch states costs more: it begins when nothing has changed for a while, and takes an eighth of
// the time from then on, in periods that double, so that loops of any length are found.
#include "base/memory.h"
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WATCHED_PART = 8 }; // of a period

typedef struct Periods {
    uint64_t look, watch; // how often to look, and while states are watched
    uint64_t first;       // without a change after which to watch, and the first period
    uint64_t quiet, last; // without a change, or without a block, after which to report
} Periods;
static const Periods in_cycles = {1 << 14, 1 << 11, 1 << 17, 1 << 24, UINT64_C(1) << 32};
static const Periods in_turns = {1 << 10, 1 << 8, 1 << 13, 1 << 20, 1 << 28};

void gpu_on_hang(Gpu *gpu, GpuHangFn *hang, void *context)
{
    gpu->hang = hang;
    gpu->hang_context = context;
}

void endless_end(Gpu *gpu, Endless *e)
{
    for (unsigned i = 0; e->watching && i < gpu->active_sms; i++) sm_end_watch(gpu->sms[i]);
    e->watching = false;
}

void endless_begin(Gpu *gpu, Endless *e, bool timed)
{
    endless_end(gpu, e);
    *e = (Endless){.timed = timed, .next = timed ? in_cycles.look : in_turns.look};
}

// Lists the launch's instructions that may change what warps read or wait for.
static bool list_changing(Gpu *gpu, const SmLaunch *launch, HdError *err)
{
    EndlessRoom *room = &gpu->endless;
    const PtxModule *m = launch->module;
    unsigned sms = gpu->machine.gpu.sms;
    if (!room->by_sm) room->by_sm = hd_new(sms, sizeof *room->by_sm);
    if (!room->by_sm) return hd_fail_memory(err, "watching for a launch without an end");
    memset(room->by_sm, 0, sms * sizeof *room->by_sm);
    room->count = 0;
    for (size_t f = 0; f < m->function_count; f++) {
        uint32_t base = launch->pc_base[f];
        if (base < launch->first_pc || base >= launch->end_pc) continue;
        for (uint32_t i = 0; i < m->functions[f].op_count; i++) {
            if (!sm_changes_memory(gpu->sms[0], &m->functions[f].ops[i])) continue;
            if (!hd_reserve(&room->changing, room->count, &room->capacity, sizeof *room->changing))
                return hd_fail_memory(err, "watching for a launch without an end");
            room->changing[room->count++] = base + i;
        }
    }
    return true;
}

static uint64_t count_changes(const Gpu *gpu)
{
    const EndlessRoom *room = &gpu->endless;
    uint64_t changes = memory_side_atomic_changes(gpu->memory_side);
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        SmChanges *seen = &room->by_sm[i];
        uint64_t issued = sm_instructions(gpu->sms[i]);
        if (issued != seen->issued)
            *seen = (SmChanges){issued, sm_changes(gpu->sms[i], room->changing, room->count)};
        changes += seen->changes + sm_atomic_changes(gpu->sms[i]);
    }
    return changes;
}

// Begins a period, of which the first part is watched.
static bool begin_period(Gpu *gpu, Endless *e, uint64_t now, HdError *err)
{
    e->watching = true;
    e->polled = 0;
    e->period = e->period ? 2 * e->period : (e->timed ? &in_cycles : &in_turns)->first;
    e->watch_end = now + e->period / WATCHED_PART;
    e->period_end = now + e->period;
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (!sm_watch_repeats(gpu->sms[i], err)) return false;
    return true;
}

// Whether each warp repeats its states or is blocked.
static bool all_repeat(const Gpu *gpu, Endless *e)
{
    bool all = true;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        SmRepeats seen = sm_repeats(gpu->sms[i]);
        all &= seen.all;
        if (seen.polled) e->polled = seen.polled;
    }
    return all;
}

static LaunchHang describe(Gpu *gpu, const LaunchState *s, HangKind kind, uint64_t now)
{
    const Endless *e = &s->endless;
    LaunchHang hang = {.kind = kind, .timed = e->timed, .now = now, .since = e->since,
                       .unit = e->timed ? "cycles" : "turns of each warp",
                       .blocks_done = blocks_done(gpu), .blocks = s->blocks};
    if (kind == HANG_LONG) hang.since = e->last_block;
    ptx_base_name(s->launch.kernel->name, hang.kernel, sizeof hang.kernel);
    if (e->polled) guest_nearest(&gpu->memory, e->polled, hang.polls, sizeof hang.polls);
    gpu_describe_warps(gpu, hang.warps, sizeof hang.warps);
    return hang;
}

static bool fail_endless(Gpu *gpu, const LaunchHang *h, HdError *err)
{
    gpu->fault.kind = GPU_FAULT_DEADLOCK;
    bool polls = *h->polls;
    return hd_fail(err, "%s never ends: its warps repeat the same steps, and nothing can change "
                        "the memory that they read%s%s. A launch runs to its end before the host "
                        "or another kernel goes on, also a kernel of another stream: expected a "
                        "kernel that waits for its own threads only. %" PRIu64 " of %" PRIu64
                        " blocks have ended in %" PRIu64 " %s. Some of its warps:\n%s%s",
                   h->kernel, polls ? "; one polls memory " : "", h->polls, h->blocks_done,
                   h->blocks, h->now, h->unit, h->warps, launch_advice(gpu));
}

// Reports once that the launch may hang.
static void report(Gpu *gpu, LaunchState *s, HangKind kind, uint64_t now)
{
    if (s->endless.reported || !gpu->hang) return;
    LaunchHang hang = describe(gpu, s, kind, now);
    gpu->hang(gpu->hang_context, &hang);
    s->endless.reported = true;
}

// The launch cannot end unless something outside of it changes memory. false: it ends here.
static bool may_go_on(Gpu *gpu, LaunchState *s, uint64_t now, HdError *err)
{
    Endless *e = &s->endless;
    if (e->outside) return true;
    LaunchHang hang = describe(gpu, s, HANG_ENDLESS, now);
    e->outside = gpu->hang && gpu->hang(gpu->hang_context, &hang);
    if (!e->outside) return fail_endless(gpu, &hang, err);
    e->reported = true;
    return true;
}

bool endless_look(Gpu *gpu, LaunchState *s, uint64_t now, HdError *err)
{
    Endless *e = &s->endless;
    const Periods *periods = e->timed ? &in_cycles : &in_turns;
    if (!e->listed && !list_changing(gpu, &s->launch, err)) return false;
    e->listed = true;
    e->next = now + periods->look;
    uint64_t changes = count_changes(gpu), blocks = s->next_block + blocks_done(gpu);
    bool block = blocks != e->blocks;
    if (block) e->last_block = now;
    if (now - e->last_block >= periods->last) report(gpu, s, HANG_LONG, now);
    if (block || changes != e->changes) {
        endless_end(gpu, e);
        e->blocks = blocks;
        e->changes = changes;
        e->since = now;
        e->period = 0;
        e->period_end = now + periods->first;
        e->polled = 0;
        return true;
    }
    // A mechanism may let further blocks start later. Behind the last block, what is on its way to
    // memory arrives.
    bool complete = s->next_block == s->blocks || !gpu->l1_hooks,
         running = blocks_done(gpu) < s->next_block;
    bool repeat = e->watching && all_repeat(gpu, e);
    if (repeat && complete && running) return may_go_on(gpu, s, now, err);
    if (now - e->since >= periods->quiet) report(gpu, s, HANG_QUIET, now);
    if (now >= e->period_end && !begin_period(gpu, e, now, err)) return false;
    if (now >= e->watch_end) endless_end(gpu, e);
    if (e->watching) e->next = now + periods->watch;
    return true;
}
