// How a slice takes packets from an input-queued crossbar.
#include "memory/network/intake.h"
#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void intake_init(Intake *intake, const SliceContext *context, Slice *slice, TransitList *taken)
{
    *intake = (Intake){.context = context, .log = slice_lookup_log(slice), .taken = taken};
    intake->log->on = true;
}

void intake_free(Intake *intake)
{
    free(intake->held);
    free(intake->coming);
    free(intake->lookups);
}

bool intake_full(const Intake *intake)
{
    return intake->held_flits >= intake->context->icnt.config->output_buffer;
}

// The first cycle in which the packet at the head of the buffer could be taken.
static uint64_t first_cycle(const Intake *intake)
{
    uint64_t complete = intake->held[intake->held_head].complete;
    return complete > intake->next ? complete : intake->next;
}

uint64_t intake_next(const Intake *intake)
{
    if (intake->held_head == intake->held_count) return UINT64_MAX;
    uint64_t first = first_cycle(intake);
    if (first > intake->tried) return first;
    if (intake->lookup_head == intake->lookup_count) return UINT64_MAX;
    uint64_t cycle = intake->lookups[intake->lookup_head] + 1;
    return cycle > intake->tried ? cycle : intake->tried + 1;
}

// Counts what waits at the tags at the start of this L2 cycle.
static void count_waiting(Intake *intake, uint64_t cycle)
{
    while (intake->coming_head < intake->coming_count &&
           intake->coming[intake->coming_head].ready <= cycle)
        intake->waiting += intake->coming[intake->coming_head++].count;
    size_t head = intake->lookup_head;
    while (head < intake->lookup_count && intake->lookups[head] < cycle) head++;
    intake->waiting -= head - intake->lookup_head;
    intake->all -= head - intake->lookup_head;
    intake->lookup_head = head;
}

// The slice takes a packet in this L2 cycle.
static bool hand_over(Intake *intake, Transit *request, uint64_t cycle)
{
    const SliceContext *context = intake->context;
    ComingLookups lookups = {cycle + context->icnt.rop_latency,
                             lanes_count(slice_lookups(context, &request->packet->request))};
    intake->next = cycle + 1;
    intake->all += lookups.count;
    request->cycle = lookups.ready;
    transits_append(intake->taken, request);
    return HD_PUSH(intake->coming, intake->coming_count, intake->coming_capacity, lookups);
}

bool intake_add(Intake *intake, Transit *request, uint32_t flits, uint64_t cycle)
{
    const IcntTiming *timing = &intake->context->icnt;
    bool ok = true;
    uint64_t now = cycle * timing->period / timing->l2_period;
    intake_take(intake, now, false, &ok);
    uint64_t start = cycle > intake->channel_free ? cycle : intake->channel_free;
    intake->channel_free = start + flits;
    uint64_t complete = divide_up(intake->channel_free * timing->period, timing->l2_period);
    if (intake->held_head == intake->held_count) {
        count_waiting(intake, now);
        // Fewer than icnt.intake in all: it is taken as soon as it is there.
        if (intake->all < timing->config->intake)
            return ok && hand_over(intake, request,
                                   complete > intake->next ? complete : intake->next);
    }
    HeldPacket held = {request, complete, flits};
    intake->held_flits += flits;
    return ok && HD_PUSH(intake->held, intake->held_count, intake->held_capacity, held);
}

// The first cycle up to `bound` in which the buffer's next packet is taken; UINT64_MAX: none.
static uint64_t take_cycle(Intake *intake, uint64_t bound)
{
    uint64_t cycle = first_cycle(intake);
    while (cycle <= bound) {
        count_waiting(intake, cycle);
        if (intake->waiting < intake->context->icnt.config->intake) return cycle;
        if (intake->lookup_head == intake->lookup_count) break;
        cycle = intake->lookups[intake->lookup_head] + 1;
    }
    return UINT64_MAX;
}

uint64_t intake_take(Intake *intake, uint64_t bound, bool room, bool *ok)
{
    uint64_t last = 0;
    while (intake->held_head < intake->held_count && !(room && !intake_full(intake))) {
        uint64_t cycle = take_cycle(intake, bound);
        if (cycle > bound) break;
        const HeldPacket *held = &intake->held[intake->held_head++];
        intake->held_flits -= held->flits;
        *ok = hand_over(intake, held->request, cycle) && *ok;
        last = cycle;
    }
    intake->tried = bound;
    return last;
}

bool intake_read_log(Intake *intake)
{
    LookupLog *log = intake->log;
    if (!log->count) return true;
    size_t sum = intake->lookup_count + log->count;
    if (!hd_reserve(&intake->lookups, sum, &intake->lookup_capacity, sizeof *intake->lookups))
        return false;
    memcpy(&intake->lookups[intake->lookup_count], log->cycles, log->count * sizeof *log->cycles);
    intake->lookup_count = sum;
    log->count = 0;
    return true;
}

void intake_end(Intake *intake, uint64_t bound)
{
    if (intake->held_head == intake->held_count) count_waiting(intake, bound);
    hd_drop_taken(intake->held, &intake->held_head, &intake->held_count, sizeof *intake->held);
    hd_drop_taken(intake->coming, &intake->coming_head, &intake->coming_count,
                  sizeof *intake->coming);
    hd_drop_taken(intake->lookups, &intake->lookup_head, &intake->lookup_count,
                  sizeof *intake->lookups);
}
