// The L1 data cache: its pipeline, the look-ups and fills, and what they send to the next level.
#include "core/l1/access_rows.h"
#include "core/l1/l1d_parts.h"

#include "base/memory.h"
#include "memory/warm_batch.h"

#include <stdlib.h>

// ---- life ----

static void free_cache(L1d *l1d)
{
    controller_free_cache(&l1d->controller);
    free(l1d->pipe);
    free(l1d->answers);
}

void l1d_free(L1d *l1d)
{
    free_cache(l1d);
    controller_free(&l1d->controller);
}

bool l1d_begin(L1d *l1d, SmContext *context, HdError *err)
{
    const SmLaunch *launch = context->launch;
    CacheController *controller = &l1d->controller;
    l1d->due = UINT64_MAX;
    if (controller->cache && l1d->changes == launch->l1d_changes) {
        if (context->config.path->invalidate_l1) controller_invalidate(controller, context->now);
        return true;
    }
    if (controller->cache)
        controller_invalidate(controller, context->now); // mechanisms see that each line leaves
    free_cache(l1d);
    l1d->config = launch->l1d;
    l1d->pipe = NULL;
    l1d->answers = NULL;
    if (!controller_init(controller, &l1d->config, "l1d", &context->tables, context->seed, err) ||
        !cache_attach(controller->cache, l1d->hooks, err))
        return false;
    if (l1d->hooks && context->config.dram->drop_prefetches &&
        !queue_init(&l1d->refetches, l1d->config.mshr_entries, &context->tables))
        return hd_fail_memory(err, "building an L1D");
    l1d->capacity = l1d->config.latency * context->config.path->l1_banks;
    l1d->head = l1d->runs = l1d->count = 0;
    l1d->pipe = hd_new(l1d->capacity, sizeof *l1d->pipe);
    bool answers = l1d->hooks && l1d->hooks->prefetches;
    l1d->first_answer = l1d->answer_count = 0;
    if (answers) l1d->answers = hd_new(l1d->config.latency + 1, sizeof *l1d->answers);
    if (!l1d->pipe || (answers && !l1d->answers)) return hd_fail_memory(err, "building an L1D");
    l1d->changes = launch->l1d_changes; // last: what has failed is built anew at the next launch
    return true;
}

// ---- requests ----

static void send_clean_victim(L1d *l1d, const CacheVictim *victim) __attribute__((noinline, cold));
static void send_clean_victim(L1d *l1d, const CacheVictim *victim)
{
    bool room = queue_room(&l1d->clean_victims);
    l1d->hooks->copy_backs.counted.sent += room;
    l1d->hooks->copy_backs.counted.dropped += !room;
    if (room)
        *queue_add(&l1d->clean_victims) =
            request_for_clean_victim(victim, l1d_sector_bytes(l1d));
}

void l1d_send_some_victim(L1d *l1d, const CacheVictim *victim)
{
    if (victim->copy_back) send_clean_victim(l1d, victim);
    if (!victim->dirty_sectors) return;
    l1d->writebacks_out++;
    *queue_add(&l1d->controller.misses) = request_for_victim(victim, l1d_sector_bytes(l1d));
}

// The request for an access that misses. fetch: as in CacheResult.sectors.
static void request_for_miss(L1d *l1d, SmContext *context, const MemoryOp *op, unsigned access,
                             uint8_t fetch, uint32_t token, MemRequest *request)
{
    request_for_access(op, access, token, l1d->fields, request);
    request->kind = memory_op_is_local(op) ? MEM_LOCAL_LOAD : MEM_LOAD;
    request->bytes = 0;
    request->sectors = l1d_fetched_sectors(l1d, coalesced_address(&op->accesses[access]), fetch);
    request->wants_reply_tag = request->keeps = l1d->config.mode != CACHE_OFF;
    if (l1d->hooks) l1d_add_decisions(l1d, request);
    request->shadow = shadow_fetch(context);
}

// ---- look-ups ----

// The look-up of an access, without its token and the room in the miss queue.
static inline CacheAccess cache_access_for(const MemoryOp *op, unsigned access)
{
    const CoalescedAccess *a = &op->accesses[access];
    bool store = mem_kind_writes(op->kind);
    return (CacheAccess){.address = coalesced_address(a),
                         .write = store, .local = memory_op_is_local(op), .sectors = a->sectors,
                         .bytes = {store ? a->bytes[0] : 0, store ? a->bytes[1] : 0}};
}

typedef enum LookUp {
    LOOK_UP_STALLED,
    LOOK_UP_SENT, // the access waits for the next level
    LOOK_UP_ANSWERED
} LookUp;

static LookUp look_up(L1d *l1d, SmContext *context, MemoryOp *op, uint32_t token)
{
    unsigned number = token_access(token);
    CacheController *controller = &l1d->controller;
    RequestQueue *misses = &controller->misses;
    CacheAccess access = cache_access_for(op, number);
    access.token = token;
    access.room = (uint8_t)queue_room(misses);
    if (l1d->hooks) l1d_describe_access(l1d, context, op, number);
    access.shadow = shadow_l1_store(context, l1d, op, number);
    CacheResult result;
    controller_access(controller, &access, (CacheUser){context->now, op, number}, &result);
    if (result.outcome == CACHE_STALLED) {
        if (cache_out_of_memory(controller->cache))
            sm_out_of_memory(context, "recording the lines of the L1D");
        if (l1d_is_full(l1d) && l1d_flush_prefetches(l1d, context)) // it is tried again at once
            controller->stall.blocked = false;
        return LOOK_UP_STALLED;
    }
    rows_on_access(context, op, number, result.outcome);
    l1d_send_victim(l1d, &result.victim);
    if (result.fetch) {
        MemRequest *request = queue_add(misses);
        request_for_miss(l1d, context, op, number, result.sectors, token, request);
        request->direct = result.direct;
        if (l1d->hooks) l1d_fetch_values(l1d, context, request);
    }
    if (result.promoted) l1d_promote(l1d, context, access.address, result.promoted);
    if (result.pending_fetches) memory_op_expect(op, number, result.pending_fetches);
    if (result.forwards_write) {
        request_for_access(op, number, token, l1d->fields, queue_add(misses));
        return LOOK_UP_SENT;
    }
    return access.write || result.outcome == CACHE_HIT ? LOOK_UP_ANSWERED : LOOK_UP_SENT;
}

// The access in front of the tags.
typedef struct FirstAccess {
    uint32_t op;
    unsigned access;
} FirstAccess;
static inline FirstAccess first_access(const L1d *l1d)
{
    if (!l1d->hold)
        return (FirstAccess){l1d->pipe[l1d->head].op, l1d->pipe[l1d->head].first};
    const HdHeld *first = hold_first(l1d->hold);
    return (FirstAccess){first->instruction, first->access};
}

// The first accesses leave the pipeline, which are of one operation.
static inline void leave_pipe(L1d *l1d, unsigned count)
{
    L1Run *run = &l1d->pipe[l1d->head];
    l1d->count -= count;
    run->first = (uint8_t)(run->first + count);
    run->count = (uint8_t)(run->count - count);
    if (run->count) return;
    if (++l1d->head == l1d->capacity) l1d->head = 0;
    l1d->runs--;
}

// The access in front of the tags is tried again, or another takes its place: its stall has ended.
static inline void end_stall(L1d *l1d, SmContext *context, const MemoryOp *op, unsigned access)
{
    CacheController *controller = &l1d->controller;
    if (l1d->hooks && l1d_is_full(l1d)) l1d_stop_prefetches(l1d, context, context->now - 1);
    uint64_t cycles = controller_end_stall(controller, (CacheUser){context->now, op, access});
    if (cycles) rows_on_stall(context, op, access, controller->stall.reason, cycles);
}

// An access that comes may be the next one, in place of one that stalls.
void l1d_hold(L1d *l1d, SmContext *context, const MemoryOps *ops)
{
    L1Hold *hold = l1d->hold;
    for (unsigned i = 0; i < context->config.path->l1_banks && !hold->waits; i++) {
        if (!l1d->count || l1d->pipe[l1d->head].ready > context->now) return;
        uint32_t op = l1d->pipe[l1d->head].op;
        unsigned access = l1d->pipe[l1d->head].first;
        FirstAccess before = {0};
        if (hold->seen.held) before = first_access(l1d);
        l1d_describe_access(l1d, context, &ops->items[op], access);
        if (!hold_push(hold, op, access)) return;
        leave_pipe(l1d, 1);
        FirstAccess next = first_access(l1d);
        if (before.op == next.op && before.access == next.access) continue;
        if (before.op) end_stall(l1d, context, &ops->items[before.op], before.access);
        l1d->controller.stall.blocked = false;
    }
}

// Look-ups are done.
static inline void count_look_ups(L1d *l1d, const SmContext *context, unsigned count)
{
    if (l1d->last_cycle != context->now) l1d->look_ups = 0;
    l1d->last_cycle = context->now;
    l1d->look_ups += count;
}

// The usual look-ups: the loads of an operation that hit, up to an access that does not. They are
// `count` at most, from access `first` on. Returns their number.
static inline unsigned look_up_hits(L1d *l1d, SmContext *context, const MemoryOp *op,
                                    unsigned first, unsigned count)
{
    unsigned hits = controller_leading_hits(&l1d->controller, &op->accesses[first], count);
    if (hits) rows_on_hits(context, op, first, hits);
    return hits;
}

// The usual stores of an operation: those that pass through the cache to the next level, up to an
// access that does not. They are `count` at most, from the head of the pipeline on. Returns their
// number.
static unsigned pass_stores(L1d *l1d, SmContext *context, const MemoryOp *op, unsigned count)
{
    RequestQueue *misses = &l1d->controller.misses;
    const L1Run *head = &l1d->pipe[l1d->head];
    unsigned passed = 0, room = queue_room(misses);
    if (count > room) count = room;
    for (; passed < count; passed++) {
        unsigned access = head->first + passed;
        CacheOutcome outcome;
        if (!controller_passes_store(&l1d->controller, coalesced_address(&op->accesses[access]),
                                     memory_op_is_local(op), &outcome))
            break;
        rows_on_access(context, op, access, outcome);
        request_for_access(op, access, access_token(head->op, access), l1d->fields,
                           queue_add(misses));
    }
    return passed;
}

// Apart, so that hits need no large frame.
static unsigned look_up_further(L1d *l1d, SmContext *context, MemoryOps *ops, uint32_t *token)
    __attribute__((noinline));
static unsigned look_up_further(L1d *l1d, SmContext *context, MemoryOps *ops, uint32_t *token)
{
    FirstAccess head = first_access(l1d);
    MemoryOp *item = &ops->items[head.op];
    *token = access_token(head.op, head.access);
    end_stall(l1d, context, item, head.access);
    LookUp outcome = l1d->hold && !mem_kind_writes(item->kind) &&
                             look_up_hits(l1d, context, item, head.access, 1)
                         ? LOOK_UP_ANSWERED
                         : look_up(l1d, context, item, *token);
    if (outcome == LOOK_UP_STALLED) return 0;
    if (l1d->hold) hold_pop(l1d->hold);
    else leave_pipe(l1d, 1);
    count_look_ups(l1d, context, 1);
    return outcome == LOOK_UP_ANSWERED;
}

unsigned l1d_look_up(L1d *l1d, SmContext *context, MemoryOps *ops, uint32_t *token)
{
    if (l1d->hold || l1d->controller.stall.uncounted)
        return look_up_further(l1d, context, ops, token);
    const L1Run *head = &l1d->pipe[l1d->head];
    const MemoryOp *op = &ops->items[head->op];
    unsigned left = context->config.path->l1_banks; // look-ups in this cycle
    if (l1d->last_cycle == context->now) left -= l1d->look_ups;
    if (head->count < left) left = head->count;
    bool stores = mem_kind_writes(op->kind);
    unsigned done = stores ? pass_stores(l1d, context, op, left)
                           : look_up_hits(l1d, context, op, head->first, left);
    if (!done) return look_up_further(l1d, context, ops, token);
    *token = access_token(head->op, head->first);
    leave_pipe(l1d, done);
    count_look_ups(l1d, context, done);
    return stores ? 0 : done;
}

// ---- fills ----

unsigned l1d_fill(L1d *l1d, SmContext *context, const MemReply *reply)
{
    CacheVictim victim;
    uint8_t sectors = l1d_is_sectored(l1d) ? reply->sectors : 0;
    unsigned users = controller_fill(&l1d->controller, mem_reply_address(reply), sectors,
                                     context->now, reply, &victim);
    l1d_send_victim(l1d, &victim);
    return users;
}

// ---- functional accesses ----

static void warm_access(L1d *l1d, SmContext *context, const MemoryOp *op, unsigned access,
                        const FunctionalMemory *memory)
{
    CacheAccess look_up = cache_access_for(op, access);
    if (l1d->hooks) l1d_describe_access(l1d, context, op, access);
    CacheResult result = cache_access_warm(l1d->controller.cache, &look_up);
    if (l1d->hooks) cache_hooks_on_insert(l1d->hooks, &l1d->hooks->current.access);
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
        request_for_miss(l1d, context, op, access, result.sectors, 0, &request);
        uint32_t version = memory->request(memory->receiver, &request);
        if (l1d->hooks) l1d_warm_fill(l1d, context, &request, version);
    }
    if (result.forwards_write) {
        request_for_access(op, access, 0, l1d->fields, &request);
        memory->request(memory->receiver, &request);
    }
}

void l1d_warm(L1d *l1d, SmContext *context, const MemoryOp *op, const FunctionalMemory *memory)
{
    bool lines = memory->batch && warm_batch_has_l1d(memory->batch);
    for (unsigned i = 0; lines && i < op->count;) {
        WarmLine line;
        warm_line_next(op, &i, &line);
        warm_batch_add(memory->batch, BATCH_L1D, &line);
    }
    for (unsigned i = 0; !lines && i < op->count; i++) warm_access(l1d, context, op, i, memory);
}
