// The load/store unit: accesses of memory instructions, and their data.
#include "core/lsu/lsu.h"

#include "core/l1/l1_request.h"

#include "base/memory.h"
#include "memory/warm_batch.h"

#include <stdlib.h>

// ---- life ----

bool lsu_init(Lsu *lsu, const SmConfig *config, unsigned in_flight, CollectorTurns *turns,
              HdTables *tables, uint64_t seed, HdError *err)
{
    lsu->capacity = in_flight + 1;
    lsu->turns = turns->collectors ? turns : NULL;
    lsu->queue = hd_tables_new(tables, lsu->capacity, sizeof *lsu->queue);
    if (!lsu->queue) return hd_fail_memory(err, "building an SM");
    return controller_init(&lsu->l1c, config->l1c, "l1c", tables, seed, err) &&
           controller_init(&lsu->l1r, config->l1r, "l1r", tables, seed, err);
}

void lsu_free(Lsu *lsu)
{
    memory_ops_free(&lsu->ops);
    controller_free(&lsu->l1c);
    controller_free(&lsu->l1r);
}

bool lsu_begin(Lsu *lsu, SmContext *context)
{
    lsu->due = UINT64_MAX;
    if (context->config.path->invalidate_l1) controller_invalidate(&lsu->l1r, context->now);
    return queue_init(&lsu->bypass, context->launch->l1d.miss_queue, &context->tables);
}

// ---- the current instruction ----

static bool answer_at(SmContext *context, uint64_t cycle, const MemoryOp *op, uint32_t token,
                      MemLevel level)
{
    return wheel_set(&context->wheel, cycle, EVENT_DATA, op->warp,
                     (EventPayload){.memory = {token, level}}) ||
           sm_out_of_memory(context, "scheduling data");
}

// Makes one access to a read-only cache.
static bool push_read_only(Lsu *lsu, SmContext *context, CacheController *cache, const MemoryOp *op,
                           MemKind kind)
{
    if (cache->stall.blocked) return false;
    CacheUser user = {.cycle = context->now, .user = op, .number = op->sent};
    uint64_t line = op->accesses[op->sent].line;
    uint32_t token = access_token(lsu->current, op->sent);
    controller_end_stall(cache, user);
    CacheOutcome outcome = controller_load(cache, line, token, user);
    if (outcome == CACHE_STALLED) {
        if (cache_out_of_memory(cache->cache))
            sm_out_of_memory(context, "recording the lines of a read-only cache");
        return false;
    }
    if (outcome == CACHE_HIT) {
        answer_at(context, context->now + cache->config->latency, op, token, LEVEL_L1);
    } else if (outcome == CACHE_MISS) {
        MemRequest *request = queue_add(&cache->misses);
        *request = request_for_line(cache->config, line, op->pc, kind);
        request_add_fields(request, op, op->sent, lsu->fields);
        request->token = token;
        if (op->op->class == CLASS_TEXTURE) request->allocation = op->accesses[op->sent].allocation;
        if (lsu->l15 && kind == MEM_CONSTANT) l15_schedule(lsu->l15, context);
    }
    return true;
}

// Answers all accesses of an instruction to memory.perfect_constants.
static void answer_constants(const Lsu *lsu, SmContext *context, MemoryOp *op)
{
    for (; op->sent < op->count; op->sent++)
        answer_at(context, context->now + lsu->l1c.config->latency, op,
                  access_token(lsu->current, op->sent), LEVEL_L1);
}

// Hands the next access of the current operation to its read-only cache or queue. false: no room,
// or a stall.
static bool push_access(Lsu *lsu, SmContext *context, const MemoryOp *op)
{
    if (op->kind == MEMORY_OP_CONSTANT)
        return push_read_only(lsu, context, &lsu->l1c, op, MEM_CONSTANT);
    if (op->kind == MEM_READONLY) return push_read_only(lsu, context, &lsu->l1r, op, MEM_READONLY);
    if (op->bypass) {
        if (!queue_room(&lsu->bypass)) return false;
        MemRequest *request = queue_add(&lsu->bypass);
        if (op->kind == MEM_ENGINE)
            *request = request_for_engine(op, lsu->current);
        else
            request_for_access(op, op->sent, access_token(lsu->current, op->sent), lsu->fields,
                               request);
        return true;
    }
    return false;
}

// Hands accesses of the current operation to the L1D, as far as there is room.
static void push_to_l1d(const Lsu *lsu, const SmContext *context, L1d *l1d, MemoryOp *op,
                        unsigned *left)
{
    unsigned count = op->count - op->sent, room = l1d_room(l1d);
    if (count > *left) count = *left;
    if (count > room) count = room;
    if (!count) return;
    l1d_push(l1d, context->now, lsu->current, op->sent, count);
    op->sent += (uint16_t)count;
    *left -= count;
}

// Occupies the unit for this number of steps from `step` on.
static void occupy(Lsu *lsu, uint64_t step, uint64_t steps)
{
    if (lsu->free_at < step + steps) lsu->free_at = step + steps;
}

// *left: accesses that can still be made in this cycle.
static void make_accesses(Lsu *lsu, SmContext *context, L1d *l1d, uint64_t step, unsigned *left)
{
    MemoryOp *op = &lsu->ops.items[lsu->current];
    lsu->stalled = false;
    if (op->kind == MEMORY_OP_SHARED) {
        occupy(lsu, step, op->passes);
        uint64_t last = (step + op->passes - 1) / context->config.path->lsu_rate;
        answer_at(context, last + context->config.shared->latency, op, lsu->current, LEVEL_L1);
        lsu->current = 0;
        return;
    }
    if (op->kind == MEMORY_OP_NO_ACCESS) {
        uint32_t latency =
            context->config.path->texture_path ? context->config.l1r->latency : l1d->config.latency;
        answer_at(context, context->now + latency, op, lsu->current, LEVEL_L1);
    }
    if (op->kind == MEMORY_OP_CONSTANT && context->config.path->perfect_constants)
        answer_constants(lsu, context, op);
    if (memory_op_uses_l1d(op))
        push_to_l1d(lsu, context, l1d, op, left);
    else
        for (; *left && op->sent < op->count && push_access(lsu, context, op); --*left) op->sent++;
    if (op->sent < op->count) {
        lsu->stalled = *left;
        return;
    }
    lsu->current = 0;
    occupy(lsu, step, 1);
}

// Makes the next operation that has its operands the current one. false: there is none.
static bool take_operation(Lsu *lsu, const SmContext *context)
{
    if (lsu->turns) {
        lsu->current = collector_turns_take(lsu->turns, context->now);
        if (!lsu->current) return false;
    } else {
        lsu->current = lsu->queue[lsu->head];
        if (++lsu->head == lsu->capacity) lsu->head = 0;
    }
    lsu->count--;
    return true;
}

// Notes when the unit goes on. A current access that stalls waits for lsu_retry or, if the L1D's
// pipeline is full, for a look-up there.
static void note_due(Lsu *lsu, const SmContext *context)
{
    lsu->due = UINT64_MAX;
    if (lsu->current) {
        if (!lsu->stalled) lsu->due = 0;
    } else if (lsu->count) { // its first step is in this cycle
        uint32_t rate = context->config.path->lsu_rate;
        lsu->due = rate > 1 ? lsu->free_at / rate : lsu->free_at;
    }
}

// As lsu_cycle, for any operation and machine.
__attribute__((noinline))
static unsigned run_any(Lsu *lsu, SmContext *context, L1d *l1d)
{
    unsigned rate = context->config.path->lsu_rate, left = context->config.path->l1_banks,
        taken = 0;
    for (unsigned i = 0; i < rate; i++) {
        uint64_t step = context->now * rate + i;
        if (!lsu->current && lsu->count && lsu->free_at <= step && take_operation(lsu, context)) {
            taken++;
            const UOp *op = lsu->ops.items[lsu->current].op;
            lsu->free_at = step + context->config.initiation->of[op->class];
        }
        if (lsu->current) make_accesses(lsu, context, l1d, step, &left);
    }
    note_due(lsu, context);
    return taken;
}

// The usual cycle: the unit has one step in it, takes operations in order, and the accesses of the
// operation, the current one or the next, go to the L1D. Returns whether it is one.
static inline bool run_usual(Lsu *lsu, const SmContext *context, L1d *l1d, unsigned *taken)
{
    uint64_t now = context->now;
    uint32_t index = lsu->current;
    bool takes = !index;
    if (context->config.path->lsu_rate != 1 || lsu->turns) return false;
    if (takes && (!lsu->count || lsu->free_at > now)) return false;
    if (takes) index = lsu->queue[lsu->head];
    MemoryOp *op = &lsu->ops.items[index];
    if (!memory_op_uses_l1d(op)) return false;
    *taken = takes;
    if (takes) {
        if (++lsu->head == lsu->capacity) lsu->head = 0;
        lsu->count--;
        lsu->free_at = now + context->config.initiation->of[op->op->class];
    }
    unsigned left = op->count - op->sent, banks = context->config.path->l1_banks;
    unsigned room = smaller(l1d_room(l1d), banks), made = smaller(left, room);
    if (made) l1d_push(l1d, now, index, op->sent, made);
    op->sent = (uint16_t)(op->sent + made);
    lsu->current = made < left ? index : 0;
    lsu->stalled = made < left && made < banks;
    if (made < left) {
        lsu->due = lsu->stalled ? UINT64_MAX : 0;
        return true;
    }
    occupy(lsu, now, 1);
    lsu->due = lsu->count ? lsu->free_at : UINT64_MAX;
    return true;
}

unsigned lsu_cycle(Lsu *lsu, SmContext *context, L1d *l1d)
{
    unsigned taken;
    return run_usual(lsu, context, l1d, &taken) ? taken : run_any(lsu, context, l1d);
}

// ---- answers ----

void lsu_fill(Lsu *lsu, SmContext *context, L1d *l1d, const MemReply *reply)
{
    CacheController *cache = reply->kind == MEM_CONSTANT   ? &lsu->l1c
                             : reply->kind == MEM_READONLY ? &lsu->l1r
                                                           : &l1d->controller;
    unsigned count;
    if (cache == &l1d->controller) {
        count = l1d_fill(l1d, context, reply);
    } else {
        CacheVictim clean;
        count = controller_fill(cache, mem_reply_address(reply), 0, context->now, reply, &clean);
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t cycle = context->now + 2;
        if (lsu->wake_free > cycle) cycle = lsu->wake_free;
        lsu->wake_free = cycle + 1;
        uint32_t token = cache->tokens[i];
        answer_at(context, cycle, &lsu->ops.items[token_op(token)], token, (MemLevel)reply->level);
    }
    lsu_retry(lsu, l1d);
}

static inline uint64_t line_bit(uint64_t address)
{
    return UINT64_C(1) << address / MAX_LINE_BYTES % 64;
}

bool lsu_finds_atomic(const Lsu *lsu, const Warp *w, LaneMask lanes, const uint64_t *addresses)
{
    uint64_t filter = 0; // a bit for each line, by its number
    for (LaneMask m = lanes; m; m &= m - 1) filter |= line_bit(addresses[lanes_first(m)]);
    for (size_t i = 0; i < lsu->ops.atomic_count; i++) {
        const MemoryOp *op = &lsu->ops.items[lsu->ops.atomics[i]];
        if (!memory_op_has(op, w)) continue;
        for (unsigned k = 0; k < op->count; k++) {
            uint64_t line = op->accesses[k].line;
            if (!(filter & line_bit(line))) continue;
            for (LaneMask m = lanes; m; m &= m - 1)
                if (addresses[lanes_first(m)] - line < MAX_LINE_BYTES) return true;
        }
    }
    return false;
}

// ---- functional accesses ----

static void warm_read_only(const Lsu *lsu, CacheController *cache, const MemoryOp *op,
                           unsigned access, MemKind kind, const FunctionalMemory *memory)
{
    uint64_t address = op->accesses[access].line;
    if (!controller_warm_load(cache, address)) return;
    MemRequest request = request_for_line(cache->config, address, op->pc, kind);
    if (op->op->class == CLASS_TEXTURE) request.allocation = op->accesses[access].allocation;
    l15_warm(kind == MEM_CONSTANT ? lsu->l15 : NULL, &request, memory);
}

// Accesses that bypass the first-level caches.
static void warm_bypass(const Lsu *lsu, const MemoryOp *op, const FunctionalMemory *memory)
{
    WarmLine line;
    for (unsigned i = 0; memory->batch && i < op->count;) {
        warm_line_next(op, &i, &line);
        warm_batch_add(memory->batch, BATCH_L2, &line);
    }
    for (unsigned i = 0; !memory->batch && i < op->count; i++) {
        MemRequest request;
        request_for_access(op, i, 0, lsu->fields, &request);
        memory->request(memory->receiver, &request);
    }
}

void lsu_warm(Lsu *lsu, SmContext *context, L1d *l1d, const MemoryOp *op,
              const FunctionalMemory *memory)
{
    if (memory_op_uses_l1d(op)) {
        l1d_warm(l1d, context, op, memory);
    } else if (op->kind == MEMORY_OP_CONSTANT) {
        if (context->config.path->perfect_constants) return;
        for (unsigned i = 0; i < op->count; i++)
            warm_read_only(lsu, &lsu->l1c, op, i, MEM_CONSTANT, memory);
    } else if (op->kind == MEM_READONLY) {
        for (unsigned i = 0; i < op->count; i++)
            warm_read_only(lsu, &lsu->l1r, op, i, MEM_READONLY, memory);
    } else {
        warm_bypass(lsu, op, memory);
    }
}
