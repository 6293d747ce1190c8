// Functional launches: which ones, and the order in which their warps run.
#include "gpu/gpu_internal.h"

#include "base/host_time.h"
#include "base/memory.h"
#include "exec/round_log.h"
#include "memory/warm_log.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW_INSTRUCTIONS = 512, // of a round: to hand out work costs about as much as these
    FEW_LANES = 1024        // of stores and atomics at a round's end, likewise
};

bool launch_is_timed(const Gpu *gpu)
{
    const GpuOptions *o = &gpu->options;
    uint64_t number = gpu->launches + 1;
    return !o->functional && !gpu->cut.launch && number >= o->detail_first &&
           (!o->detail_last || number <= o->detail_last);
}

// ---- warm caches ----

static uint32_t warm_at_once(void *memory_side, const MemRequest *request)
{
    return memory_side_access_warm(memory_side, request);
}

static uint32_t warm_later(void *log, const MemRequest *request)
{
    warm_log_add(log, request);
    return 0;
}

// Whether mechanisms read the versions of data, which are known only after a request is served.
static bool reads_versions(const Gpu *gpu)
{
    return gpu->l1_hooks && gpu->l1_hooks[0] && gpu->l1_hooks[0]->copy_backs.queue;
}

static bool begin_warming(Gpu *gpu, HdError *err)
{
    unsigned sms = gpu->machine.gpu.sms;
    if (gpu->warm) return true;
    gpu->warm = hd_new(sms, sizeof *gpu->warm);
    gpu->warm_logs = hd_new(sms, sizeof *gpu->warm_logs);
    bool ok = gpu->warm && gpu->warm_logs;
    for (unsigned i = 0; ok && i < sms; i++) {
        gpu->warm[i] = (FunctionalMemory){.request = warm_at_once, .receiver = gpu->memory_side};
        if (reads_versions(gpu)) continue;
        ok = (gpu->warm_logs[i] = warm_log_new(gpu->memory_side)) != NULL;
        WarmLog *log = gpu->warm_logs[i];
        gpu->warm[i] = (FunctionalMemory){.request = warm_later, .receiver = log,
                                          .log = ok && warm_log_of_lines(log) ? log : NULL};
    }
    return ok || hd_fail_memory(err, "warming caches");
}

void functional_free(Gpu *gpu)
{
    for (unsigned i = 0; gpu->warm_logs && i < gpu->machine.gpu.sms; i++)
        warm_log_free(gpu->warm_logs[i]);
    free(gpu->warm_logs);
    free(gpu->warm);
    free(gpu->ran);
    round_tables_free(gpu->round_tables);
}

static void warm_share(void *context, unsigned share)
{
    Gpu *gpu = context;
    warm_log_apply(gpu->memory_side, gpu->warm_logs, gpu->active_sms, share);
}

// Serves the requests of the round.
static bool warm_memory_side(Gpu *gpu, Team *team, HdError *err)
{
    if (!gpu->warm_logs[0]) return true;
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (warm_log_failed(gpu->warm_logs[i])) return hd_fail_memory(err, "warming caches");
    team_run(team, WARM_SHARES, warm_share, gpu);
    return true;
}

// ---- rounds ----

// Fills the SMs' block slots, one block per SM and round. Returns how many instructions the new
// warps will about execute in their first turns.
static uint64_t give_blocks(Gpu *gpu, LaunchState *s)
{
    unsigned sms = gpu->active_sms;
    uint64_t before = s->next_block;
    for (unsigned held = 0; held < s->launch.blocks_per_sm; held++) {
        unsigned first = gpu->next_sm;
        for (unsigned i = 0; i < sms && s->next_block < s->blocks; i++) {
            unsigned sm = (first + i) % sms;
            if (sm_blocks_held(gpu->sms[sm]) == held) give_block(gpu, s, sm);
        }
    }
    return (s->next_block - before) * s->launch.block_bytes.threads * gpu->round->first /
           HD_MAX_LANES;
}

static void run_sm(void *context, unsigned item)
{
    Gpu *gpu = context;
    unsigned sm = gpu->order[item];
    SmOutcome *outcome = &gpu->outcomes[sm];
    round_log_lend(gpu->logs[sm], gpu->round_tables);
    outcome->ok = sm_run_functional(gpu->sms[sm], gpu->round, gpu->warms ? &gpu->warm[sm] : NULL,
                                    &gpu->ran[sm], &outcome->err);
    round_log_return(gpu->logs[sm], gpu->round_tables);
}

static void commit_share(void *context, unsigned item)
{
    Gpu *gpu = context;
    round_commit_share(&gpu->memory, gpu->stored, gpu->stored_count, item);
}

static bool prepare_logs(Gpu *gpu, HdError *err)
{
    if (!gpu->round_tables) gpu->round_tables = round_tables_new(gpu_threads(gpu));
    bool ok = gpu->round_tables;
    for (unsigned i = 0; ok && i < gpu->active_sms; i++) ok = round_log_prepare(gpu->logs[i]);
    return ok || hd_fail_memory(err, "a functional launch");
}

// The SMs with blocks, which run in the round. Returns how many there are.
static unsigned find_busy(Gpu *gpu)
{
    unsigned count = 0;
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (sm_blocks_held(gpu->sms[i])) gpu->acting[count++] = i;
    return count;
}

// If SMs have failed, reports the one with the lowest number. false: one has.
static bool check_failures(Gpu *gpu, unsigned busy, HdError *err)
{
    for (unsigned i = 0; i < busy; i++) {
        unsigned sm = gpu->acting[i];
        if (gpu->outcomes[sm].ok) continue;
        if (err) *err = gpu->outcomes[sm].err;
        gpu->fault = sm_fault_of(gpu->sms[sm]);
        return false;
    }
    return true;
}

// Applies the stores and atomics of the round.
static void commit(Gpu *gpu, unsigned busy, Team *team)
{
    size_t lanes = 0;
    gpu->stored_count = 0;
    for (unsigned i = 0; i < busy; i++) {
        StoreLog *log = gpu->logs[gpu->acting[i]];
        if (store_log_empty(log)) continue;
        gpu->stored[gpu->stored_count++] = log;
        lanes += round_log_lanes(log);
    }
    if (team && lanes >= FEW_LANES) team_run(team, ROUND_SHARES, commit_share, gpu);
    else round_commit(&gpu->memory, gpu->stored, gpu->stored_count);
}

// Runs a round on the SMs that have blocks. *ran: the sum of their instructions, and the most turns
// that one has had.
static bool run_round(Gpu *gpu, const LaunchState *s, FunctionalRan *ran, HdError *err)
{
    // The outcome does not depend on who runs a round: few instructions are not worth waking the
    // other threads.
    Team *team = ran->instructions < FEW_INSTRUCTIONS ? NULL : gpu->team;
    unsigned busy = find_busy(gpu);
    bool in_order = gpu->warms && reads_versions(gpu);
    if (in_order) memcpy(gpu->order, gpu->acting, busy * sizeof *gpu->order);
    else order_acting(gpu, busy, ran->instructions);
    thread_memory_share(gpu, s);
    team_run(in_order ? NULL : team, busy, run_sm, gpu);
    bool ok = check_failures(gpu, busy, err);
    if (ok && !thread_memory_count(gpu, err)) return false;
    // All text was printed before the fault.
    if (!system_serve(gpu, ok ? UINT64_MAX : UINT64_MAX - 1, 0, ok ? err : NULL) || !ok)
        return false;
    commit(gpu, busy, team);
    if (gpu->warms && !warm_memory_side(gpu, team, err)) return false;
    *ran = (FunctionalRan){0};
    for (unsigned i = 0; i < busy; i++) {
        unsigned sm = gpu->acting[i];
        ran->instructions += gpu->ran[sm].instructions + sm_end_functional_round(gpu->sms[sm]);
        if (gpu->ran[sm].turns > ran->turns) ran->turns = gpu->ran[sm].turns;
    }
    return true;
}

static bool run_rounds(Gpu *gpu, LaunchState *s, HdError *err)
{
    // Programs with benign races rely on warps that progress at about the same rate, as on a GPU,
    // above all after the start of a block or a barrier. So turns are short. Several turns in a
    // round keep a warp's values in the host's caches, and make up for the round's end. Fewer let
    // the requests of SMs reach the L2 in turns, as they do in time. The logs stay small.
    static const FunctionalRound plain = {.first = 16, .later = 32, .turns = 64,
                                          .instructions = 8192, .lanes = 16384},
                                 warming = {.first = 16, .later = 32, .turns = 64,
                                            .instructions = 1024, .lanes = 16384};
    // Caches are warmed only for a later timed launch.
    gpu->warms = !gpu->options.functional && gpu->launches + 1 < gpu->options.detail_first;
    gpu->round = gpu->warms ? &warming : &plain;
    if (!prepare_logs(gpu, err) || (gpu->warms && !begin_warming(gpu, err))) return false;
    endless_begin(gpu, &s->endless, false);
    FunctionalRan ran = {0};
    for (uint64_t turns = 0; blocks_done(gpu) < s->blocks; turns += ran.turns) {
        if (!launch_may_continue(gpu, s, err)) return false;
        if (turns >= s->endless.next && !endless_look(gpu, s, turns, err)) return false;
        ran.instructions += give_blocks(gpu, s);
        if (!run_round(gpu, s, &ran, err)) return false;
        if (!ran.instructions) return launch_deadlocked(gpu, s, err);
        show_progress(gpu, s);
    }
    return true;
}

bool run_functional(Gpu *gpu, LaunchState *s, HdError *err)
{
    double start = host_seconds();
    bool ok = run_rounds(gpu, s, err);
    gpu->functional_seconds += host_seconds() - start;
    return ok;
}

double gpu_functional_seconds(const Gpu *gpu) { return gpu->functional_seconds; }
