// The L1 data cache: its pipeline, the look-ups and fills, and what they send to the next level.
#include "core/l1/access_rows.h"
#include "core/l1/l1d_parts.h"

#include "base/memory.h"
#include "memory/warm_trace.h"

#include <stdlib.h>

// ---- life ----

void l1d_free(L1d *l1d)
{
    controller_free(&l1d->controller);
    free(l1d->pipe);
    free(l1d->answers);
}

bool l1d_begin(L1d *l1d, SmContext *sm, HdError *err)
{
    const SmLaunch *launch = sm->launch;
    CacheController *controller = &l1d->controller;
    l1d->due = UINT64_MAX;
    if (controller->cache && l1d->changes == launch->l1d_changes) {
        if (sm->config.path->invalidate_l1) cache_invalidate(controller->cache);
        return true;
    }
    if (controller->cache)
        cache_invalidate(controller->cache); // mechanisms see the eviction of each line
    l1d_free(l1d);
    l1d->config = launch->l1d;
    l1d->changes = launch->l1d_changes;
    l1d->pipe = NULL;
    l1d->answers = NULL;
    if (!controller_init(controller, &l1d->config, "l1d", &sm->tables, sm->seed, err) ||
        !cache_attach(controller->cache, l1d->hooks, err))
        return false;
    l1d->capacity = l1d->config.latency * sm->config.path->l1_banks;
    l1d->head = l1d->count = 0;
    l1d->pipe = hd_new(l1d->capacity, sizeof *l1d->pipe);
    bool answers = l1d->hooks && l1d->hooks->prefetches;
    l1d->first_answer = l1d->answer_count = 0;
    if (answers) l1d->answers = hd_new(l1d->config.latency + 1, sizeof *l1d->answers);
    if (l1d->pipe && (!answers || l1d->answers)) return true;
    return hd_fail_memory(err, "building an L1D");
}

// ---- requests ----

static void send_clean_victim(L1d *l1d, const CacheVictim *victim) __attribute__((noinline, cold));
static void send_clean_victim(L1d *l1d, const CacheVictim *victim)
{
    bool room = queue_room(&l1d->clean_victims);
    l1d->hooks->copied.sent += room;
    l1d->hooks->copied.dropped += !room;
    if (room)
        *queue_add(&l1d->clean_victims) =
            request_for_clean_victim(victim, l1d_sector_bytes(l1d));
}

void l1d_send_victim(L1d *l1d, const CacheVictim *victim)
{
    if (victim->copy_back) send_clean_victim(l1d, victim);
    if (!victim->dirty_sectors) return;
    l1d->writebacks_out++;
    *queue_add(&l1d->controller.misses) = request_for_victim(victim, l1d_sector_bytes(l1d));
}

// The request for an access that misses. fetch: as in CacheResult.sectors.
static void request_for_miss(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access,
                             uint8_t fetch, uint32_t token, MemRequest *request)
{
    request_for_access(op, access, token, l1d->fields, request);
    request->kind = memory_op_is_local(op) ? MEM_LOCAL_LOAD : MEM_LOAD;
    request->bytes = 0;
    request->sectors = l1d_fetched_sectors(l1d, access_address(&op->accesses[access]), fetch);
    request->wants_reply_tag = request->keeps = l1d->config.mode != CACHE_OFF;
    if (l1d->hooks) l1d_add_decisions(l1d, request);
    request->shadow = shadow_fetch(sm);
}

// ---- look-ups ----

// The look-up of an access, without its token and the room in the miss queue.
static inline CacheAccess cache_access_for(const MemoryOp *op, unsigned access)
{
    const CoalescedAccess *a = &op->accesses[access];
    bool store = mem_kind_writes(op->kind);
    return (CacheAccess){.address = access_address(a),
                         .write = store, .local = memory_op_is_local(op), .sectors = a->sectors,
                         .bytes = {store ? a->bytes[0] : 0, store ? a->bytes[1] : 0}};
}

typedef enum LookUp {
    LOOK_UP_STALLED,
    LOOK_UP_SENT, // the access waits for the next level
    LOOK_UP_ANSWERED
} LookUp;

static LookUp look_up(L1d *l1d, SmContext *sm, MemoryOp *op, uint32_t token)
{
    unsigned number = token_access(token);
    CacheController *controller = &l1d->controller;
    RequestQueue *misses = &controller->misses;
    CacheAccess access = cache_access_for(op, number);
    access.token = token;
    access.room = (uint8_t)queue_room(misses);
    if (l1d->hooks) l1d_describe_access(l1d, sm, op, number);
    access.shadow = shadow_l1_store(sm, l1d, op, number);
    CacheResult result;
    controller_access(controller, &access, (CacheUser){sm->now, op, number}, &result);
    if (result.outcome == CACHE_STALLED) {
        if (cache_out_of_memory(controller->cache))
            sm_out_of_memory(sm, "recording the lines of the L1D");
        return LOOK_UP_STALLED;
    }
    rows_on_access(sm, op, number, result.outcome);
    l1d_send_victim(l1d, &result.victim);
    if (result.fetch) {
        MemRequest *request = queue_add(misses);
        request_for_miss(l1d, sm, op, number, result.sectors, token, request);
        request->direct = result.direct;
        if (l1d->hooks) l1d_fetch_values(l1d, sm, request);
    }
    if (result.pending_fetches) memory_op_expect(op, number, result.pending_fetches);
    if (result.forwards_write) {
        request_for_access(op, number, token, l1d->fields, queue_add(misses));
        return LOOK_UP_SENT;
    }
    return access.write || result.outcome == CACHE_HIT ? LOOK_UP_ANSWERED : LOOK_UP_SENT;
}

// The access in front of the tags.
static inline L1Access first_access(const L1d *l1d)
{
    if (!l1d->hold) return l1d->pipe[l1d->head];
    const HdHeld *first = hold_first(l1d->hold);
    return (L1Access){.op = first->instruction, .access = (uint8_t)first->access};
}

static inline void leave_pipe(L1d *l1d)
{
    if (++l1d->head == l1d->capacity) l1d->head = 0;
    l1d->count--;
}

// The access in front of the tags is tried again, or another takes its place: its stall has ended.
static inline void end_stall(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access)
{
    CacheController *controller = &l1d->controller;
    uint64_t cycles = controller_end_stall(controller, (CacheUser){sm->now, op, access});
    if (cycles) rows_on_stall(sm, op, access, controller->stall.reason, cycles);
}

// An access that comes may be the next one, in place of one that stalls.
void l1d_hold(L1d *l1d, SmContext *sm, const MemoryOps *ops)
{
    L1Hold *hold = l1d->hold;
    for (unsigned i = 0; i < sm->config.path->l1_banks && !hold->waits; i++) {
        if (!l1d->count || l1d->pipe[l1d->head].ready > sm->now) return;
        L1Access due = l1d->pipe[l1d->head], before = {0};
        if (hold->seen.held) before = first_access(l1d);
        l1d_describe_access(l1d, sm, &ops->items[due.op], due.access);
        if (!hold_push(hold, due.op, due.access)) return;
        leave_pipe(l1d);
        L1Access next = first_access(l1d);
        if (before.op == next.op && before.access == next.access) continue;
        if (before.op) end_stall(l1d, sm, &ops->items[before.op], before.access);
        l1d->controller.stall.blocked = false;
    }
}

// The usual look-up: a load that hits, while nothing watches the cache.
static inline bool hits(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access)
{
    if (mem_kind_writes(op->kind) ||
        !controller_load_hits(&l1d->controller, access_address(&op->accesses[access])))
        return false;
    rows_on_access(sm, op, access, CACHE_HIT);
    return true;
}

// A look-up is done.
static inline void count_look_up(L1d *l1d, const SmContext *sm)
{
    if (l1d->last_cycle != sm->now) l1d->look_ups = 0;
    l1d->last_cycle = sm->now;
    l1d->look_ups++;
}

// Apart, so that a hit needs no large frame.
static bool look_up_further(L1d *l1d, SmContext *sm, MemoryOps *ops, uint32_t *token)
    __attribute__((noinline));
static bool look_up_further(L1d *l1d, SmContext *sm, MemoryOps *ops, uint32_t *token)
{
    L1Access head = first_access(l1d);
    MemoryOp *item = &ops->items[head.op];
    *token = access_token(head.op, head.access);
    end_stall(l1d, sm, item, head.access);
    bool hold = l1d->hold;
    LookUp outcome = hold && hits(l1d, sm, item, head.access) ? LOOK_UP_ANSWERED
                                                              : look_up(l1d, sm, item, *token);
    if (outcome == LOOK_UP_STALLED) return false;
    if (hold) hold_pop(l1d->hold);
    else leave_pipe(l1d);
    count_look_up(l1d, sm);
    return outcome == LOOK_UP_ANSWERED;
}

bool l1d_look_up(L1d *l1d, SmContext *sm, MemoryOps *ops, uint32_t *token)
{
    if (l1d->hold) return look_up_further(l1d, sm, ops, token);
    const L1Access *head = &l1d->pipe[l1d->head];
    const MemoryOp *item = &ops->items[head->op];
    if (l1d->controller.stall.uncounted || !hits(l1d, sm, item, head->access))
        return look_up_further(l1d, sm, ops, token);
    *token = access_token(head->op, head->access);
    leave_pipe(l1d);
    count_look_up(l1d, sm);
    return true;
}

// ---- fills ----

unsigned l1d_fill(L1d *l1d, SmContext *sm, const MemReply *reply)
{
    CacheVictim victim;
    unsigned fills = l1d_is_sectored(l1d) ? lanes_count(reply->sectors) : 1;
    unsigned users = controller_fill(&l1d->controller, mem_reply_address(reply), fills, sm->now,
                                     reply, &victim);
    l1d_send_victim(l1d, &victim);
    return users;
}

// ---- functional accesses ----

static void warm_access(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access,
                        const FunctionalMemory *memory)
{
    CacheAccess look_up = cache_access_for(op, access);
    if (l1d->hooks) l1d_describe_access(l1d, sm, op, access);
    CacheResult result = cache_access_warm(l1d->controller.cache, &look_up);
    if (l1d->hooks) cache_hooks_on_insert(l1d->hooks, &l1d->hooks->access);
    MemRequest request;
    if (result.victim.dirty_sectors) {
        request = request_for_victim(&result.victim, l1d_sector_bytes(l1d));
        memory->request(memory->receiver, &request);
    }
    if (result.victim.copy_back) {
        request = request_for_clean_victim(&result.victim, l1d_sector_bytes(l1d));
        memory->request(memory->receiver, &request);
    }
    if (result.fetch) {
        request_for_miss(l1d, sm, op, access, result.sectors, 0, &request);
        uint32_t version = memory->request(memory->receiver, &request);
        if (l1d->hooks) l1d_warm_fill(l1d, sm, &request, version);
    }
    if (result.forwards_write) {
        request_for_access(op, access, 0, l1d->fields, &request);
        memory->request(memory->receiver, &request);
    }
}

void l1d_warm(L1d *l1d, SmContext *sm, const MemoryOp *op, const FunctionalMemory *memory)
{
    bool lines = memory->trace && warm_trace_has_l1d(memory->trace);
    for (unsigned i = 0; lines && i < op->count;) {
        WarmLine line;
        warm_line_next(op, &i, &line);
        warm_trace_add(memory->trace, TRACE_L1D, &line);
    }
    for (unsigned i = 0; !lines && i < op->count; i++) warm_access(l1d, sm, op, i, memory);
}
