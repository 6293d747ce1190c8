// The GPU: its memory and modules, and launches that run quantum by quantum.
//
// One quantum: every SM runs on its own from Q to Q + L, where L is the minimum time from an SM to
// an L2 slice and back. Then the logged stores are applied, and the memory side runs up to the
// earliest time at which a request sent later can arrive. All replies that arrive in the next
// quantum are then known. The scheme is exact: neither the order in which the SMs run nor the
// number of host threads changes a result.
#include "gpu/gpu_internal.h"

#include "base/host_time.h"
#include "base/memory.h"
#include "base/random.h"
#include "hooks/engine_hooks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- creation ----

static void place_request(const void *memory_side, MemRequest *request)
{
    memory_side_place(memory_side, request);
}

static void execute_engine(void *context, unsigned mechanism, const HdEngineRequest *request,
                           HdEngineReply *reply)
{
    const Gpu *gpu = context;
    engine_hooks_execute(gpu->l2_hooks, gpu->machine.slice.count, mechanism, request, reply);
}

static bool build_sms(Gpu *gpu, HdError *err)
{
    const Machine *m = &gpu->machine;
    Exchange *exchange = memory_side_exchange(gpu->memory_side);
    SmConfig config = {.core = &m->core, .scalar = &m->scalar, .frontend = &m->frontend,
                       .operand = &m->operand,
                       .units = &m->units, .latency = &m->latency, .initiation = &m->initiation,
                       .shared = &m->shared, .l1i = &m->l1i, .l1c = &m->l1c, .l1r = &m->l1r,
                       .l15 = &m->l15, .path = &m->path, .launch = &m->launch, .icnt = &m->icnt,
                       .dram = &m->dram, .atomics = &m->atomics};
    SmShared shared = {.clocks = &gpu->clocks, .guest = &gpu->memory, .seed = gpu->seed,
                       .strict = gpu->options.strict, .engines = {execute_engine, gpu},
                       .map = {place_request, gpu->memory_side, m->slice.count, exchange,
                               gpu->quantum * gpu->clocks.period[CLOCK_CORE]}};
    gpu->sms = hd_new(m->gpu.sms, sizeof *gpu->sms);
    gpu->logs = hd_new(m->gpu.sms, sizeof *gpu->logs);
    gpu->stored = hd_new(m->gpu.sms, sizeof *gpu->stored);
    gpu->next = hd_new(m->gpu.sms, sizeof *gpu->next);
    gpu->acting = hd_new(m->gpu.sms, sizeof *gpu->acting);
    gpu->order = hd_new(m->gpu.sms, sizeof *gpu->order);
    gpu->outcomes = hd_new(m->gpu.sms, sizeof *gpu->outcomes);
    gpu->stops = hd_new(m->gpu.sms, sizeof *gpu->stops);
    gpu->ran = hd_new(m->gpu.sms, sizeof *gpu->ran);
    if (!gpu->sms || !gpu->logs || !gpu->stored || !gpu->next || !gpu->acting || !gpu->order ||
        !gpu->outcomes || !gpu->stops || !gpu->ran)
        return hd_fail_memory(err, "building the GPU");
    for (unsigned i = 0; i < m->gpu.sms; i++) {
        gpu->sms[i] = sm_new(&config, &shared, i, err);
        if (!gpu->sms[i]) return false;
        shadow_sm_new(gpu->sms[i], memory_side_shadow(gpu->memory_side));
        exchange->news[i].due = &gpu->next[i];
        gpu->logs[i] = sm_store_log(gpu->sms[i]);
        sm_system_calls(gpu->sms[i])->news = &gpu->system_pending;
    }
    return true;
}

static bool gpu_build(Gpu *gpu, HdError *err)
{
    const Machine *m = &gpu->machine;
    char notes[2048];
    if (!machine_check(m, notes, sizeof notes, err)) return false;
    gpu->clocks = (Clocks){
        .khz = {m->core.frequency, m->icnt.frequency, m->slice.frequency, m->dram.frequency}};
    MemoryConfig config = {&m->icnt, &m->l2, &m->slice, &m->dram, &m->atomics,
                           .linked = plan_links_slices(gpu->options.mechanisms)};
    if (!clocks_derive(&gpu->clocks, err) || !guest_init(&gpu->memory, err) ||
        (gpu->options.granules && !guest_use_granules(&gpu->memory, err)))
        return false;
    guest_limit(&gpu->memory, gpu->options.max_memory);
    gpu->memory.allow_overrun = gpu->options.granules && !gpu->options.strict;
    gpu->memory_side =
        memory_side_new(&config, &gpu->clocks, m->gpu.sms, &gpu->memory, gpu->seed, err);
    gpu->textures = texture_table_new(err);
    if (!gpu->memory_side || !gpu->textures) return false;
    memory_side_no_skip(gpu->memory_side, gpu->options.no_skip);
    gpu->forward = memory_side_forward_latency(gpu->memory_side);
    gpu->quantum = (gpu->forward + memory_side_reply_latency(gpu->memory_side)) /
                   gpu->clocks.period[CLOCK_CORE];
    gpu->cycle = gpu->time.now = gpu->time.host = 1;
    // A quantum has at most one item of work per SM.
    if (gpu->options.threads > m->gpu.sms) gpu->options.threads = m->gpu.sms;
    if (gpu->options.threads > 1) {
        gpu->team = team_new(gpu->options.threads, gpu->options.shuffle, err);
        if (!gpu->team) return false;
    }
    return build_sms(gpu, err) && mechanisms_attach(gpu, err) &&
           launch_result_init(&gpu->total, m, 0, 0, err) &&
           launch_result_init(&gpu->functional, m, 0, 0, err) &&
           launch_result_init(&gpu->recent, m, 0, 0, err);
}

Gpu *gpu_new(const Machine *machine, const GpuOptions *options, uint64_t seed, HdError *err)
{
    Gpu *gpu = hd_new(1, sizeof *gpu);
    if (!gpu) {
        hd_fail_memory(err, "building the GPU");
        return NULL;
    }
    gpu->machine = *machine;
    gpu->options = *options;
    gpu->seed = seed;
    if (gpu_build(gpu, err)) return gpu;
    gpu_free(gpu);
    return NULL;
}

void gpu_free(Gpu *gpu)
{
    if (!gpu) return;
    team_free(gpu->team);
    if (gpu->sms)
        for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) sm_free(gpu->sms[i]);
    memory_side_free(gpu->memory_side);
    functional_free(gpu);
    mechanisms_free(gpu);
    mechanisms_free_sums(gpu->sums);
    for (size_t i = 0; i < gpu->result_count; i++) launch_result_free(&gpu->results[i]);
    launch_result_free(&gpu->total);
    launch_result_free(&gpu->functional);
    launch_result_free(&gpu->recent);
    modules_free(gpu);
    system_free_all(gpu);
    guest_free(&gpu->memory);
    texture_table_free(gpu->textures);
    void *rest[] = {gpu->sms, gpu->logs, gpu->stored, gpu->next, gpu->acting, gpu->order,
                    gpu->outcomes, gpu->stops, gpu->results, gpu->kernels, gpu->traced.text,
                    gpu->endless.changing, gpu->endless.by_sm};
    for (unsigned i = 0; i < sizeof rest / sizeof *rest; i++) free(rest[i]);
    free(gpu);
}

const Machine *gpu_machine(const Gpu *gpu) { return &gpu->machine; }
GuestMemory *gpu_memory(Gpu *gpu) { return &gpu->memory; }
bool gpu_each_cache(Gpu *gpu, CacheVisit *visit, void *self, HdError *err)
{
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++)
        if (!sm_each_cache(gpu->sms[i], visit, self, err)) return false;
    return memory_side_each_cache(gpu->memory_side, visit, self, err);
}

unsigned gpu_threads(const Gpu *gpu) { return gpu->team ? gpu->options.threads : 1; }
uint64_t gpu_quantum(const Gpu *gpu) { return gpu->quantum; }

const LaunchResult *gpu_results(const Gpu *gpu, size_t *count)
{
    *count = gpu->result_count;
    return gpu->results;
}

const LaunchResult *gpu_total(const Gpu *gpu) { return &gpu->total; }
const LaunchResult *gpu_functional(const Gpu *gpu) { return &gpu->functional; }

// ---- device memory ----

uint64_t gpu_memory_total(const Gpu *gpu) { return gpu->machine.path.capacity; }

uint64_t gpu_memory_free(const Gpu *gpu)
{
    uint64_t total = gpu_memory_total(gpu), taken = guest_bytes_in_use(&gpu->memory);
    return taken < total ? total - taken : 0;
}

static uint64_t fail_full(const Gpu *gpu, uint64_t bytes, const char *name, HdError *err)
{
    hd_fail(err, "the machine's memory is full: \"%s\" needs %" PRIu64 " bytes, and %" PRIu64
                 " of %" PRIu64 " (memory.capacity) are in use; use a smaller input, or --set a "
                 "larger memory.capacity",
            name, bytes, guest_bytes_in_use(&gpu->memory), gpu->machine.path.capacity);
    return 0;
}

uint64_t gpu_allocate(Gpu *gpu, uint64_t bytes, const char *name, HdError *err)
{
    return gpu_allocate_at_call_site(gpu, bytes, name, 0, err);
}

uint64_t gpu_allocate_at_call_site(Gpu *gpu, uint64_t bytes, const char *name, uint64_t site,
                                   HdError *err)
{
    uint64_t capacity = gpu->machine.path.capacity, live = gpu->memory.live;
    if (live > capacity || bytes > capacity - live)
        return fail_full(gpu, bytes, name, err);
    uint64_t address = guest_allocate_at(&gpu->memory, bytes, name, site, err);
    // The number of granules is known only after the allocation.
    if (!address || guest_bytes_in_use(&gpu->memory) <= capacity) return address;
    guest_release(&gpu->memory, address);
    return fail_full(gpu, bytes, name, err);
}

bool gpu_release(Gpu *gpu, uint64_t address, HdError *err)
{
    uint64_t start, bytes = 0;
    if (!guest_range(&gpu->memory, address, &start, &bytes) ||
        !guest_release(&gpu->memory, address))
        return hd_fail(err, "0x%" PRIx64 " is not the start of an allocation", address);
    mechanisms_on_release(gpu, address, bytes);
    return true;
}

// ---- a launch ----

// Whether SMs without an event run, too: their clocks are read, or mechanisms ask them.
static bool all_run(const Gpu *gpu)
{
    return gpu->options.no_skip || gpu->l1_hooks ||
           gpu->machine.launch.dispatch == DISPATCH_CYCLE;
}

// The core cycle of the SM's next event.
static inline uint64_t next_of(Gpu *gpu, unsigned sm)
{
    if (!gpu->next[sm] || gpu->l1_hooks) gpu->next[sm] = sm_next(gpu->sms[sm]);
    return gpu->next[sm];
}

bool skip_quanta(Gpu *gpu)
{
    uint64_t next = UINT64_MAX;
    bool acts = false;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        uint64_t at = next_of(gpu, i);
        bool can = at != UINT64_MAX;
        if (gpu->l1_hooks) can = (can || gpu->every_quantum) && sm_can_act(gpu->sms[i]);
        if (can && at < gpu->cycle + gpu->quantum) return true;
        acts |= can;
        if (at < next) next = at;
    }
    Tick memory = memory_side_next(gpu->memory_side);
    if (!acts && memory == TICK_NEVER) return false;
    if (memory != TICK_NEVER) {
        // The memory side runs ahead by the forward latency.
        uint64_t at = (memory - gpu->forward) / gpu->clocks.period[CLOCK_CORE];
        if (at < next) next = at;
    }
    if (!gpu->options.no_skip && !gpu->every_quantum && next > gpu->cycle)
        gpu->cycle += (next - gpu->cycle) / gpu->quantum * gpu->quantum;
    return true;
}

void note_stop(Gpu *gpu, unsigned sm)
{
    gpu->stops[sm] = (SmStop){sm_now(gpu->sms[sm]), sm_waits_for_dispatch(gpu->sms[sm])};
}

static void run_sm(void *context, unsigned item)
{
    Gpu *gpu = context;
    unsigned sm = gpu->order[item];
    SmOutcome *outcome = &gpu->outcomes[sm];
    outcome->ok =
        sm_run(gpu->sms[sm], gpu->until, !gpu->options.no_skip, &outcome->err);
    if (gpu->machine.launch.dispatch == DISPATCH_CYCLE) note_stop(gpu, sm);
    // Mechanisms are asked again before each quantum (next_of).
    gpu->next[sm] = outcome->ok && !gpu->l1_hooks ? sm_next(gpu->sms[sm]) : 0;
}

void order_acting(Gpu *gpu, unsigned count, uint64_t draw)
{
    memcpy(gpu->order, gpu->acting, count * sizeof *gpu->order);
    for (unsigned i = count; gpu->options.shuffle && i > 1; i--) {
        unsigned j = (unsigned)(random_draw(gpu->options.shuffle, 0, i, draw) % i),
                 swap = gpu->order[j];
        gpu->order[j] = gpu->order[i - 1];
        gpu->order[i - 1] = swap;
    }
}

// Finds the SMs that have to run in the quantum, and the order in which they do. Returns how many
// there are.
static unsigned find_acting(Gpu *gpu, uint64_t end)
{
    unsigned count = 0;
    bool all = all_run(gpu);
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (all || next_of(gpu, i) < end) gpu->acting[count++] = i;
    order_acting(gpu, count, end);
    return count;
}

// If several SMs failed, reports the earliest, independent of the order in which they ran. Returns
// its cycle; UINT64_MAX: none failed.
static uint64_t first_failure(Gpu *gpu, unsigned acting, HdError *err)
{
    const SmOutcome *first = NULL;
    uint64_t failed = UINT64_MAX;
    for (unsigned i = 0; i < acting; i++) {
        unsigned sm = gpu->acting[i];
        if (gpu->outcomes[sm].ok || sm_now(gpu->sms[sm]) >= failed) continue;
        first = &gpu->outcomes[sm];
        failed = sm_now(gpu->sms[sm]);
        gpu->fault = sm_fault_of(gpu->sms[sm]);
    }
    if (first && err) *err = first->err;
    return failed;
}

bool run_quantum(Gpu *gpu, LaunchState *s, HdError *err)
{
    uint64_t end = gpu->cycle + gpu->quantum;
    unsigned acting = find_acting(gpu, end), again;
    thread_memory_share(gpu, s);
    gpu->until = end;
    team_run(gpu->team, acting, run_sm, gpu);
    while ((again = dispatch_cycle(gpu, s, end))) team_run(gpu->team, again, run_sm, gpu);
    bool traced = trace_flush(gpu, err); // also if an SM has failed
    uint64_t failed = first_failure(gpu, acting, err);
    bool ok = failed == UINT64_MAX;
    if (ok && !thread_memory_count(gpu, err)) return false;
    if (!system_serve(gpu, failed, end, ok ? err : NULL) || !ok || !traced) return false;
    unsigned stored = 0;
    for (unsigned i = 0; i < acting; i++)
        if (!store_log_empty(gpu->logs[gpu->acting[i]]))
            gpu->stored[stored++] = gpu->logs[gpu->acting[i]];
    guest_commit(&gpu->memory, gpu->stored, stored);
    Tick horizon = clock_tick(&gpu->clocks, CLOCK_CORE, end) + gpu->forward;
    gpu->cycle = end;
    if (!memory_side_run(gpu->memory_side, horizon, gpu->team, err))
        return false;
    if (!gpu->l1_hooks) return true;
    mechanisms_on_quantum(gpu, s);
    return mechanisms_check_faults(gpu, err);
}

static bool launch_finished(const Gpu *gpu, const LaunchState *s)
{
    if (s->next_block < s->blocks || memory_side_busy(gpu->memory_side)) return false;
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (!sm_idle(gpu->sms[i])) return false;
    return true;
}

void show_progress(Gpu *gpu, const LaunchState *s)
{
    enum { QUANTA_PER_POLL = 64 };
    if (!gpu->options.progress || gpu->progress_polls++ % QUANTA_PER_POLL) return;
    double now = host_seconds();
    if (now - gpu->last_progress < 0.2) return;
    gpu->last_progress = now;
    gpu->watched = s;
    gpu->options.progress(gpu->options.progress_context, gpu->cycle - s->start, blocks_done(gpu),
                          s->blocks);
    gpu->watched = NULL;
}

static bool run_launch(Gpu *gpu, LaunchState *s, HdError *err)
{
    endless_begin(gpu, &s->endless, true);
    do {
        dispatch_quantum(gpu, s);
        if (!skip_quanta(gpu)) return launch_deadlocked(gpu, s, err);
        if (!launch_may_continue(gpu, s, err) || !run_quantum(gpu, s, err)) return false;
        show_progress(gpu, s);
        if (launch_is_cut(gpu, s)) return launch_cut(gpu, s, err);
        uint64_t now = gpu->cycle - s->start;
        if (now >= s->endless.next && !endless_look(gpu, s, now, err)) return false;
    } while (!launch_finished(gpu, s));
    return true;
}

typedef struct SmBegin {
    Gpu *gpu;
    const LaunchState *state;
} SmBegin;

static void begin_sm(void *context, unsigned sm)
{
    const SmBegin *begin = context;
    Gpu *gpu = begin->gpu;
    const LaunchState *s = begin->state;
    SmOutcome *outcome = &gpu->outcomes[sm];
    outcome->ok = sm_begin(gpu->sms[sm], &s->launch, gpu->cycle, s->allocations, s->pcs,
                           &outcome->err);
    note_stop(gpu, sm);
}

// Begins the launch on the SMs that take part.
static bool begin_sms(Gpu *gpu, const LaunchState *s, HdError *err)
{
    team_run(gpu->team, gpu->active_sms, begin_sm, &(SmBegin){gpu, s});
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        if (gpu->outcomes[i].ok) continue;
        if (err) *err = gpu->outcomes[i].err;
        return false;
    }
    return true;
}

bool gpu_launch(Gpu *gpu, const Launch *launch, HdError *err)
{
    if (gpu->failed) return hd_fail(err, "an earlier launch failed; this GPU cannot run another");
    LaunchState s = {0};
    if (!launch_prepare(gpu, launch, &s, err)) return false;
    gpu->fault = (SmFault){.kind = GPU_FAULT_HOST}; // unless the guest fails
    s.timed = launch_is_timed(gpu);
    launch_wait(gpu, launch, &s);
    s.launch.device_time = s.begins - s.start;
    if (!trace_begin(gpu, &s, err)) return false;
    gpu->cycle += gpu->machine.launch.latency;
    if (gpu->machine.launch.round_robin == ROUND_ROBIN_RESTART) gpu->next_sm = 0;
    // A grid smaller than the machine does not reach all SMs: each block goes to the next one
    // (dispatch.c), from next_sm on. With mechanisms all SMs are active, because their hooks are
    // called for every launch.
    unsigned sms = gpu->machine.gpu.sms;
    bool all = gpu->l1_hooks || SHADOW_BUILD || gpu->next_sm + s.blocks > sms;
    gpu->active_sms = all ? sms : gpu->next_sm + (unsigned)s.blocks;
    if (!begin_sms(gpu, &s, err)) return false;
    memset(gpu->next, 0, gpu->machine.gpu.sms * sizeof *gpu->next);
    if (s.timed) shadow_launch(gpu);
    mechanisms_on_kernel(gpu, &s, true);
    mechanisms_limit_blocks(gpu, &s);
    gpu->failed = !mechanisms_check_faults(gpu, err) ||
                  (s.timed ? !run_launch(gpu, &s, err) : !run_functional(gpu, &s, err));
    endless_end(gpu, &s.endless);
    mechanisms_on_kernel(gpu, &s, false);
    gpu->failed = gpu->failed || !mechanisms_check(gpu, err) || !launch_collect(gpu, &s, err);
    launch_result_free(&s.part);
    if (!gpu->failed) gpu->fault.kind = GPU_FAULT_NONE;
    return !gpu->failed;
}

GpuFault gpu_fault(const Gpu *gpu) { return gpu->fault.kind; }

bool gpu_fault_address(const Gpu *gpu, uint64_t *address)
{
    *address = gpu->fault.address;
    GpuFault kind = gpu->fault.kind;
    return (kind == GPU_FAULT_ADDRESS || kind == GPU_FAULT_MISALIGNED) &&
           *address != NO_FAULT_ADDRESS;
}
