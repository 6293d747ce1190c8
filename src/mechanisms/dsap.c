// Data-structure aware prefetching: a load of the work list prefetches the next item; the answer
// to that prefetches its vertex, then the vertex's edges, then the visited flags of their heads.
//
// guo2018dsap, section III. The host program says where the four arrays are (on_call; section
// III.D). docs/mechanisms/dsap.md has what the paper leaves open.
#include "heddle/mechanism.h"

#include <string.h>

enum { ADAPTIVE, STATES, THRESHOLD, PERIOD, QUEUE, FIFO, PARAMETERS };
enum { ADAPTIVE_ON, ADAPTIVE_STOP, ADAPTIVE_OFF };
enum { FOUR_STATES, FIVE_STATES };

static const char *const adaptations[] = {"on", "stop", "off", NULL};
static const char *const states[] = {"4", "5", NULL};
static const HdParameter parameters[] = {
    [ADAPTIVE] = {.name = "adaptive",
                  .description = "on: more or fewer arrays, step by step; stop: all or none, and "
                                 "none for a period; off: always all",
                  .value = ADAPTIVE_ON, .choices = adaptations},
    [STATES] = {.name = "states",
                .description = "of adaptive=on; in the fifth one nothing is prefetched",
                .value = FOUR_STATES, .choices = states},
    [THRESHOLD] = {.name = "threshold",
                   .description = "share of used lines above which more is prefetched",
                   .value = 0.8, .min = 0, .max = 1},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "core cycles between steps",
                .value = 10000, .min = 100, .max = 1e9, .integer = true},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 64, .min = 1, .max = 4096, .integer = true},
    [FIFO] = {.name = "fifo", .unit = "answers", .description = "length of the response FIFO",
              .value = 16, .min = 1, .max = 64, .integer = true},
    [PARAMETERS] = {0},
};

// The states of the adaptation: how many arrays are prefetched.
#define IN_STATE(C)                                                                                \
    C(none_periods, "periods", "Periods that ended while nothing was prefetched.")                 \
    C(work_periods, "periods", "Periods that ended with the work list alone.")                     \
    C(vertex_periods, "periods", "Periods that ended with the vertex list too.")                   \
    C(edge_periods, "periods", "Periods that ended with the edge list too.")                       \
    C(visited_periods, "periods", "Periods that ended with all four.")
#define COUNTED(C)                                                                                 \
    C(monitored, "loads", "Loads of the work list.")                                               \
    C(work, "requests", "Requests for items of the work list.")                                    \
    C(vertex, "requests", "Requests for lines of the vertex list.")                                \
    C(edge, "requests", "Requests for lines of the edge list.")                                    \
    C(visited, "requests", "Requests for items of the visited list.")                              \
    C(answers, "answers", "Answers of the first three lists, which the FIFO took or lost.")        \
    C(processed, "answers", "Of answers: those that the unit has processed.")                      \
    C(masked, "answers", "Of processed: the mask kept their generator from a request.")            \
    C(fifo_full, "answers", "Of answers: lost because the FIFO was full.")                         \
    C(fifo_kernel_end, "answers", "Of answers: lost in the FIFO when a kernel ended.")             \
    C(used, "lines", "Prefetched lines that were used, in periods that have ended.")               \
    C(left, "lines", "Prefetched lines that were replaced unused, in periods that have ended.")    \
    C(upgrades, "steps", "Steps to more arrays.")                                                  \
    C(downgrades, "steps", "Steps to fewer arrays.")                                               \
    C##_ARRAY(in_state, 5, IN_STATE)
HD_COUNTERS(Counted, COUNTED);

// ---- storage ----

// The arrays, in the order of their use; their elements have 4 bytes. The vertex list has the first
// edge of each vertex.
enum { WORK, VERTEX, EDGE, VISITED, ARRAYS };
enum { ELEMENT = 4, SECTOR = 32, MAX_LINE = 128 };
typedef struct Range { // two registers of 64 bits
    uint64_t begin, end;
} Range;

// The runtime information table has 36 bytes for each warp. The paper names the vertex and the
// indices of its edges; bits 0 and 1 of `valid` say which of the two are known.
typedef struct Vertex {
    uint32_t number, begin, end, valid, reserved[5];
} Vertex;
enum { BOTH = 3 };

// An answer in the response FIFO: the line in units of 32 bytes, the requested word in it, the
// warp, the sectors that came, and their bytes.
#define RESPONSE(F) F(low, 32) F(high, 11) F(word, 5) F(warp_slot, 9) F(sectors, 4)
HD_BIT_FIELDS(ResponseHead, RESPONSE);
typedef struct Response {
    ResponseHead head;
    uint8_t values[MAX_LINE];
} Response;

// The generators: the answer in front, how many there are, and its next request.
#define GENERATOR(F) F(first, 6) F(waiting, 7) F(next, 28)
HD_BIT_FIELDS(Generator, GENERATOR);
// The adaptive controller. idle: the fifth state, or the pause of adaptive=stop.
#define CONTROL(F) F(mask, 3) F(idle, 1) F(used, 16) F(left, 16)
HD_BIT_FIELDS(Control, CONTROL);
enum { FULL = 7, COUNT_MAX = UINT16_MAX };
#define LINE(F) F(unused, 1)
HD_BIT_FIELDS(Line, LINE);

enum { RANGES, TABLE, RESPONSES, GENERATORS, CONTROLS, LINES, PREFETCHES };
enum { TAG_BITS = 5, TAGS = 8 }; // a word of a line; as many as loads merge on the GTX 480
static const HdStructure structures[] = {
    [RANGES] = {"address ranges", HD_EACH_L1, ARRAYS, HD_FIXED, 128, sizeof(Range)},
    [TABLE] = {"runtime information", HD_EACH_L1, 0, HD_PER_WARP, 288, sizeof(Vertex)},
    [RESPONSES] = {"response FIFO", HD_EACH_L1, FIFO, HD_BY_PARAMETER,
                   ResponseHead_bits + 8 * MAX_LINE, sizeof(Response)},
    [GENERATORS] = {"request generators", HD_EACH_L1, 1, HD_FIXED, Generator_bits,
                    sizeof(Generator)},
    [CONTROLS] = {"adaptive controller", HD_EACH_L1, 1, HD_FIXED, Control_bits, sizeof(Control)},
    [LINES] = {"unused lines", HD_EACH_L1, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [PREFETCHES] = {"prefetch queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE,
                    HD_TAGGED_PREFETCH_BITS(TAG_BITS), sizeof(HdTaggedPrefetch)},
    {0},
};

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    (void)place;
    if (structure == CONTROLS) *(Control *)entry = (Control){.mask = FULL};
}

// ---- the address space classifier ----

// The array of an address; ARRAYS: none.
static unsigned array_of(const HdPlace *place, uint64_t address)
{
    const Range *ranges = place->structures[RANGES];
    unsigned array = 0;
    while (array < ARRAYS && !(address >= ranges[array].begin && address < ranges[array].end))
        array++;
    return array;
}

// The address of an element; 0: the array has no such element.
static uint64_t element(const HdPlace *place, unsigned array, uint64_t index)
{
    const Range *range = (const Range *)place->structures[RANGES] + array;
    return index < (range->end - range->begin) / ELEMENT ? range->begin + index * ELEMENT : 0;
}

// Whether the array overlaps another one.
static bool overlaps(const Range *ranges, unsigned array, Range range)
{
    bool any = false;
    for (unsigned i = 0; i < ARRAYS; i++)
        any |= i != array && range.begin < ranges[i].end && ranges[i].begin < range.end;
    return any;
}

static const char *mark(Range *ranges, const HdCall *call)
{
    if (call->count != 3) return "expected mark(id, address, bytes)";
    uint64_t id = call->values[0], address = call->values[1], bytes = call->values[2];
    Range range = {address, address + bytes};
    if (id >= ARRAYS)
        return "expected the id 0 (work list), 1 (vertex list), 2 (edge list) or 3 (visited list)";
    if (!bytes) range = (Range){0}; // no array
    if (address % ELEMENT || bytes % ELEMENT)
        return "expected an address and a size in bytes that are multiples of 4";
    if (bytes && call->allocated(call, address) < bytes)
        return "expected an array in one allocation, which has not been freed";
    if (overlaps(ranges, (unsigned)id, range))
        return "expected an array that overlaps no other marked one";
    ranges[id] = range;
    return NULL;
}

static const char *set_size(Range *ranges, const HdCall *call)
{
    Range *work = &ranges[WORK];
    if (call->count != 1) return "expected size(entries)";
    if (!work->begin)
        return "expected a work list: mark(0, address, bytes) before it, and again after the list "
               "has been freed";
    uint64_t entries = call->values[0];
    if (entries > call->allocated(call, work->begin) / ELEMENT)
        return "expected at most the entries of the work list";
    Range range = {work->begin, work->begin + entries * ELEMENT};
    if (overlaps(ranges, WORK, range))
        return "expected a work list that overlaps no other marked array";
    *work = range;
    return NULL;
}

static const char *on_call(HdPlace *place, const HdCall *call)
{
    Range *ranges = place->structures[RANGES];
    if (strcmp(call->verb, "mark") == 0) return mark(ranges, call);
    if (strcmp(call->verb, "size") == 0) return set_size(ranges, call);
    return "expected mark(id, address, bytes) or size(entries)";
}

// An array in freed memory is none: the next allocation may get its addresses.
static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    Range *ranges = place->structures[RANGES];
    for (unsigned i = 0; i < ARRAYS; i++)
        if (ranges[i].begin >= address && ranges[i].begin - address < bytes)
            ranges[i] = (Range){0};
}

// ---- requests ----

static void request(HdPlace *place, uint64_t address, uint16_t warp_slot, uint64_t *count)
{
    uint32_t word = (uint32_t)(address % place->line_bytes / ELEMENT);
    if (address) *count += hd_prefetch_tagged(place, address, word, warp_slot);
}

// The memory access monitor: a load of the work list requests the item behind that of its last
// lane.
static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *load)
{
    const Control *control = place->structures[CONTROLS];
    Counted *counted = place->counters;
    if (load->kind != HD_LOAD || !load->lanes || load->bypasses_l1) return;
    uint64_t last = load->addresses[31 - __builtin_clz(load->lanes)];
    if (array_of(place, last) != WORK) return;
    counted->monitored++;
    if (control->idle || array_of(place, last + ELEMENT) != WORK) return;
    request(place, last + ELEMENT, load->warp_slot, &counted->work);
}

// Whether the mask lets the generator of the next array work on an answer of this one. If not, this
// is counted.
static bool is_allowed(HdPlace *place, unsigned array)
{
    const Control *control = place->structures[CONTROLS];
    bool allowed = !control->idle && control->mask & 4 >> array;
    ((Counted *)place->counters)->masked += !allowed;
    return allowed;
}

static uint64_t line_of(const Response *response)
{
    return ((uint64_t)response->head.high << 32 | response->head.low) * SECTOR;
}

// The requested address.
static uint64_t address_of(const Response *response)
{
    return line_of(response) + (uint64_t)response->head.word * ELEMENT;
}

// The value at an address, if the answer has it.
static bool value_at(const Response *response, uint64_t address, uint32_t *value)
{
    uint64_t offset = address - line_of(response); // of another line: large
    if (offset >= MAX_LINE || !(response->head.sectors >> offset / SECTOR & 1)) return false;
    memcpy(value, response->values + offset, sizeof *value);
    return true;
}

// ---- the request generators ----

// Each puts one request into the queue for an answer, by its number `next`, and returns the number
// of the one that follows; 0: there is none.

// An item of the work list: the line of its vertex and of the next one, which ends its edges. Two
// requests if these are two lines.
static uint32_t generate_vertex(HdPlace *place, const Response *response, Vertex *vertex,
                                uint32_t next)
{
    Counted *counted = place->counters;
    uint32_t number = 0;
    if (!value_at(response, address_of(response), &number)) return 0;
    if (!next) *vertex = (Vertex){.number = number};
    if (!is_allowed(place, WORK)) return 0;
    uint64_t begin = element(place, VERTEX, number),
             end = element(place, VERTEX, number + UINT64_C(1));
    request(place, next ? end : begin, response->head.warp_slot, &counted->vertex);
    return !next && begin && end && begin / place->line_bytes != end / place->line_bytes;
}

// A line of the vertex list: with both indices known, each line of the edges between them. Only the
// answer that completes them does so.
static uint32_t generate_edges(HdPlace *place, const Response *response, Vertex *vertex,
                               uint32_t next)
{
    Counted *counted = place->counters;
    uint32_t known = next ? 0 : vertex->valid;
    uint64_t from = element(place, VERTEX, vertex->number),
             to = element(place, VERTEX, vertex->number + UINT64_C(1));
    if (!next && value_at(response, from, &vertex->begin)) vertex->valid |= 1;
    if (!next && value_at(response, to, &vertex->end)) vertex->valid |= 2;
    if (vertex->valid != BOTH || known == BOTH || vertex->begin >= vertex->end) return 0;
    uint64_t first = element(place, EDGE, vertex->begin),
             last = element(place, EDGE, vertex->end - UINT64_C(1));
    if (!first || !last || !is_allowed(place, VERTEX)) return 0;
    uint64_t line = first / place->line_bytes + next;
    request(place, next ? line * place->line_bytes : first, response->head.warp_slot,
            &counted->edge);
    return line < last / place->line_bytes ? next + 1 : 0;
}

// The first word of the line, from `word` on, that is an edge of the vertex and has come.
static uint32_t find_edge(const HdPlace *place, const Response *response, const Vertex *vertex,
                          uint32_t word)
{
    uint64_t begin = element(place, EDGE, vertex->begin), line = line_of(response);
    uint64_t end = begin + (uint64_t)(vertex->end - vertex->begin) * ELEMENT;
    uint32_t head, words = place->line_bytes / ELEMENT;
    for (; begin && word < words; word++) {
        uint64_t at = line + word * ELEMENT;
        if (at >= begin && at < end && value_at(response, at, &head)) return word;
    }
    return words;
}

// A line of edges: the visited flag of each head. `next` is a word of the line.
static uint32_t generate_visited(HdPlace *place, const Response *response, const Vertex *vertex,
                                 uint32_t next)
{
    Counted *counted = place->counters;
    if (vertex->valid != BOTH) return 0;
    uint32_t head, words = place->line_bytes / ELEMENT;
    uint32_t word = find_edge(place, response, vertex, next);
    if (!value_at(response, line_of(response) + word * ELEMENT, &head)) return 0;
    if (!is_allowed(place, EDGE)) return 0;
    request(place, element(place, VISITED, head), response->head.warp_slot, &counted->visited);
    word = find_edge(place, response, vertex, word + 1);
    return word < words ? word : 0;
}

// In each cycle one request, for the answer at the head of the FIFO.
static void on_wake(HdPlace *place, uint64_t cycle)
{
    Counted *counted = place->counters;
    Generator *generator = place->structures[GENERATORS];
    if (!generator->waiting) return;
    const Response *response = (Response *)place->structures[RESPONSES] + generator->first;
    Vertex *vertex = (Vertex *)place->structures[TABLE] + response->head.warp_slot;
    unsigned array = array_of(place, address_of(response));
    generator->next = array == WORK     ? generate_vertex(place, response, vertex, generator->next)
                      : array == VERTEX ? generate_edges(place, response, vertex, generator->next)
                                        : generate_visited(place, response, vertex,
                                                           generator->next);
    if (!generator->next) {
        generator->first = (generator->first + 1u) % (uint32_t)place->parameters[FIFO];
        generator->waiting--;
        counted->processed++;
    }
    if (generator->waiting) hd_wake(place, cycle + 1);
}

// ---- answers ----

// A prefetched line is used or not yet used from now on. A line that several prefetches ask for is
// that of the one that has fetched it.
static void note_line(HdPlace *place, const HdPrefetched *answer)
{
    Line *lines = place->structures[LINES];
    Control *control = place->structures[CONTROLS];
    if (answer->outcome != HD_MISS) return;
    if (answer->late) control->used += control->used < COUNT_MAX;
    else if (answer->line_index != HD_NO_INDEX) lines[answer->line_index].unused = 1;
}

static void on_prefetch(HdPlace *place, const HdPrefetched *answer)
{
    Counted *counted = place->counters;
    Generator *generator = place->structures[GENERATORS];
    uint64_t address = answer->line + (uint64_t)answer->tag * ELEMENT;
    unsigned array = array_of(place, address);
    bool requested = answer->sector_mask >> answer->tag * ELEMENT / SECTOR & 1;
    if (requested) note_line(place, answer); // else another sector of its line
    uint8_t sectors = answer->sector_mask & answer->value_sectors;
    if (array >= VISITED || (array == WORK && !requested) || !sectors) return;
    counted->answers++;
    uint32_t entries = (uint32_t)place->parameters[FIFO];
    if (generator->waiting == entries) {
        counted->fifo_full++;
        return;
    }
    Response *response = (Response *)place->structures[RESPONSES] +
                         (generator->first + generator->waiting++) % entries;
    uint64_t block = answer->line / SECTOR;
    response->head = (ResponseHead){.low = (uint32_t)block, .high = (uint32_t)(block >> 32),
                                    .word = answer->tag, .warp_slot = answer->warp_slot,
                                    .sectors = sectors};
    memcpy(response->values, answer->values, place->line_bytes);
    hd_wake(place, answer->cycle + 1);
}

static void on_kernel_end(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    Generator *generator = place->structures[GENERATORS];
    ((Counted *)place->counters)->fifo_kernel_end += generator->waiting;
    *generator = (Generator){0};
}

// ---- adaptation ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    Line *lines = place->structures[LINES];
    Control *control = place->structures[CONTROLS];
    if (access->outcome != HD_HIT || access->kind == HD_STORE ||
        access->line_index == HD_NO_INDEX || !lines[access->line_index].unused)
        return;
    lines[access->line_index].unused = 0;
    control->used += control->used < COUNT_MAX;
}

static void on_evict(HdPlace *place, const HdEviction *line)
{
    const Line *lines = place->structures[LINES];
    Control *control = place->structures[CONTROLS];
    if (lines[line->line_index].unused) control->left += control->left < COUNT_MAX;
}

// Indices of Counted.in_state.
static unsigned state_of(const Control *control)
{
    return control->idle ? 0 : 1u + (unsigned)__builtin_popcount(control->mask);
}

// The mask shift tables (Fig. 7).
static void shift(Control *control, bool up, bool five)
{
    static const uint8_t more[FULL + 1] = {[0] = 4, [4] = 6, [6] = FULL, [FULL] = FULL};
    static const uint8_t fewer[FULL + 1] = {[0] = 0, [4] = 0, [6] = 4, [FULL] = 6};
    if (up && control->idle) control->idle = 0;
    else if (!up && !control->mask) control->idle = five;
    else control->mask = (up ? more : fewer)[control->mask];
}

// A period has ended. Where no line was used or left, the state stays; but the lowest ones go up,
// because they may never have such a line.
static void step(HdPlace *place, unsigned used, unsigned left)
{
    Control *control = place->structures[CONTROLS];
    Counted *counted = place->counters;
    double adaptive = place->parameters[ADAPTIVE];
    unsigned resolved = used + left, before = state_of(control);
    bool above = used > place->parameters[THRESHOLD] * resolved;
    counted->in_state[before]++;
    if (adaptive == ADAPTIVE_STOP) control->idle = !control->idle && resolved && !above;
    else if (adaptive == ADAPTIVE_ON && (resolved || !control->mask))
        shift(control, above || !resolved, place->parameters[STATES] == FIVE_STATES);
    counted->upgrades += state_of(control) > before;
    counted->downgrades += state_of(control) < before;
}

// Of several periods, the first one had the lines. Two without lead from the lowest state to one
// that stays.
static void on_period(HdPlace *place, const HdPeriods *ended)
{
    enum { UNTIL_STABLE = 3 };
    Counted *counted = place->counters;
    Control *control = place->structures[CONTROLS];
    unsigned used = control->used, left = control->left;
    counted->used += used;
    counted->left += left;
    control->used = control->left = 0;
    step(place, used, left);
    for (unsigned i = 1; i < ended->count && i < UNTIL_STABLE; i++) step(place, 0, 0);
    if (ended->count > UNTIL_STABLE)
        counted->in_state[state_of(control)] += ended->count - UNTIL_STABLE;
}

HD_MECHANISM(dsap) = {
    .name = "dsap",
    .description = "Prefetches what a graph search loads next, array by array.",
    .paper = "guo2018dsap, section III",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .start_entry = start_entry,
    .levels = HD_L1,
    .l1 = {.on_access = on_access, .on_evict = on_evict, .on_prefetch = on_prefetch,
           .on_period = on_period, .on_kernel_end = on_kernel_end, .on_call = on_call,
           .on_release = on_release},
    .core = {.on_memory_issue = on_memory_issue, .on_wake = on_wake},
    .prefetch = {.when_full = HD_DROP_NEWEST, .no_room = HD_WAIT, .tag_bits = TAG_BITS,
                 .tags = TAGS},
    .reads_values = true,
};
