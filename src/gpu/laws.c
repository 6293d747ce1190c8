// What must hold at the end of every launch: nothing is lost between counters that say the same
// thing in two ways, and nothing is left in a queue or table.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Laws {
    char *text;
    size_t size, used;
} Laws;

static void law(Laws *l, uint64_t left, uint64_t right, const char *what)
{
    if (left == right || l->used + 1 >= l->size) return;
    int n = snprintf(l->text + l->used, l->size - l->used, "  %s: %" PRIu64 " and %" PRIu64 "\n",
                     what, left, right);
    l->used += n > 0 ? (size_t)n : 0;
}

static void cache_laws(Laws *l, const CacheCounters *c, const char *what)
{
    law(l, c->accesses, c->hits + c->pending_hits + c->misses, what);
}

// A warp is in one state in each cycle; the waits for memory are there by who waits and by what
// for.
static void wait_laws(Laws *l, const LaunchRecord *r)
{
    uint64_t all = 0, memory = 0, waited = 0;
    for (size_t pc = 0; pc < r->pcs; pc++) {
        const PcCounters *c = &r->sm.pcs[pc];
        memory += c->wait_memory;
        all += c->wait_end + c->wait_ready + c->wait_memory + c->wait_dependency + c->wait_fetch +
               c->wait_barrier + c->wait_held;
        const WaitRow *row = waits_first(&r->sm.waited, pc);
        for (; row; row = waits_next(&r->sm.waited, row)) waited += waited_sum(&row->count);
    }
    law(l, all, r->sm.sm.warp_cycles, "cycles of warps by what they waited for, and in all");
    law(l, memory, waited, "waits for memory by who waited, and by what for");
}

// Over all launches so far, as mechanisms count; none is on its way.
static void copy_back_laws(Laws *l, const Gpu *gpu)
{
    CopyBackCounters c;
    gpu_copy_backs(gpu, &c);
    law(l, c.sent, c.arrived, "copy-backs sent and arrived");
    law(l, c.arrived, c.inserted + c.present + c.stale + c.declined + c.no_room,
        "copy-backs arrived, and what became of them");
}

// Where something is left of a launch that has ended, one line each.
static void nothing_left(Laws *l, const Gpu *gpu)
{
    for (unsigned i = 0; i < gpu->machine.gpu.sms && l->used + 1 < l->size; i++) {
        const char *what = sm_left(gpu->sms[i]);
        if (!what) continue;
        int n = snprintf(l->text + l->used, l->size - l->used, "  left on SM %u: %s\n", i, what);
        l->used += n > 0 ? (size_t)n : 0;
    }
    char memory[256];
    memory_side_describe(gpu->memory_side, memory, sizeof memory);
    if (!*memory || l->used + 1 >= l->size) return;
    int n = snprintf(l->text + l->used, l->size - l->used, "  left on the memory side: %s", memory);
    l->used += n > 0 ? (size_t)n : 0;
}

void gpu_check(const Gpu *gpu, const LaunchRecord *r, char *text, size_t size)
{
    Laws l = {text, size, 0};
    if (size) text[0] = 0;
    const Machine *m = &gpu->machine;
    const IssueCounters *i = &r->sm.issue;
    law(&l, r->sm.sm.warp_instructions, r->sm.sm.committed, "instructions issued and committed");
    uint64_t slots = i->issued + i->stall_memory + i->stall_dependency + i->stall_unit +
                     i->stall_lsu + i->stall_fetch + i->stall_barrier + i->stall_held +
                     i->idle;
    law(&l, slots, r->cycles * m->core.schedulers * m->gpu.sms,
        "issue slots by reason, and schedulers x cycles");
    law(&l, r->sm.sm.cycles, r->cycles * m->gpu.sms, "cycles accounted, and SMs x cycles");
    cache_laws(&l, &r->sm.l1d, "L1D accesses, and hits + pending hits + misses");
    cache_laws(&l, &r->sm.l1i, "L1I accesses, and hits + pending hits + misses");
    cache_laws(&l, &r->sm.l1c, "L1C accesses, and hits + pending hits + misses");
    cache_laws(&l, &r->l2, "L2 accesses, and hits + pending hits + misses");
    law(&l, r->icnt.packets_to_memory, r->icnt.requests_answered,
        "requests sent and requests answered");
    law(&l, r->dram.row_hits + r->dram.row_misses + r->dram.row_conflicts,
        r->dram.reads + r->dram.writes, "DRAM bursts by row state, and reads + writes");
    wait_laws(&l, r);
    copy_back_laws(&l, gpu);
    uint64_t arrays = 0, lanes = 0;
    for (size_t a = 0; a <= r->arrays; a++) arrays += r->sm.l1d_arrays[a].accesses;
    law(&l, arrays, r->sm.l1d.accesses, "L1D accesses by array, and in all");
    for (unsigned k = 0; k <= HD_MAX_LANES; k++) lanes += k * r->sm.lanes[k];
    law(&l, lanes, r->sm.sm.thread_instructions, "lanes x instructions, and thread instructions");
    nothing_left(&l, gpu);
}
