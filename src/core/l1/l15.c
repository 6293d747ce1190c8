// The L1.5: look-ups of other caches' misses, and the replies to them.
#include "core/l1/l15.h"

bool l15_init(L15 *l15, const SmConfig *config, RequestQueue *constants,
              RequestQueue *instructions, HdTables *tables, uint64_t seed, HdError *err)
{
    if (!l15_exists(config->l15)) return true;
    l15->on = true;
    *constants = (RequestQueue){.queued = &l15->queued};
    l15->sources[0] = constants;
    uint32_t waiters = config->l1c->mshr_entries;
    if (l15_serves_instructions(config->l15)) {
        *instructions = (RequestQueue){.queued = &l15->queued};
        l15->sources[1] = instructions;
        waiters += config->l1i->mshr_entries;
    }
    l15->waiters = hd_tables_new(tables, waiters + 1, sizeof *l15->waiters);
    if (!l15->waiters) return hd_fail_memory(err, "building an L1.5");
    for (uint32_t i = 1; i < waiters; i++) l15->waiters[i].next = i + 1;
    l15->free = 1;
    return controller_init(&l15->controller, &config->l15->cache, "l15", tables, seed, err);
}

void l15_free(L15 *l15) { controller_free(&l15->controller); }

void l15_schedule(L15 *l15, SmContext *context)
{
    if (l15->scheduled || l15->controller.stall.blocked || !l15->queued.count) return;
    l15->scheduled = wheel_set(&context->wheel, context->now + 1, EVENT_L15, 0,
                               (EventPayload){0}) ||
                     sm_out_of_memory(context, "scheduling a look-up in the L1.5");
}

// The source of the next request. A request that stalls keeps its turn.
static RequestQueue *next_source(L15 *l15)
{
    for (unsigned i = 0; i < L15_SOURCES; i++) {
        RequestQueue *source = l15->sources[(l15->turn + i) % L15_SOURCES];
        if (!source || !source->count) continue;
        l15->turn = (l15->turn + i) % L15_SOURCES;
        return source;
    }
    return NULL;
}

static uint64_t request_address(const MemRequest *request)
{
    return request->line + SECTOR_BYTES * lanes_first(request->sectors);
}

// What the L1.5 requests if it has not what was requested of it: one of its own sectors, which are
// no smaller.
static MemRequest widened(const L15 *l15, const MemRequest *request)
{
    uint64_t bytes = l15->controller.config->sector;
    uint64_t first = request_address(request) % MAX_LINE_BYTES / bytes * bytes;
    MemRequest wide = *request;
    wide.sectors = (uint8_t)(lanes_all((unsigned)divide_up(bytes, SECTOR_BYTES))
                             << first / SECTOR_BYTES);
    return wide;
}

bool l15_look_up(L15 *l15, SmContext *context)
{
    CacheController *controller = &l15->controller;
    RequestQueue *source = next_source(l15);
    l15->scheduled = false;
    if (!source) return false;
    Packet *packet = source->items[source->head];
    const MemRequest *request = &packet->request;
    CacheUser user = {.cycle = context->now, .user = request};
    uint64_t address = request_address(request);
    uint32_t number = l15->free;
    controller_end_stall(controller, user);
    CacheOutcome outcome = controller_load(controller, address, number, user);
    if (outcome == CACHE_STALLED) {
        if (cache_out_of_memory(controller->cache))
            sm_out_of_memory(context, "recording the lines of the L1.5");
        return false;
    }
    L15Waiter *waiter = &l15->waiters[number];
    l15->free = waiter->next;
    waiter->reply = (MemReply){.line = request->line, .token = request->token,
                               .kind = request->kind, .sectors = request->sectors};
    if (outcome == CACHE_HIT) {
        shadow_give_line(controller->cache, address, &waiter->reply);
        if (!wheel_set(&context->wheel, context->now + controller->config->latency, EVENT_L15_DATA,
                       0, (EventPayload){.waiter = {number}}))
            sm_out_of_memory(context, "scheduling data of the L1.5");
    } else if (outcome == CACHE_MISS) {
        *queue_add(&controller->misses) = widened(l15, request);
    }
    queue_pop(source);
    packet_give_back(l15->queued.pool, packet);
    l15->turn = (l15->turn + 1) % L15_SOURCES;
    l15_schedule(l15, context);
    return true;
}

MemReply l15_take(L15 *l15, uint32_t waiter, MemLevel level)
{
    MemReply reply = l15->waiters[waiter].reply;
    reply.level = (uint8_t)level;
    l15->waiters[waiter].next = l15->free;
    l15->free = waiter;
    return reply;
}

unsigned l15_fill(L15 *l15, SmContext *context, const MemReply *reply)
{
    CacheController *controller = &l15->controller;
    CacheVictim clean;
    unsigned users =
        controller_fill(controller, mem_reply_address(reply), 0, context->now, reply, &clean);
    for (unsigned i = 0; i < users; i++)
        l15->waiters[controller->tokens[i]].reply.shadow = reply->shadow;
    l15_retry(l15, context);
    return users;
}

void l15_warm(L15 *l15, const MemRequest *request, const FunctionalMemory *memory)
{
    if (!l15) {
        memory->request(memory->receiver, request);
        return;
    }
    if (!controller_warm_load(&l15->controller, request_address(request))) return;
    MemRequest wide = widened(l15, request);
    memory->request(memory->receiver, &wide);
}
