// An SM as a whole: its cycle, how it skips the ones in which nothing happens, and its launches.
#include "core/its.h"
#include "core/sm_internal.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one cycle ----

// The result of instruction `index` of a function, not of a load. A call or return may have waited
// for it beside loads, and so may the access to an atomic's line, which tries again.
static void write_back(Sm *sm, Warp *w, uint32_t function, uint32_t index)
{
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_written(trace, sm, function, index);
    bool waits = w->state == WARP_MEMORY;
    uint64_t cycles = sm->now - w->since;
    scoreboard_release(sm, w, &sm->launch->module->functions[function].timing[index]);
    if (waits && w->state != WARP_MEMORY)
        warp_waited(sm, sm->launch->pc_base[function] + index, (uint32_t)sm->arrays, WAIT_RESULT,
                    cycles);
}

static void run_event(Sm *sm, const Event *event)
{
    Warp *w = &sm->warps[event->warp];
    switch ((EventType)event->type) {
    case EVENT_WRITEBACK: write_back(sm, w, event->a, event->b); return;
    case EVENT_FETCHED: frontend_fetched(sm, w, event->a, event->b); return;
    case EVENT_FLUSHED:
        w->fetching = false;
        frontend_want(sm, w);
        return;
    case EVENT_LSU_READY: lsu_push(sm, event->a); return;
    case EVENT_DATA: record_answered(sm, event->a, (MemLevel)event->b); return;
    case EVENT_PREFETCH: lsu_prefetch(sm); return;
    case EVENT_WAKE:
        if (w->its) {
            its_woken(sm, w, event->a);
            return;
        }
        warp_pass_barrier(sm, w);
        store_woken(sm, w);
        return;
    }
}

static void run_events(Sm *sm)
{
    uint32_t first = wheel_take(&sm->wheel, sm->now);
    for (uint32_t i = first; i;) {
        Event event = sm->wheel.events[i]; // the pool may move while events set others
        run_event(sm, &event);
        i = event.next;
    }
    wheel_release(&sm->wheel, first);
}

bool sm_start_block(Sm *sm)
{
    if (!sm->queued_count || sm->blocks_live >= sm->block_limit) return true;
    uint64_t block = sm->queued_blocks[sm->queued_head];
    sm->queued_head = (sm->queued_head + 1) % sm->queued_capacity;
    sm->queued_count--;
    return block_start(sm, block);
}

// Has this SM anything that could act on its own?
static bool has_work(const Sm *sm)
{
    return sm->blocks_live || sm->queued_count || sm->wheel.pending || sm->queued;
}

// Slots are accounted while blocks are here; the time between them is when the next one comes.
static void sm_cycle(Sm *sm)
{
    bool busy = sm->blocks_live || sm->queued_count;
    if (busy) issue_account_idle(sm, sm->now);
    run_events(sm);
    network_receive(sm);
    lsu_cycle(sm);
    network_send(sm);
    sm_start_block(sm);
    if (sm->failed || !busy) return;
    if (sm->hold.on) hold_cycle(sm);
    issue_cycle(sm);
    frontend_cycle(sm);
}

// What acts most often is asked first: nothing can be sooner than the next cycle.
static uint64_t next_event(const Sm *sm)
{
    uint64_t soonest = sm->now + 1, next = UINT64_MAX, other;
    if (has_work(sm)) {
        if (frontend_busy(sm)) return soonest;
        if (sm->queued_count && sm->blocks_live < sm->block_limit) return soonest;
        next = issue_next(sm);
        if (next == soonest) return next;
        other = lsu_next(sm);
        if (other < next) next = other;
        if (next == soonest) return next;
    }
    other = wheel_next(&sm->wheel);
    if (other < next) next = other;
    other = network_next(sm);
    return other < next ? other : next;
}

uint64_t sm_next(const Sm *sm)
{
    uint64_t next = next_event(sm);
    if (!sm->hold.on) return next;
    uint64_t ask = hold_next(sm);
    return ask < next ? ask : next;
}

bool sm_can_act(const Sm *sm)
{
    return next_event(sm) != UINT64_MAX || (sm->hold.on && (sm->hold.stale || hold_any(sm)));
}

bool sm_run(Sm *sm, uint64_t until, bool skip, HdError *err)
{
    sm->err = err;
    while (!sm->failed) {
        uint64_t next = skip ? sm_next(sm) : sm->now + 1;
        if (next >= until) break;
        sm->now = next;
        sm_cycle(sm);
    }
    if (sm->failed) return false;
    sm->now = until - 1;
    Inbox *in = &sm->inbox;
    if (in->reply_head == in->reply_count) in->reply_head = in->reply_count = 0;
    if (in->credit_head == in->credit_count) in->credit_head = in->credit_count = 0;
    return true;
}

uint64_t sm_now(const Sm *sm) { return sm->now; }
SmFault sm_fault_of(const Sm *sm) { return sm->fault; }

// ---- life ----

static bool port_init(PortState *port, unsigned latches, unsigned collectors, unsigned units)
{
    *port = (PortState){.latch = hd_new(latches, 8), .collector = hd_new(collectors, 8),
                        .unit = hd_new(units, 8), .latches = latches, .collectors = collectors,
                        .units = units};
    return port->latch && port->collector && port->unit;
}

static void assign_ports(Sm *sm)
{
    bool dp = sm->config.units->dp != 0;
    for (unsigned c = 0; c < OP_CLASSES; c++) sm->port_of[c] = PORT_SP;
    for (unsigned c = CLASS_DP_ADD; c <= CLASS_DP_DIV; c++)
        sm->port_of[c] = dp ? PORT_DP : PORT_SFU;
    sm->port_of[CLASS_SFU] = sm->port_of[CLASS_INT_DIV] = sm->port_of[CLASS_FP_DIV] = PORT_SFU;
    sm->port_of[CLASS_LOAD] = sm->port_of[CLASS_STORE] = sm->port_of[CLASS_ATOMIC] = PORT_MEM;
    sm->port_of[CLASS_TEXTURE] = PORT_MEM;
}

static bool ports_init(Sm *sm)
{
    const OperandConfig *c = sm->config.operand;
    const UnitConfig *u = sm->config.units;
    sm->bank_free = hd_new(c->banks, sizeof *sm->bank_free);
    sm->mem_room = c->ports_mem + c->mem + 1; // latch, collectors, and the latch behind them
    sm->lsu_capacity = sm->mem_room + 1;
    sm->lsu_queue = hd_new(sm->lsu_capacity, sizeof *sm->lsu_queue);
    return sm->bank_free && sm->lsu_queue &&
           port_init(&sm->port[PORT_SP], c->ports_sp, c->sp, u->sp) &&
           port_init(&sm->port[PORT_SFU], c->ports_sfu, c->sfu, u->sfu) &&
           port_init(&sm->port[PORT_DP], c->ports_dp, c->dp, u->dp ? u->dp : 1) &&
           port_init(&sm->port[PORT_MEM], c->ports_mem, c->mem, 1);
}

static bool side_init(Sm *sm, SideCache *side, const CacheConfig *config, const char *name,
                      HdError *err)
{
    side->line = config->line;
    side->cache = cache_new(config, name, sm->seed, err);
    return side->cache && queue_init(&side->misses, config->miss_queue, &sm->queued);
}

static uint32_t most_merges(const SmConfig *c)
{
    uint32_t most = c->l1d->mshr_merges;
    if (c->l1i->mshr_merges > most) most = c->l1i->mshr_merges;
    if (c->l1c->mshr_merges > most) most = c->l1c->mshr_merges;
    return c->l1r->mshr_merges > most ? c->l1r->mshr_merges : most;
}

static bool sm_allocate(Sm *sm, HdError *err)
{
    const SmConfig *c = &sm->config;
    unsigned warps = c->core->threads / c->core->width;
    unsigned per_scheduler = (unsigned)divide_up(warps, c->core->schedulers);
    if (warps > WARPSET_MOST)
        return hd_fail(err,
                       "core.threads / core.width gives %u warps per SM, at most %d are modelled",
                       warps, WARPSET_MOST);
    sm->schedulers = c->core->schedulers;
    sm->set_words = (per_scheduler + 63) / 64;
    sm->warps = hd_new_aligned(warps, sizeof *sm->warps, 64);
    sm->blocks = hd_new(c->core->blocks, sizeof *sm->blocks);
    sm->scheduler = hd_new(sm->schedulers, sizeof *sm->scheduler);
    sm->queued_capacity = c->core->blocks + c->launch->queue;
    sm->queued_blocks = hd_new(sm->queued_capacity, sizeof *sm->queued_blocks);
    sm->credits = hd_new(sm->slices, sizeof *sm->credits);
    sm->fill_tokens = hd_new(most_merges(c), sizeof *sm->fill_tokens);
    sm->log = store_log_new(err);
    bool ok = sm->warps && sm->blocks && sm->scheduler && sm->queued_blocks && sm->credits &&
              sm->fill_tokens && sm->log && ports_init(sm) && wheel_init(&sm->wheel) &&
              queue_init(&sm->l1d_misses, c->l1d->miss_queue, &sm->queued) &&
              queue_init(&sm->bypass, c->l1d->miss_queue, &sm->queued) && frontend_init(sm);
    if (!ok) return err && err->set ? false : hd_fail_memory(err, "building an SM");
    for (unsigned s = 0; s < sm->slices; s++) sm->credits[s] = c->icnt->credits;
    return side_init(sm, &sm->l1i, c->l1i, "l1i", err) &&
           side_init(sm, &sm->l1c, c->l1c, "l1c", err) &&
           side_init(sm, &sm->l1r, c->l1r, "l1r", err);
}

Sm *sm_new(const SmConfig *config, const Clocks *clocks, unsigned id, unsigned slices,
           unsigned (*slice_of)(const void *memory_side, uint64_t address), const void *memory_side,
           GuestMemory *guest, uint64_t seed, HdError *err)
{
    Sm *sm = hd_new_aligned(1, sizeof *sm, 64);
    if (!sm) {
        hd_fail_memory(err, "building an SM");
        return NULL;
    }
    sm->config = *config;
    sm->clocks = clocks;
    sm->id = id;
    sm->slices = slices;
    sm->slice_of = slice_of;
    sm->memory_side = memory_side;
    sm->guest = guest;
    sm->seed = seed;
    assign_ports(sm);
    if (sm_allocate(sm, err)) return sm;
    sm_free(sm);
    return NULL;
}

static void tables_free(SmTables *t)
{
    free(t->l1d_allocations);
    free(t->pcs);
    free(t->waited.lists);
    t->waited.lists = NULL;
}

static void records_free(Sm *sm)
{
    for (uint32_t i = 1; i < sm->record_capacity; i++) {
        free(sm->records[i].accesses);
        shadow_store_free(&sm->records[i].shadow);
        free(sm->records[i].atomics);
    }
    free(sm->records);
}

void sm_free(Sm *sm)
{
    if (!sm) return;
    shadow_sm_free(sm);
    system_free(sm);
    blocks_free(sm);
    records_free(sm);
    tables_free(&sm->count);
    free(sm->count.waited.rows);
    wheel_free(&sm->wheel);
    store_log_free(sm->log);
    istore_free(&sm->istore);
    cache_free(sm->l1d);
    SideCache *sides[] = {&sm->l1i, &sm->l1c, &sm->l1r};
    for (unsigned i = 0; i < 3; i++) {
        cache_free(sides[i]->cache);
        free(sides[i]->misses.items);
    }
    for (unsigned p = 0; p < PORTS; p++) {
        free(sm->port[p].latch);
        free(sm->port[p].collector);
        free(sm->port[p].unit);
    }
    void *rest[] = {sm->warps, sm->blocks, sm->scheduler, sm->queued_blocks, sm->credits,
                    sm->fill_tokens, sm->bank_free, sm->lsu_queue, sm->l1_pipe,
                    sm->l1d_misses.items, sm->bypass.items, sm->copy_backs.items,
                    sm->outbox.items, sm->inbox.replies,
                    sm->inbox.credits, sm->array_hint};
    for (unsigned i = 0; i < sizeof rest / sizeof *rest; i++) free(rest[i]);
    free(sm);
}

Outbox *sm_outbox(Sm *sm) { return &sm->outbox; }
Inbox *sm_inbox(Sm *sm) { return &sm->inbox; }
StoreLog *sm_store_log(Sm *sm) { return sm->log; }

// ---- launches ----

bool sm_attach(Sm *sm, CacheHooks *hooks, HdError *err)
{
    sm->l1_hooks = hooks;
    sm->hold.on = core_hooks_want(hooks, CORE_ALLOW);
    if (!hooks || !hooks->queue || queue_init(&sm->copy_backs, hooks->queue, &sm->queued))
        return true;
    return hd_fail_memory(err, "attaching mechanisms");
}

void sm_decide_block_limit(Sm *sm, const HdKernel *kernel)
{
    sm->block_limit = core_hooks_limit(sm->l1_hooks, kernel, sm->block_places);
}

unsigned sm_block_limit(const Sm *sm) { return sm->block_limit; }

void sm_tag_requests_with_warps(Sm *sm) { sm->names_warps = true; }

static bool l1d_renew(Sm *sm, const SmLaunch *launch, HdError *err)
{
    if (sm->l1d && sm->l1d_changes == launch->l1d_changes) {
        if (sm->config.path->invalidate_l1) cache_invalidate(sm->l1d);
        return true;
    }
    if (sm->l1d) cache_invalidate(sm->l1d); // mechanisms hear of it
    cache_free(sm->l1d);
    free(sm->l1_pipe);
    sm->l1d_config = launch->l1d;
    sm->l1d_changes = launch->l1d_changes;
    sm->l1d = cache_new(&sm->l1d_config, "l1d", sm->seed, err);
    if (sm->l1d && !cache_attach(sm->l1d, sm->l1_hooks, err)) return false;
    sm->l1_capacity = launch->l1d.latency * sm->config.path->l1_banks;
    sm->l1_head = sm->l1_count = 0;
    sm->l1_pipe = hd_new(sm->l1_capacity, sizeof *sm->l1_pipe);
    if (sm->l1d && !sm->l1_pipe) hd_fail_memory(err, "building an L1D");
    return sm->l1d && sm->l1_pipe;
}

// New tables of that size. Their rows' room for waits serves again.
static bool tables_new(Sm *sm, size_t arrays, size_t pcs)
{
    tables_free(&sm->count);
    sm->count.l1d_allocations = NULL;
    sm->count.pcs = NULL;
    if (!waits_init(&sm->count.waited, pcs)) return false;
    sm->count.l1d_allocations = hd_new(arrays + 1, sizeof *sm->count.l1d_allocations);
    sm->count.pcs = hd_new(pcs, sizeof *sm->count.pcs);
    free(sm->array_hint);
    sm->array_hint = hd_new(pcs, sizeof *sm->array_hint);
    sm->arrays = arrays;
    sm->pcs = pcs;
    sm->first_pc = 0;
    sm->end_pc = pcs;
    return sm->count.l1d_allocations && sm->count.pcs && sm->array_hint;
}

// Empties what the last launch may have counted (sm_collect has the rows of arrays); its tables
// stay where their size does.
static bool tables_renew(Sm *sm, const SmLaunch *launch, size_t arrays, size_t pcs)
{
    SmTables *count = &sm->count;
    bool fit = count->pcs && sm->arrays == arrays && sm->pcs == pcs;
    if (!fit && !tables_new(sm, arrays, pcs)) return false;
    size_t first = sm->first_pc, rows = sm->end_pc - first;
    if (fit) {
        memset(&count->pcs[first], 0, rows * sizeof *count->pcs);
        waits_clear(&count->waited, first, sm->end_pc);
    }
    memset(&sm->array_hint[first], 0xff, rows * sizeof *sm->array_hint);
    *count = (SmTables){.l1d_allocations = count->l1d_allocations, .pcs = count->pcs,
                        .waited = count->waited};
    sm->links = (LinkFlits){0};
    memset(&sm->l1i.count, 0, sizeof sm->l1i.count);
    memset(&sm->l1c.count, 0, sizeof sm->l1c.count);
    memset(&sm->l1r.count, 0, sizeof sm->l1r.count);
    sm->first_pc = launch->first_pc;
    sm->end_pc = launch->end_pc;
    return true;
}

bool sm_begin(Sm *sm, const SmLaunch *launch, uint64_t start, size_t arrays, size_t pcs,
              HdError *err)
{
    sm->err = err;
    sm->launch = launch;
    sm->functional = false;
    sm->now = start - 1;
    sm->wheel.now = start - 1;
    sm->accounted = start;
    sm->blocks_done = 0;
    sm->last_end = start;
    sm->fetch_last = sm->lookup_last = 0;
    sm->block_limit = launch->blocks_per_sm;
    hold_begin(sm);
    sm->first_scheduler = 0;
    for (unsigned s = 0; s < sm->schedulers; s++) {
        sm->scheduler[s].last = 0;
        memset(&sm->scheduler[s].active, 0, sizeof sm->scheduler[s].active);
        sm->scheduler[s].active_count = 0;
    }
    if (!tables_renew(sm, launch, arrays, pcs)) return hd_fail_memory(err, "beginning a launch");
    if (sm->config.path->invalidate_l1) cache_invalidate(sm->l1r.cache);
    return l1d_renew(sm, launch, err) && blocks_allocate(sm);
}

unsigned sm_blocks_held(const Sm *sm) { return sm->blocks_live + sm->queued_count; }
uint64_t sm_blocks_done(const Sm *sm) { return sm->blocks_done; }
uint64_t sm_instructions(const Sm *sm)
{
    uint64_t sum = 0;
    for (size_t pc = sm->first_pc; pc < sm->end_pc; pc++) sum += sm->count.pcs[pc].issued;
    return sum;
}

uint64_t sm_last_end(const Sm *sm) { return sm->last_end; }

void sm_queue_block(Sm *sm, uint64_t block)
{
    sm->queued_blocks[(sm->queued_head + sm->queued_count++) % sm->queued_capacity] = block;
}

bool sm_idle(const Sm *sm)
{
    return !has_work(sm) && !sm->records_live && !sm->writebacks_out && !sm->copy_backs.count &&
           sm->inbox.reply_head == sm->inbox.reply_count && !cache_mshr_used(sm->l1i.cache) &&
           !cache_mshr_used(sm->l1d);
}

static bool store_in_use(const InstructionStore *store)
{
    for (uint32_t i = 0; store->entries && i < store->sets * store->ways; i++)
        if (store->entries[i].references || store->entries[i].claim) return true;
    return false;
}

const char *sm_leftover(const Sm *sm)
{
    const struct {
        bool left;
        const char *what;
    } places[] = {
        {sm->blocks_live || sm->queued_count, "blocks"},
        {sm->warps_live, "warps"},
        {sm->wheel.pending, "events"},
        {sm->mem_taken, "memory instructions in front of the load/store unit"},
        {sm->lsu_count || sm->lsu_current, "memory instructions in the load/store unit"},
        {sm->l1_count, "accesses in the L1D's pipeline"},
        {sm->records_live, "memory instructions without an answer"},
        {cache_mshr_used(sm->l1d), "MSHR entries of the L1D"},
        {cache_mshr_used(sm->l1i.cache), "MSHR entries of the L1I"},
        {cache_mshr_used(sm->l1c.cache), "MSHR entries of the L1C"},
        {cache_mshr_used(sm->l1r.cache), "MSHR entries of the L1R"},
        {sm->l1d_misses.count || sm->bypass.count, "requests of the load/store unit"},
        {sm->l1i.misses.count || sm->l1c.misses.count || sm->l1r.misses.count,
         "requests for instructions, constants or read-only data"},
        {sm->writebacks_out, "write-backs without an acknowledgement"},
        {sm->copy_backs.count, "copy-backs"},
        {sm->outbox.count, "requests that the memory side has not taken"},
        {sm->inbox.reply_head != sm->inbox.reply_count, "replies that were not taken"},
        {!store_log_empty(sm->log), "stores that memory has not taken"},
        {store_in_use(&sm->istore), "references into the instruction store"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].left) return places[i].what;
    return NULL;
}

bool sm_collect(Sm *sm, uint64_t end, SmTables *total)
{
    issue_account_idle(sm, end);
    SmTables *c = &sm->count;
    for (size_t pc = sm->first_pc; pc < sm->end_pc; pc++) {
        c->sm.warp_instructions += c->pcs[pc].issued;
        c->sm.thread_instructions += c->pcs[pc].lanes;
        stats_add(&pc_table, &total->pcs[pc], &c->pcs[pc]);
    }
    for (size_t a = 0; a <= sm->arrays; a++)
        access_move(&total->l1d_allocations[a], &c->l1d_allocations[a]);
    stats_add(&issue_table, &total->issue, &c->issue);
    stats_add(&sm_table, &total->sm, &c->sm);
    stats_add(&cache_table, &total->l1d, &c->l1d);
    stats_add(&cache_table, &total->l1i, &sm->l1i.count);
    stats_add(&cache_table, &total->l1c, &sm->l1c.count);
    stats_add(&cache_table, &total->l1r, &sm->l1r.count);
    for (unsigned i = 0; i <= HD_MAX_LANES; i++) {
        total->lanes[i] += c->lanes[i];
        total->requests[i] += c->requests[i];
    }
    return waits_add(&total->waited, &c->waited, sm->first_pc, sm->end_pc, (uint32_t)sm->arrays,
                     (uint32_t)sm->arrays);
}

LinkFlits sm_links(const Sm *sm) { return sm->links; }

// ---- the deadlock report ----

void sm_describe(const Sm *sm, char *text, size_t size)
{
    static const char *const states[] = {"ended, memory operations not answered",
                                         "ready",
                                         "waits for a load or atomic",
                                         "waits for a result",
                                         "waits for its instruction",
                                         "stands at a barrier or fence",
                                         "held back by a mechanism"};
    size_t at = 0;
    text[0] = 0;
    for (unsigned i = 0; i < sm->warp_places && at + 1 < size; i++) {
        const Warp *w = &sm->warps[i];
        const Block *block = &sm->blocks[w->block];
        if (!block->live || (!w->live && !w->loads_out && !w->stores_out && !w->atomics_out))
            continue;
        const uint32_t *b = block->exec.index;
        if (w->live && w->its) {
            char who[128];
            snprintf(who, sizeof who, "  SM %u, block (%u,%u,%u), warp %u", sm->id, b[0], b[1],
                     b[2], w->exec.warp_in_block);
            at += its_describe(w, sm->launch->module, who, text + at, size - at);
            continue;
        }
        // A warp at a barrier has gone past it.
        bool barrier = w->at_barrier && w->barrier < BLOCK_BARRIERS;
        uint32_t pc = barrier ? w->barrier_pc : w->pc;
        // Without time there is nothing else to wait for.
        WarpState state = sm->functional && !w->at_barrier ? WARP_READY : w->state;
        char line[FAULT_LINE];
        fault_line(sm->launch->module, &w->timing[pc], line);
        int n = w->live
                    ? snprintf(text + at, size - at,
                               "  SM %u, block (%u,%u,%u), warp %u: %s at line %s, lanes %08x\n",
                               sm->id, b[0], b[1], b[2], w->exec.warp_in_block, states[state],
                               line, w->exec.active)
                    : snprintf(text + at, size - at, "  SM %u, block (%u,%u,%u), warp %u: %s\n",
                               sm->id, b[0], b[1], b[2], w->exec.warp_in_block, states[0]);
        at += n > 0 ? (size_t)n : 0;
    }
}

bool sm_diverged(const Sm *sm)
{
    for (unsigned i = 0; i < sm->warp_places; i++) {
        const Warp *w = &sm->warps[i];
        if (sm->blocks[w->block].live && w->live && !w->its && w->depth > 1) return true;
    }
    return false;
}
