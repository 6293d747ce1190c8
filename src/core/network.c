// The SM's side of the network: the miss queues empty through the injection port, replies come in
// through the ejection port.
#include "core/sm_internal.h"

#include "base/memory.h"

bool queue_init(RequestQueue *queue, uint32_t capacity, uint32_t *queued)
{
    *queue = (RequestQueue){.items = hd_new(capacity, sizeof *queue->items), .capacity = capacity,
                            .queued = queued};
    return queue->items;
}

void queue_push(RequestQueue *queue, const MemRequest *request)
{
    queue->items[(queue->head + queue->count++) % queue->capacity] = *request;
    ++*queue->queued;
}

// ---- replies ----

static unsigned reply_flits(const Sm *sm, const MemReply *reply)
{
    const IcntConfig *c = sm->config.icnt;
    return (unsigned)divide_up(c->control + reply->bytes + reply->extra, c->flit);
}

static void atomic_answered(Sm *sm, uint32_t index)
{
    AccessRecord *r = &sm->records[index];
    Warp *w = &sm->warps[r->warp];
    if (r->kind != MEM_ATOMIC || r->waiting > 1) return;
    ExecWarp to = w->exec; // a path in another frame may be the current one
    to.base[0] = w->slots + (size_t)r->slot_base * SLOT_BYTES;
    for (unsigned i = 0; i < r->count; i++)
        for (LaneMask m = r->accesses[i].lanes; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            exec_atomic_result(r->op, &to, l, r->atomics[i].b[l]);
        }
}

static void receive(Sm *sm, const MemReply *reply)
{
    if (!reply->last) return;
    switch (reply->kind) {
    case MEM_INSTRUCTION: frontend_fill(sm, reply->line); return;
    case MEM_STORE:
    case MEM_LOCAL_STORE:
        if (reply->token)
            record_answered(sm, reply->token, (MemLevel)reply->level);
        else
            sm->writebacks_out--;
        return;
    case MEM_ATOMIC:
    case MEM_REDUCE:
        atomic_answered(sm, reply->token);
        record_answered(sm, reply->token, (MemLevel)reply->level);
        return;
    case MEM_LOAD:
        if (sm->records[reply->token].bypass && sm->records[reply->token].waiting) {
            shadow_bypass_reply(sm, reply);
            record_answered(sm, reply->token, (MemLevel)reply->level);
            return;
        }
        lsu_fill(sm, reply);
        return;
    case MEM_LOCAL_LOAD: // the record of a store that fetches may be another's by now
        if (sm->config.l1d->mode != CACHE_OFF) {
            lsu_fill(sm, reply);
            return;
        }
        shadow_bypass_reply(sm, reply);
        record_answered(sm, reply->token, (MemLevel)reply->level);
        return;
    default: lsu_fill(sm, reply); return;
    }
}

// The core cycle at which the head of the inbox has come through the ejection port.
static uint64_t eject_cycle(Sm *sm, const MemReply *reply)
{
    uint64_t arrival = clock_cycle(sm->clocks, CLOCK_ICNT, reply->time);
    unsigned flits = reply_flits(sm, reply);
    uint64_t done = sm->eject_free + flits;
    sm->links.to_sm += flits;
    if (done < arrival) done = arrival;
    sm->eject_free = done;
    return clock_cycle(sm->clocks, CLOCK_CORE, clock_tick(sm->clocks, CLOCK_ICNT, done));
}

void network_receive(Sm *sm)
{
    Inbox *in = &sm->inbox;
    while (in->reply_head < in->reply_count) {
        const MemReply *reply = &in->replies[in->reply_head];
        if (reply->time > clock_tick(sm->clocks, CLOCK_CORE, sm->now)) return;
        if (!sm->eject_head) sm->eject_head = eject_cycle(sm, reply);
        if (sm->eject_head > sm->now) return;
        sm->eject_head = 0;
        in->reply_head++;
        receive(sm, reply);
    }
}

// ---- requests ----

enum { QUEUES = 6 }; // that requests wait in; the first that can goes first

static void take_credits(Sm *sm)
{
    Inbox *in = &sm->inbox;
    Tick now = clock_tick(sm->clocks, CLOCK_CORE, sm->now);
    while (in->credit_head < in->credit_count && in->credits[in->credit_head].time <= now)
        sm->credits[in->credits[in->credit_head++].slice]++;
}

// Sends the head of the queue if its slice's buffer has room for it.
static bool send_head(Sm *sm, RequestQueue *queue, uint64_t icnt_now)
{
    MemRequest *request = &queue->items[queue->head];
    unsigned slice = sm->slice_of(sm->memory_side, request->line);
    if (!sm->credits[slice]) return false;
    sm->credits[slice]--;
    const IcntConfig *c = sm->config.icnt;
    if (sm->inject_free < icnt_now) sm->inject_free = icnt_now;
    uint64_t flits = divide_up(c->control + request->bytes + request->extra, c->flit);
    sm->inject_free += flits;
    sm->links.to_memory += flits;
    request->time = clock_tick(sm->clocks, CLOCK_ICNT, sm->inject_free);
    request->sm = (uint16_t)sm->id;
    Outbox *out = &sm->outbox;
    if (!HD_PUSH(out->items, out->count, out->capacity, *request)) {
        sm_out_of_memory(sm, "sending requests");
        return false;
    }
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    sm->queued--;
    lsu_retry(sm);
    return true;
}

static RequestQueue *const *send_order(Sm *sm, RequestQueue *queues[QUEUES])
{
    queues[0] = &sm->l1i.misses;
    queues[1] = &sm->l1c.misses;
    queues[2] = &sm->l1r.misses;
    queues[3] = &sm->bypass;
    queues[4] = &sm->l1d_misses;
    queues[5] = &sm->copy_backs;
    return queues;
}

void network_send_queued(Sm *sm)
{
    take_credits(sm);
    uint64_t icnt_now =
        clock_cycle(sm->clocks, CLOCK_ICNT, clock_tick(sm->clocks, CLOCK_CORE, sm->now));
    if (sm->inject_free >= icnt_now + sm->config.path->inject_buffer) return;
    RequestQueue *storage[QUEUES], *const *queues = send_order(sm, storage);
    for (unsigned i = 0; i < QUEUES; i++) {
        if (!queues[i]->count || !send_head(sm, queues[i], icnt_now)) continue;
        if (sm->inject_blocked)
            sm->count.sm.injection_blocked += sm->now - sm->inject_blocked_since;
        sm->inject_blocked = false;
        return;
    }
    if (!sm->inject_blocked) sm->inject_blocked_since = sm->now;
    sm->inject_blocked = true;
}

// When the injection port could take a packet: at once, when its buffer drains, or with the next
// credit.
static uint64_t send_next(const Sm *sm)
{
    if (!sm->queued) return UINT64_MAX;
    if (sm->inject_blocked && !sm->inject_news) {
        const Inbox *in = &sm->inbox;
        if (in->credit_head == in->credit_count) return UINT64_MAX;
        return clock_cycle(sm->clocks, CLOCK_CORE, in->credits[in->credit_head].time);
    }
    if (sm->inject_free < sm->config.path->inject_buffer) return sm->now + 1;
    // There is room once the next network cycle is behind this one (network_send rounds up).
    uint64_t full = sm->inject_free - sm->config.path->inject_buffer;
    return clock_cycle(sm->clocks, CLOCK_CORE, clock_tick(sm->clocks, CLOCK_ICNT, full) + 1);
}

uint64_t network_next(const Sm *sm)
{
    uint64_t next = send_next(sm);
    const Inbox *in = &sm->inbox;
    if (in->reply_head < in->reply_count) {
        uint64_t reply =
            sm->eject_head ? sm->eject_head
                           : clock_cycle(sm->clocks, CLOCK_CORE, in->replies[in->reply_head].time);
        if (reply < next) next = reply;
    }
    return next > sm->now ? next : sm->now + 1;
}
