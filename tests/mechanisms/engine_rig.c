// Slices with engines: structures, links, reads, replies and cycles as heddle/engines.h says.
#include "engine_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EngineRigSlice *slice_of(const HdPlace *place) { return (EngineRigSlice *)place; }

static const HdStructure *structure_of(const EngineRigSlice *slice, unsigned structure)
{
    return &slice->rig->mechanism->structures[structure];
}

// ---- life ----

uint32_t engine_rig_entries(const EngineRig *rig, const HdStructure *s)
{
    HdPlace place = {.parameters = rig->parameters, .level = HD_L2};
    if (s->extent == HD_COMPUTED)
        return rig->mechanism->count_entries(&place, (unsigned)(s - rig->mechanism->structures));
    return s->extent == HD_FIXED || s->extent == HD_TO_GPU ? s->entries
                                                           : (uint32_t)rig->parameters[s->entries];
}

EngineRig *engine_rig_new(const HdMechanism *mechanism, unsigned slices)
{
    EngineRig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->mechanism = mechanism;
    rig->slices = slices;
    rig->latency = 100;
    rig->reply_places = 8;
    rig->reply_cycles = 1;
    rig->granularity = 256;
    rig->gpu.rig = rig;
    rig->gpu.place = (HdPlace){.parameters = rig->parameters, .places = 1, .level = HD_GPU};
    for (unsigned i = 0; mechanism->parameters[i].name; i++)
        rig->parameters[i] = mechanism->parameters[i].value;
    return rig;
}

void engine_rig_free(EngineRig *rig)
{
    for (unsigned n = 0; n < rig->slices; n++)
        for (unsigned i = 0; i < ENGINE_RIG_LINKS; i++) free(rig->slice[n].structures[i]);
    free(rig->requests);
    free(rig);
}

void engine_rig_set(EngineRig *rig, const char *parameter, double value)
{
    for (unsigned i = 0; rig->mechanism->parameters[i].name; i++)
        if (strcmp(rig->mechanism->parameters[i].name, parameter) == 0) {
            rig->parameters[i] = value;
            return;
        }
    fail_msg("no parameter %s", parameter);
}

// Makes the structures, once, for the parameters that are set by then.
static void build(EngineRig *rig)
{
    for (unsigned n = 0; n < rig->slices; n++) {
        EngineRigSlice *slice = &rig->slice[n];
        if (slice->rig) continue;
        slice->rig = rig;
        slice->due = slice->room_at = UINT64_MAX;
        slice->place = (HdPlace){.parameters = rig->parameters, .structures = slice->structures,
                                 .counters = slice->counters, .number = n, .places = rig->slices,
                                 .level = HD_L2, .line_bytes = 128};
        const HdStructure *s = rig->mechanism->structures;
        for (unsigned i = 0; s[i].name; i++) {
            assert_true(i < ENGINE_RIG_LINKS);
            slice->structures[i] = calloc(engine_rig_entries(rig, &s[i]), s[i].bytes);
            slice->links[i] = (EngineRigLink){.sent_at = UINT64_MAX, .dropped_at = UINT64_MAX};
        }
    }
}

// ---- memory ----

uint64_t engine_rig_words(EngineRig *rig, const uint32_t *words, uint32_t count, unsigned offset)
{
    uint32_t at = (rig->allocated + 255) / 256 * 256 + 4 * offset;
    assert_true(at + 4 * count <= ENGINE_RIG_BYTES);
    memcpy(rig->memory + at, words, 4 * (size_t)count);
    rig->allocated = at + 4 * count;
    return ENGINE_RIG_BASE + at;
}

static uint64_t allocated(const HdCall *call, uint64_t address)
{
    const EngineRig *rig = call->memory;
    uint64_t end = ENGINE_RIG_BASE + rig->allocated;
    return address >= ENGINE_RIG_BASE && address < end ? end - address : 0;
}

unsigned hd_slice_of(const HdPlace *place, uint64_t address)
{
    const EngineRig *rig = slice_of(place)->rig;
    return (unsigned)(address / rig->granularity % rig->slices);
}

bool hd_peek(const HdPlace *place, uint64_t address, void *to, size_t bytes)
{
    const EngineRig *rig = slice_of(place)->rig;
    assert_true(address >= ENGINE_RIG_BASE && address + bytes <= ENGINE_RIG_BASE + rig->allocated);
    if (!rig->may_peek) return false;
    memcpy(to, rig->memory + (address - ENGINE_RIG_BASE), bytes);
    return true;
}

// ---- the host, and kernels ----

const char *engine_rig_call(EngineRig *rig, const char *verb, const uint64_t *values, size_t count)
{
    build(rig);
    HdCall call = {.verb = verb, .values = values, .count = count, .allocated = allocated,
                   .memory = rig};
    const char *wrong = NULL;
    for (unsigned n = 0; !wrong && n < rig->slices; n++)
        wrong = rig->mechanism->l2.on_call(&rig->slice[n].place, &call);
    return wrong;
}

void engine_rig_begin(EngineRig *rig, uint32_t instructions, bool timed)
{
    HdKernel kernel = {.name = "k", .timed = timed, .engine_instructions = instructions,
                       .engine_pc = instructions ? 7 : HD_NO_PC};
    build(rig);
    for (unsigned n = 0; n < rig->slices; n++) {
        rig->mechanism->l2.on_kernel_begin(&rig->slice[n].place, &kernel);
        rig->slice[n].due = rig->cycle;
    }
}

const char *engine_rig_fault(const EngineRig *rig)
{
    if (*rig->gpu.fault) return rig->gpu.fault;
    for (unsigned n = 0; n < rig->slices; n++)
        if (*rig->slice[n].fault) return rig->slice[n].fault;
    return NULL;
}

const char *engine_rig_end(EngineRig *rig, bool timed)
{
    HdKernel kernel = {.name = "k", .timed = timed};
    for (unsigned n = 0; n < rig->slices; n++)
        rig->mechanism->l2.on_kernel_end(&rig->slice[n].place, &kernel);
    rig->mechanism->gpu.on_kernel_end(&rig->gpu.place, &kernel);
    return engine_rig_fault(rig);
}

void hd_fault(HdPlace *place, uint32_t pc, const char *format, ...)
{
    EngineRigSlice *slice = slice_of(place);
    if (*slice->fault) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(slice->fault, sizeof slice->fault, format, arguments);
    va_end(arguments);
    slice->fault_pc = pc;
}

void *hd_exchanged(HdPlace *gpu, unsigned structure, unsigned level, unsigned number)
{
    EngineRig *rig = slice_of(gpu)->rig;
    assert_int_equal(level, HD_L2);
    return number < rig->slices ? rig->slice[number].structures[structure] : NULL;
}

uint64_t engine_rig_counter(const EngineRig *rig, const char *name)
{
    uint64_t sum = 0;
    for (unsigned i = 0; rig->mechanism->counters[i].name; i++) {
        if (strcmp(rig->mechanism->counters[i].name, name) != 0) continue;
        for (unsigned n = 0; n < rig->slices; n++) sum += rig->slice[n].counters[i];
        return sum;
    }
    fail_msg("no counter %s", name);
    return 0;
}

// ---- requests ----

uint32_t engine_rig_request(EngineRig *rig, unsigned slice, uint32_t lanes, unsigned instruction,
                            uint64_t cycle)
{
    if (rig->request_count == rig->request_capacity) {
        rig->request_capacity = 2 * rig->request_capacity + 64;
        rig->requests = realloc(rig->requests, rig->request_capacity * sizeof *rig->requests);
        assert_non_null(rig->requests);
    }
    rig->requests[rig->request_count] =
        (EngineRigRequest){.cycle = cycle, .answered = UINT64_MAX, .lanes = lanes, .slice = slice,
                           .instruction = (uint16_t)instruction};
    return rig->request_count++;
}

// Offers the requests at a slice's input, the oldest first.
static void offer(EngineRig *rig, unsigned n)
{
    uint32_t *first = &rig->first_open[n];
    for (uint32_t i = *first; i < rig->request_count; i++) {
        EngineRigRequest *r = &rig->requests[i];
        if (i == *first && (r->taken || r->slice != n)) ++*first;
        if (r->slice != n || r->taken) continue;
        if (r->cycle > rig->cycle) return;
        HdEngineRequest request = {.cycle = rig->cycle, .number = i, .lanes = r->lanes,
                                   .instruction = r->instruction};
        if (!rig->mechanism->engine.take_request(&rig->slice[n].place, &request)) return;
        r->taken = true;
        rig->slice[n].due = rig->cycle;
    }
}

bool hd_answer(HdPlace *place, uint32_t number, const HdEngineReply *reply)
{
    EngineRigSlice *slice = slice_of(place);
    EngineRig *rig = slice->rig;
    EngineRigRequest *request = &rig->requests[number];
    assert_true(rig->in_cycle && number < rig->request_count);
    assert_true(request->taken && request->answered == UINT64_MAX);
    if (slice->replies >= rig->reply_places) return false;
    if (!slice->replies) slice->reply_leaves = rig->cycle + rig->reply_cycles;
    slice->replies += reply->bytes[1] ? 2 : 1;
    request->reply = *reply;
    request->answered = rig->cycle;
    request->answered_by = place->number;
    if (rig->on_answer) rig->on_answer(rig, number);
    return true;
}

static void drain_replies(EngineRig *rig, EngineRigSlice *slice)
{
    if (!slice->replies || rig->cycle < slice->reply_leaves) return;
    slice->replies--;
    slice->reply_leaves = rig->cycle + rig->reply_cycles;
}

// ---- reads ----

bool hd_read_line(HdPlace *place, uint64_t line, uint8_t sectors, uint32_t tag, bool past_l2)
{
    EngineRigSlice *slice = slice_of(place);
    EngineRig *rig = slice->rig;
    unsigned at = 0, places = 0;
    for (const HdStructure *s = rig->mechanism->structures; s->name; s++)
        if (s->extent == HD_READS) places = engine_rig_entries(rig, s);
    assert_true(rig->in_cycle && line % 128 == 0 && sectors && sectors < 16);
    assert_int_equal(hd_slice_of(place, line), place->number);
    if (slice->read_count == places) return false;
    while (slice->reads[at].sectors) at++;
    uint64_t latency = rig->latency_of ? rig->latency_of(rig, line) : rig->latency;
    slice->reads[at] = (EngineRigRead){line, rig->cycle + latency, tag, sectors};
    slice->read_count++;
    slice->past_l2 += past_l2;
    return true;
}

// The sectors that were not asked for are poisoned.
static void deliver(EngineRig *rig, EngineRigSlice *slice)
{
    for (unsigned i = 0; i < ENGINE_RIG_READS; i++) {
        EngineRigRead read = slice->reads[i];
        if (!read.sectors || read.cycle > rig->cycle) continue;
        uint8_t bytes[128];
        memset(bytes, 0xee, sizeof bytes);
        for (unsigned k = 0; k < 4; k++)
            if (read.sectors >> k & 1)
                memcpy(bytes + 32 * k, rig->memory + (read.line - ENGINE_RIG_BASE) + 32 * k, 32);
        slice->reads[i].sectors = 0;
        slice->read_count--;
        HdEngineData data = {read.line, rig->cycle, read.tag, read.sectors, bytes};
        rig->mechanism->engine.on_data(&slice->place, &data);
        slice->due = rig->cycle;
    }
}

// ---- links ----

// The slice that receives what this one sends.
static EngineRigSlice *receiver(const HdPlace *place, unsigned structure)
{
    EngineRigSlice *slice = slice_of(place);
    EngineRig *rig = slice->rig;
    HdExtent extent = structure_of(slice, structure)->extent;
    assert_true(rig->in_cycle && (extent == HD_FROM_PREVIOUS || extent == HD_FROM_NEXT));
    unsigned step = extent == HD_FROM_PREVIOUS ? 1 : rig->slices - 1;
    return &rig->slice[(place->number + step) % rig->slices];
}

bool hd_may_send(const HdPlace *place, unsigned structure)
{
    const EngineRigSlice *to = receiver(place, structure);
    const EngineRig *rig = to->rig;
    const EngineRigLink *link = &to->links[structure];
    uint32_t freed = link->dropped_at == rig->cycle ? link->dropped : 0;
    return link->sent_at != rig->cycle &&
           link->count + freed < engine_rig_entries(rig, structure_of(to, structure));
}

bool hd_send(HdPlace *place, unsigned structure, const void *entry)
{
    if (!hd_may_send(place, structure)) return false;
    EngineRigSlice *to = receiver(place, structure);
    EngineRigLink *link = &to->links[structure];
    const HdStructure *s = structure_of(to, structure);
    uint32_t at = (link->head + link->count++) % engine_rig_entries(to->rig, s);
    memcpy((char *)to->structures[structure] + at * s->bytes, entry, s->bytes);
    link->sent_at = to->rig->cycle;
    if (to->due > to->rig->cycle + 1) to->due = to->rig->cycle + 1;
    return true;
}

const void *hd_received(const HdPlace *place, unsigned structure)
{
    const EngineRigSlice *slice = slice_of(place);
    const EngineRigLink *link = &slice->links[structure];
    assert_true(slice->rig->in_cycle || slice->rig->may_peek);
    uint32_t arrived = link->count - (link->count && link->sent_at == slice->rig->cycle &&
                                      slice->rig->in_cycle);
    return arrived ? (char *)slice->structures[structure] +
                         link->head * structure_of(slice, structure)->bytes
                   : NULL;
}

void hd_drop_received(HdPlace *place, unsigned structure)
{
    EngineRigSlice *slice = slice_of(place);
    EngineRigLink *link = &slice->links[structure];
    const HdStructure *s = structure_of(slice, structure);
    unsigned slices = slice->rig->slices, step = s->extent == HD_FROM_NEXT ? 1 : slices - 1;
    EngineRigSlice *sender = &slice->rig->slice[(place->number + step) % slices];
    assert_non_null(hd_received(place, structure));
    if (link->count == engine_rig_entries(slice->rig, s)) {
        sender->room_at = slice->rig->cycle;
        if (sender->due > slice->rig->cycle + 1) sender->due = slice->rig->cycle + 1;
    }
    link->head = (link->head + 1) % engine_rig_entries(slice->rig, structure_of(slice, structure));
    link->count--;
    if (link->dropped_at != slice->rig->cycle) link->dropped = 0;
    link->dropped_at = slice->rig->cycle;
    link->dropped++;
}

static bool entry_comes(const EngineRigSlice *slice)
{
    for (unsigned i = 0; i < ENGINE_RIG_LINKS; i++)
        if (slice->links[i].count && slice->links[i].sent_at == slice->rig->cycle) return true;
    return false;
}

// ---- time ----

static void run_slice(EngineRig *rig, unsigned n)
{
    EngineRigSlice *slice = &rig->slice[n];
    drain_replies(rig, slice);
    if (slice->read_count) deliver(rig, slice);
    offer(rig, n);
    if (slice->due > rig->cycle && !rig->every) return;
    rig->in_cycle = true;
    slice->due = rig->mechanism->engine.on_cycle(&slice->place, rig->cycle);
    rig->in_cycle = false;
    assert_true(slice->due > rig->cycle);
    if (entry_comes(slice) || slice->room_at == rig->cycle) slice->due = rig->cycle + 1;
}

// When something happens at a slice next.
static uint64_t next_event(const EngineRig *rig, const EngineRigSlice *slice)
{
    uint64_t next = slice->due;
    for (unsigned i = 0; slice->read_count && i < ENGINE_RIG_READS; i++)
        if (slice->reads[i].sectors && slice->reads[i].cycle < next) next = slice->reads[i].cycle;
    for (uint32_t i = rig->first_open[slice->place.number]; i < rig->request_count; i++) {
        const EngineRigRequest *r = &rig->requests[i];
        if (r->slice == slice->place.number && !r->taken && r->cycle < next) next = r->cycle;
    }
    return next;
}

void engine_rig_run(EngineRig *rig, uint64_t until)
{
    while (rig->cycle <= until) {
        for (unsigned i = 0; i < rig->slices; i++)
            run_slice(rig, rig->reversed ? rig->slices - 1 - i : i);
        uint64_t next = UINT64_MAX;
        for (unsigned n = 0; n < rig->slices; n++) {
            uint64_t event = next_event(rig, &rig->slice[n]);
            if (event < next) next = event;
        }
        if (next == UINT64_MAX) return;
        // The reply queue drains in between.
        for (unsigned n = 0; n < rig->slices; n++)
            if (rig->slice[n].replies || rig->every) next = rig->cycle + 1;
        rig->cycle = next > rig->cycle ? next : rig->cycle + 1;
    }
}

HdEngineReply engine_rig_execute(EngineRig *rig, uint32_t lanes, unsigned instruction)
{
    HdEngineRequest request = {.lanes = lanes, .instruction = (uint16_t)instruction};
    HdEngineReply reply = {0};
    rig->may_peek = true;
    for (unsigned n = 0; lanes && n < rig->slices; n++)
        lanes &= ~rig->mechanism->engine.execute(&rig->slice[n].place, &request, lanes, &reply);
    rig->may_peek = false;
    return reply;
}
