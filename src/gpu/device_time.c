// When a launch begins in device time. Launches run one after another, each alone on the GPU.
#include "gpu/gpu_internal.h"

STAT_TABLE(launch_table, LaunchCounters, LAUNCH_COUNTERS);

uint64_t launch_overhead(const LaunchCounters *c)
{
    return c->overhead_cycles + c->interval_cycles + c->latency_cycles;
}

uint64_t gpu_time(const Gpu *gpu) { return gpu->time.now; }

void gpu_host_waits(Gpu *gpu) { gpu->time.host = gpu->time.now; }

static void raise_to(uint64_t *time, uint64_t to)
{
    if (*time < to) *time = to;
}

void gpu_stream_waits(Gpu *gpu, GpuStream *stream, uint64_t time)
{
    raise_to(stream ? &stream->ready : &gpu->time.blocking, time);
}

// Blocks are dispatched at a core cycle, so a time is rounded up.
uint64_t core_cycles(const Machine *machine, uint64_t nanoseconds)
{
    unsigned __int128 scaled = (unsigned __int128)nanoseconds * machine->core.frequency;
    return (uint64_t)((scaled + 999999) / 1000000);
}

// The time at which the work has ended that a launch of the stream waits for. The default stream
// waits for all blocking streams, and they wait for it.
static uint64_t work_ended(const DeviceTime *time, const GpuStream *stream)
{
    uint64_t ended = stream ? stream->ready : time->blocking;
    if (stream && !stream->non_blocking) raise_to(&ended, time->of_default);
    return ended;
}

void launch_wait(Gpu *gpu, const Launch *launch, LaunchState *s)
{
    const LaunchConfig *config = &gpu->machine.launch;
    DeviceTime *time = &gpu->time;
    s->stream = launch->stream;
    s->begins = time->now;
    if (!s->timed) return;
    LaunchCounters *c = &s->between;
    c->launches = 1;
    c->latency_cycles = s->start - gpu->cycle;
    c->graph_launches = launch->in_graph;
    uint64_t overhead = core_cycles(&gpu->machine, launch->in_graph ? config->graph_overhead
                                                                    : config->overhead);
    // A launch that the host submits while others run waits for them in the GPU's queue, and is
    // prepared there: the overhead counts from what the launch depends on.
    uint64_t due = work_ended(time, launch->stream);
    raise_to(&due, time->host);
    due += overhead;
    c->overhead_cycles = due > time->now ? due - time->now : 0;
    c->hidden_cycles = overhead - c->overhead_cycles;
    raise_to(&due, time->now);
    if (!launch->in_graph) {
        // The host submits launches one after another without waiting for them.
        raise_to(&time->submitted, time->host);
        time->submitted += core_cycles(&gpu->machine, config->interval);
    }
    c->interval_cycles = time->submitted > due ? time->submitted - due : 0;
    s->begins += launch_overhead(c);
}

void launch_advance(Gpu *gpu, const LaunchState *s, uint64_t cycles)
{
    DeviceTime *time = &gpu->time;
    if (!s->timed) return;
    time->now = s->begins + cycles;
    if (s->stream) s->stream->ready = time->now;
    if (!s->stream) time->of_default = time->now;
    if (!s->stream || !s->stream->non_blocking) time->blocking = time->now;
}
