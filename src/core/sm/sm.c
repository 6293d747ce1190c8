// An SM as a whole: its life, its cycle, and how it skips the cycles in which nothing happens.
#include "core/sm/repeats.h"

#include "core/bounds.h"
#include "core/frontend/fetch.h"
#include "core/shadow_sm.h"

#include "base/inline.h"
#include "base/memory.h"

#include <stdlib.h>

// ---- one cycle ----

// A memory instruction reaches the load/store unit, or is delayed by a cycle.
static inline void arrive(Sm *sm, const Warp *w, uint32_t index)
{
    SmContext *context = &sm->context;
    MemoryOp *op = &sm->lsu.ops.items[index];
    if (!sm->operands.bank_writes ||
        operands_arrive(&sm->operands, context, w, op->timing, &op->read_at)) {
        lsu_push(&sm->lsu, index);
    } else if (!wheel_set(&context->wheel, context->now + 1, EVENT_LSU_READY, w->id,
                          (EventPayload){.memory = {.op = index}})) {
        sm_out_of_memory(context, "scheduling a memory instruction");
    }
}

// A request has left: what found no room is tried again.
static void retry(Sm *sm)
{
    lsu_retry(&sm->lsu, &sm->l1d);
    l15_retry(&sm->l15, &sm->context);
    frontend_sent(&sm->frontend, &sm->context);
    if (sm->hooks) l1d_schedule_prefetch(&sm->l1d, &sm->context);
}

ALWAYS_INLINE Warp *warp_of(const Sm *sm, const Event *event)
{
    return &sm->blocks.warps[event->warp];
}

// An event of a type that no usual instruction sets.
__attribute__((noinline))
static void run_rare_event(Sm *sm, const Event *event)
{
    SmContext *context = &sm->context;
    const EventPayload *with = &event->payload;
    Warp *w = warp_of(sm, event);
    switch ((EventType)event->type) {
    case EVENT_INJECTED: sm_write_back_injected(sm, w, with->injected.row); break;
    case EVENT_GROUP: sm_write_back_group(sm, with->group.index); break;
    case EVENT_PREFETCH: l1d_prefetch(&sm->l1d, context); break;
    case EVENT_PREFETCHED: l1d_answer_prefetch(&sm->l1d, context); break;
    case EVENT_L15:
        if (l15_look_up(&sm->l15, context)) retry(sm);
        break;
    case EVENT_L15_DATA: sm_deliver_l15(sm, with->waiter.index, LEVEL_L1); break;
    case EVENT_WAKE: sm_wake(sm, w, with->sleep.lanes); break;
    case EVENT_COMMIT: work_commit(context, w, with->commit.lanes); break;
    case EVENT_EXIT:
        w->scoreboard.count--;
        sm_check_warp_end(sm, w);
        break;
    default: __builtin_unreachable();
    }
}

// The event is valid until something is called: the pool may move when events set others.
ALWAYS_INLINE void run_event(Sm *sm, const Event *event)
{
    SmContext *context = &sm->context;
    const EventPayload *with = &event->payload;
    if (event->type == EVENT_FETCHED)
        frontend_fetched(&sm->frontend, context, &sm->issue, &sm->blocks, warp_of(sm, event),
                         with->fetched.count, with->fetched.pc);
    else if (event->type == EVENT_WRITEBACK)
        sm_write_back(sm, warp_of(sm, event), with->result.timing, with->result.pc);
    else if (event->type == EVENT_LSU_READY)
        arrive(sm, warp_of(sm, event), with->memory.op);
    else if (event->type == EVENT_DATA)
        sm_answer(sm, with->memory.op, (MemLevel)with->memory.level);
    else
        run_rare_event(sm, event);
}

// Most cycles with events have one. So the last one does not need the others' loop.
ALWAYS_INLINE void run_events(Sm *sm)
{
    Wheel *wheel = &sm->context.wheel;
    uint32_t last, first = wheel_take(wheel, sm->context.now, &last);
    if (!first) return;
    for (uint32_t i = first; i != last;) {
        const Event *event = &wheel->events[i];
        i = event->next;
        run_event(sm, event);
    }
    run_event(sm, &wheel->events[last]);
    wheel_release(wheel, first, last);
}

// If a decision is due, asks the mechanism. After each decision, reclassifies the warps that were
// ready or throttled.
static void run_throttle(Sm *sm)
{
    SmContext *context = &sm->context;
    Throttle *throttle = &sm->issue.throttle;
    if (throttle_due(throttle, context)) throttle_ask(throttle, context, &sm->blocks);
    if (!throttle->answered) return;
    throttle->answered = false;
    for (unsigned i = 0; i < throttle->asked; i++) {
        Warp *w = &sm->blocks.warps[throttle->warps[i].slot];
        if (w->issue.state != WARP_READY && w->issue.state != WARP_THROTTLED) continue;
        bool gave_up = w->issue.state == WARP_THROTTLED && !warp_has_instruction(w);
        if (gave_up && throttle_holds(throttle, w, &w->ops[w->pc])) continue;
        warp_classify(&sm->issue, context, w);
        if (gave_up) frontend_want(&sm->frontend, context, w, warp_pc(w));
    }
}

// What mechanisms decide before the SM issues: which warps may, and in which order.
static void run_decisions(Sm *sm)
{
    Issue *issue = &sm->issue;
    const SmContext *context = &sm->context;
    if (issue->throttle.on) run_throttle(sm);
    if (issue->order.on && order_due(&issue->order, context))
        order_ask(issue, context, &sm->blocks);
}

static void run_mechanism_events(Sm *sm)
{
    cache_hooks_at(sm->hooks, sm->context.now);
    l1d_schedule_prefetch(&sm->l1d, &sm->context);
}

// All accesses of the operation have been looked up.
static void release_held(Sm *sm, const MemoryOp *op)
{
    unsigned members = memory_op_members(op);
    for (unsigned i = 0; i < members; i++) {
        Warp *w = &sm->blocks.warps[memory_op_member(op, i)->id];
        if (!--w->memory.held && w->issue.state == WARP_BARRIER)
            warp_classify(&sm->issue, &sm->context, w);
    }
}

// The look-ups of a cycle, and the moves into the queues of the hold point. Barriers and fences
// wait for the look-ups of their warp.
static void look_up_held(Sm *sm) __attribute__((noinline));
static void look_up_held(Sm *sm)
{
    SmContext *context = &sm->context;
    const L1Hold *hold = sm->l1d.hold;
    while (l1d_is_ready(&sm->l1d, context)) {
        uint32_t held = hold->seen.held, token;
        bool answered = l1d_look_up(&sm->l1d, context, &sm->lsu.ops, &token);
        MemoryOp *op = &sm->lsu.ops.items[token_op(token)];
        if (hold->seen.held < held && ++op->looked_up == op->count) release_held(sm, op);
        if (answered) sm_answer(sm, token, LEVEL_L1);
    }
    l1d_hold(&sm->l1d, context, &sm->lsu.ops);
}

// Sends a request. Returns whether one was sent.
ALWAYS_INLINE bool send(Sm *sm)
{
    if (!port_send(&sm->port, &sm->context)) return false;
    sm->port.queued.due = 0;
    retry(sm);
    return true;
}

// The reply to a prefetch has no data: its MSHR entry may be free now.
__attribute__((noinline, cold)) static void receive_dropped(Sm *sm, const Packet *packet)
{
    l1d_on_dropped(&sm->l1d, &sm->context, &packet->request);
    lsu_retry(&sm->lsu, &sm->l1d);
}

// Receives replies, and sends a request unless those of this cycle's look-ups come first. Returns
// whether one was sent.
__attribute__((noinline)) static bool run_port(Sm *sm)
{
    SmContext *context = &sm->context;
    Packet *packet;
    while (port_has_reply(&sm->port, context) &&
           (packet = port_receive(&sm->port, context))) {
        if (packet->reply.dropped) receive_dropped(sm, packet);
        else sm_deliver(sm, &packet->reply);
        port_release(&sm->port, packet);
    }
    sm->port.queued.due = 0;
    bool sent = !sm->sends_late && send(sm);
    if (!sm->port.queued.count) port_note_due(&sm->port, context);
    return sent;
}

ALWAYS_INLINE void run_look_ups(Sm *sm)
{
    SmContext *context = &sm->context;
    unsigned count = sm->l1d.count;
    uint32_t token;
    if (sm->l1d.hold) {
        look_up_held(sm);
    } else {
        while (l1d_is_ready(&sm->l1d, context)) {
            unsigned answered = l1d_look_up(&sm->l1d, context, &sm->lsu.ops, &token);
            if (answered) sm_answer_hits(sm, token, answered);
        }
    }
    if (sm->l1d.count < count && sm->lsu.stalled) sm->lsu.due = 0; // there is room
    l1d_note_due(&sm->l1d);
}

static void run_lsu(Sm *sm)
{
    SmContext *context = &sm->context;
    unsigned taken = lsu_cycle(&sm->lsu, context, &sm->l1d);
    if (!taken) return;
    operands_memory_leaves(&sm->operands, context->now, taken);
    context->issue_due = 0;
}

// The fetch stage has come to exited warps (core.warp_exit=fetch).
__attribute__((noinline, cold))
static void reclaim_warps(Sm *sm)
{
    Frontend *f = &sm->frontend;
    for (unsigned i = 0; i < f->exited_count; i++)
        sm_reclaim_warp(sm, &sm->blocks.warps[f->exited[i]]);
    f->exited_count = 0;
}

// An SM that has stopped issues the waves of instructions from which warps have gone on.
static inline bool may_issue(const Sm *sm) { return !sm->stopped || sm->issue.waves.ahead; }

// Throttling, issue and fetch: the stages of the blocks that are resident.
ALWAYS_INLINE void run_warps(Sm *sm, uint64_t due, bool usual)
{
    SmContext *context = &sm->context;
    if (context->failed) return;
    if (!usual && !blocks_any(&sm->blocks)) { // there are no warps (usual stages see that, too)
        context->issue_due = sm->frontend.due = UINT64_MAX;
        return;
    }
    if (!usual && !sm->stopped) run_decisions(sm);
    bool issues = context->issue_due <= due;
    if (!usual) issues = (issues || sm->issue.always) && may_issue(sm);
    if (issues) {
        sm_issue_cycle(sm);
        context->issue_due = 0;
    }
    if (sm->frontend.due > due) return;
    fetch_cycle(&sm->frontend, context, &sm->issue, &sm->blocks);
    if (__builtin_expect(sm->frontend.exited_count, 0)) reclaim_warps(sm);
}

// Runs the stages that are due. events: there may be events. Built twice: for usual cycles
// (is_usual), and for all.
ALWAYS_INLINE void run_cycle(Sm *sm, bool usual, bool events)
{
    SmContext *context = &sm->context;
    uint64_t due = usual || !sm->every_cycle ? context->now : UINT64_MAX;
    bool sent = false;
    if (!usual && sm->mechanism_events) run_mechanism_events(sm);
    if (events) run_events(sm);
    if (sm->port.queued.due <= due) sent = run_port(sm);
    if (sm->l1d.due <= due) run_look_ups(sm);
    if (sm->lsu.due <= due) run_lsu(sm);
    // Requests that bypass the L1D do not wait for a look-up.
    if (sm->port.queued.count && (sm->sends_late || (sm->lsu.bypass.count && !sent))) send(sm);
    if (blocks_can_start(&sm->blocks)) sm_start_block(sm);
    if (!usual || context->issue_due <= due || sm->frontend.due <= due) run_warps(sm, due, usual);
}

// ---- the next cycle with an event ----

// What is due at an unknown time is asked; the rest may act at once. *event: the cycle of the
// wheel's next event, or sooner.
ALWAYS_INLINE uint64_t next_event(Sm *sm, bool usual, uint64_t *event)
{
    SmContext *context = &sm->context;
    uint64_t soonest = context->now + 1;
    uint64_t next = smaller(sm->l1d.due, sm->lsu.due);
    *event = soonest;
    if (!sm->frontend.due || next <= soonest || blocks_can_start(&sm->blocks)) return soonest;
    if (!context->issue_due)
        context->issue_due = issue_next(&sm->issue, &sm->operands, context->now);
    if (!sm->port.queued.due) port_note_due(&sm->port, context);
    *event = wheel_next(&context->wheel);
    next = smaller(smaller(*event, sm->port.queued.due), next);
    if (usual || may_issue(sm)) next = smaller(next, context->issue_due);
    return next > soonest ? next : soonest;
}

static uint64_t next_with_mechanisms(const Sm *sm, uint64_t next) __attribute__((noinline));
static uint64_t next_with_mechanisms(const Sm *sm, uint64_t next)
{
    uint64_t soonest = sm->context.now + 1;
    next = smaller(next, sm->hooks->due);
    bool decides = !sm->stopped && blocks_any(&sm->blocks);
    if (decides && sm->issue.throttle.on)
        next = smaller(next, throttle_next(&sm->issue.throttle, &sm->context));
    if (decides && sm->issue.order.on)
        next = smaller(next, order_next(&sm->issue.order, &sm->context));
    return next > soonest ? next : soonest;
}

// Whether no mechanism has times of its own, instructions issue, and stages run only if they are
// due.
static inline bool is_usual(const Sm *sm)
{
    return !sm->issue.throttle.on && !sm->issue.order.on && !sm->mechanism_events &&
           !sm->stopped && !sm->issue.always && !sm->every_cycle;
}

ALWAYS_INLINE uint64_t soonest(Sm *sm, bool usual, uint64_t *event)
{
    uint64_t next = next_event(sm, usual, event);
    bool decides = sm->issue.throttle.on || sm->issue.order.on;
    if (usual || (!decides && !sm->mechanism_events)) return next;
    return next_with_mechanisms(sm, next);
}

uint64_t sm_next(Sm *sm)
{
    port_look(&sm->port, &sm->context);
    uint64_t event;
    return soonest(sm, false, &event);
}

bool sm_can_act(Sm *sm)
{
    port_look(&sm->port, &sm->context);
    uint64_t event;
    return next_event(sm, false, &event) != UINT64_MAX ||
           (sm->issue.throttle.on && !sm->stopped &&
            (question_changed(&sm->issue.throttle.next, &sm->context) ||
             issue_any_throttled(&sm->issue)));
}

// Runs the cycles with an event, or all of them.
ALWAYS_INLINE void run_cycles(Sm *sm, bool usual)
{
    SmContext *context = &sm->context;
    while (!context->failed) {
        uint64_t next = context->now + 1, event = next;
        if (usual || !sm->every_cycle) next = soonest(sm, usual, &event);
        if (next >= sm->until) return;
        context->now = next;
        run_cycle(sm, usual, event <= next);
    }
}

bool sm_run(Sm *sm, uint64_t until, bool skip, HdError *err)
{
    SmContext *context = &sm->context;
    context->err = err;
    sm->until = until;
    sm->every_cycle = !skip;
    port_look(&sm->port, &sm->context);
    if (is_usual(sm)) run_cycles(sm, true);
    else run_cycles(sm, false);
    if (sm->port.pool.failed) sm_out_of_memory(context, "sending requests");
    if (context->failed) return false;
    if (sm->until < until) return true;
    context->now = until - 1;
    return true;
}

// ---- life ----

static bool init_parts(Sm *sm, SliceMap map, HdError *err)
{
    SmContext *context = &sm->context;
    const SmConfig *c = &context->config;
    context->log = store_log_new(err);
    if (!context->log) return false;
    HdTables *tables = &context->tables;
    wheel_init(&context->wheel);
    unsigned slots = c->core->threads / c->core->width;
    sm->turns = hd_tables_new(tables, slots, sizeof *sm->turns);
    sm->engine_warps = hd_tables_new(tables, slots, sizeof *sm->engine_warps);
    bool ok = sm->turns && sm->engine_warps && blocks_init(&sm->blocks, c, tables) &&
              issue_init(&sm->issue, c, &sm->blocks, &sm->frontend, tables) &&
              operands_init(&sm->operands, c, tables) &&
              port_init(&sm->port, map, context->id, c->icnt->credits, tables);
    if (!ok) return hd_fail_memory(err, "building an SM");
    RequestQueue *l1i = &sm->frontend.l1i.misses, *l1c = &sm->lsu.l1c.misses;
    bool l15 = l15_exists(c->l15), all = l15_serves_instructions(c->l15);
    RequestQueue *queues[] = {all ? NULL : l1i, l15 ? &sm->l15.controller.misses : l1c,
                              &sm->lsu.l1r.misses, &sm->lsu.bypass, &sm->l1d.refetches,
                              &sm->l1d.controller.misses, &sm->l1d.clean_victims};
    for (unsigned i = 0; i < sizeof queues / sizeof *queues; i++)
        if (queues[i]) port_add_queue(&sm->port, queues[i]);
    sm->l15.queued.pool = &sm->port.pool;
    if (l15) sm->lsu.l15 = &sm->l15;
    if (all) sm->frontend.l15 = &sm->l15;
    return l15_init(&sm->l15, c, l1c, l1i, tables, context->seed, err) &&
           frontend_init(&sm->frontend, c, tables, context->seed, err) &&
           lsu_init(&sm->lsu, c, sm->operands.memory_room, &sm->operands.turns, tables,
                    context->seed, err);
}

Sm *sm_new(const SmConfig *config, const SmShared *shared, unsigned id, HdError *err)
{
    HdTables tables = {0};
    Sm *sm = hd_tables_new(&tables, 1, sizeof *sm);
    if (!sm) {
        hd_fail_memory(err, "building an SM");
        return NULL;
    }
    SmContext *context = &sm->context;
    context->config = *config;
    context->tables = tables;
    context->clocks = shared->clocks;
    context->id = id;
    context->guest = shared->guest;
    context->seed = shared->seed;
    context->strict = shared->strict;
    context->system = &sm->system;
    sm->engines = shared->engines;
    sm->sends_late = config->path->send == SEND_AFTER_LOOKUPS;
    if (init_parts(sm, shared->map, err)) return sm;
    sm_free(sm);
    return NULL;
}

void sm_free(Sm *sm)
{
    if (!sm) return;
    SmContext *context = &sm->context;
    shadow_sm_free(context);
    system_calls_free(&sm->system);
    blocks_free(&sm->blocks, &context->config);
    frontend_free(&sm->frontend);
    free(sm->groups.items);
    bounds_free(&context->bounds);
    lsu_free(&sm->lsu);
    l15_free(&sm->l15);
    l1d_free(&sm->l1d);
    free(sm->l1d.hold);
    port_free(&sm->port);
    injector_free(sm->injector);
    free(context->count.l1d_allocations);
    free(context->count.pcs);
    waits_free(&context->count.waited);
    wheel_free(&context->wheel);
    store_log_free(context->log);
    free(context->work);
    repeats_free(sm->repeats);
    HdTables tables = context->tables; // `sm` lies among them
    hd_tables_free(&tables);
}

bool sm_attach(Sm *sm, CacheHooks *hooks, HdError *err)
{
    sm->hooks = hooks;
    if (!l1d_attach(&sm->l1d, &sm->context, &sm->lsu.ops, hooks, err)) return false;
    if (!issue_attach(&sm->issue, &sm->context.config, hooks, &sm->context.tables))
        return hd_fail_memory(err, "attaching mechanisms");
    sm->mechanism_events =
        core_hooks_want(hooks, CORE_WAKE) || (hooks && hooks->due != UINT64_MAX);
    if (core_hooks_want(hooks, CORE_WORK) && !work_attach(sm, err)) return false;
    if (core_hooks_want(hooks, CORE_ISSUE) && !sm_attach_injector(sm, err)) return false;
    sm->context.watched = core_hooks_want(hooks, CORE_WORK | CORE_ISSUE);
    if (!hooks || !hooks->copy_backs.queue ||
        queue_init(&sm->l1d.clean_victims, hooks->copy_backs.queue, &sm->context.tables))
        return true;
    return hd_fail_memory(err, "attaching mechanisms");
}

void sm_add_request_fields(Sm *sm, unsigned bits)
{
    sm->lsu.fields = sm->l1d.fields =
        (RequestFields){.wanted = true, .bytes = (uint8_t)divide_up(bits, 8)};
}
