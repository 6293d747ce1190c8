// Finds launches that cannot end, and launches of which no end is in sight.
//
// A launch cannot end if no memory changes any more and each of its warps either repeats the same
// states (core/sm/repeats.h) or is blocked: by induction, each warp then goes round for ever, and
// nothing unblocks the others. Only what is outside the launch could change memory: the host, or
// another kernel, and neither runs before a launch has ended.
//
// Time is simulated time, so the outcome is the same on every host: cycles, or in a functional
// launch the turns of each warp. To watch costs time, so the launch is watched for a short while
// in each period, and longer only while nothing changes.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Periods {
    uint64_t every, look; // how often to begin to watch, and how often to look while watching
    uint64_t quiet, last; // without a change of memory, or without a block, after which to report
} Periods;
static const Periods in_cycles = {1 << 17, 1 << 11, 1 << 24, UINT64_C(1) << 32};
static const Periods in_turns = {1 << 13, 1 << 8, 1 << 20, 1 << 28};

void gpu_on_hang(Gpu *gpu, GpuHangFn *hang, void *context)
{
    gpu->hang = hang;
    gpu->hang_context = context;
}

static bool watch(Gpu *gpu, HdError *err)
{
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (!sm_watch_repeats(gpu->sms[i], err)) return false;
    return true;
}

void endless_end(Gpu *gpu, Endless *e)
{
    for (unsigned i = 0; e->watching && i < gpu->active_sms; i++) sm_end_watch(gpu->sms[i]);
    e->watching = false;
}

void endless_begin(Gpu *gpu, Endless *e, bool timed)
{
    endless_end(gpu, e);
    *e = (Endless){.timed = timed, .next = timed ? in_cycles.every : in_turns.every};
}

// The whole GPU's.
static SmRepeats repeats_of(const Gpu *gpu)
{
    SmRepeats all = {.changes = memory_side_atomic_changes(gpu->memory_side), .all = true};
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        SmRepeats seen = sm_repeats(gpu->sms[i]);
        all.changes += seen.changes;
        all.all &= seen.all;
        if (seen.polled) all.polled = seen.polled;
    }
    return all;
}

static LaunchHang describe(Gpu *gpu, const LaunchState *s, HangKind kind, uint64_t now,
                           const SmRepeats *seen)
{
    const Endless *e = &s->endless;
    LaunchHang hang = {.kind = kind, .timed = e->timed, .now = now, .since = e->since,
                       .unit = e->timed ? "cycles" : "turns of each warp",
                       .blocks_done = blocks_done(gpu), .blocks = s->blocks};
    if (kind == HANG_LONG) hang.since = e->last_block;
    ptx_base_name(s->launch.kernel->name, hang.kernel, sizeof hang.kernel);
    if (seen->polled) guest_nearest(&gpu->memory, seen->polled, hang.polls, sizeof hang.polls);
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
static void report(Gpu *gpu, LaunchState *s, HangKind kind, uint64_t now, const SmRepeats *seen)
{
    if (s->endless.reported || !gpu->hang) return;
    LaunchHang hang = describe(gpu, s, kind, now, seen);
    gpu->hang(gpu->hang_context, &hang);
    s->endless.reported = true;
}

// The launch cannot end unless something outside of it changes memory. false: it ends here.
static bool may_go_on(Gpu *gpu, LaunchState *s, uint64_t now, const SmRepeats *seen, HdError *err)
{
    Endless *e = &s->endless;
    if (e->outside) return true;
    LaunchHang hang = describe(gpu, s, HANG_ENDLESS, now, seen);
    e->outside = gpu->hang && gpu->hang(gpu->hang_context, &hang);
    if (!e->outside) return fail_endless(gpu, &hang, err);
    e->reported = true;
    return true;
}

bool endless_look(Gpu *gpu, LaunchState *s, uint64_t now, HdError *err)
{
    Endless *e = &s->endless;
    const Periods *periods = e->timed ? &in_cycles : &in_turns;
    SmRepeats seen = repeats_of(gpu);
    uint64_t blocks = s->next_block + blocks_done(gpu);
    bool block = blocks != e->blocks;
    if (block) e->last_block = now;
    if (now - e->last_block >= periods->last) report(gpu, s, HANG_LONG, now, &seen);
    if (!e->watching || block || seen.changes != e->changes) {
        bool begins = !e->watching;
        endless_end(gpu, e);
        e->next = now + (begins ? periods->look : periods->every);
        e->blocks = blocks;
        e->since = now;
        if (!begins) return true;
        e->watching = true;
        if (!watch(gpu, err)) return false;
        e->changes = repeats_of(gpu).changes;
        return true;
    }
    e->next = now + periods->look;
    // A mechanism may let further blocks start later. Behind the last block, what is on its way to
    // memory arrives.
    bool complete = s->next_block == s->blocks || !gpu->l1_hooks,
         running = blocks_done(gpu) < s->next_block;
    if (seen.all && complete && running) return may_go_on(gpu, s, now, &seen, err);
    if (now - e->since >= periods->quiet) report(gpu, s, HANG_QUIET, now, &seen);
    return true;
}
