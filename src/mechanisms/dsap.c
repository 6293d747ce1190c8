// Data-structure aware prefetching: a load of the work list prefetches the next item; the answer
// to that prefetches its vertex, then the vertex's edges, then the visited flags of their heads.
//
// guo2018dsap, section III. The host program says where the four arrays are (on_call; section
// III.D). docs/mechanisms/dsap.md has what the paper leaves open.
#include "heddle/mechanism.h"

#include <string.h>

enum {
    ADAPTIVE, STATES, UNRESOLVED, RESUME, THRESHOLD, PERIOD, QUEUE, FIFO, FLAGS, PARAMETERS
};
enum { ADAPTIVE_ON, ADAPTIVE_STOP, ADAPTIVE_OFF };
enum { FOUR_STATES, FIVE_STATES };
enum { UNRESOLVED_STAYS, UNRESOLVED_UP };
enum { RESUME_PERIOD, RESUME_KERNEL };
enum { FLAGS_OF_VERTEX, FLAGS_OF_LINE };

static const char *const adaptations[] = {"on", "stop", "off", NULL};
static const char *const states[] = {"4", "5", NULL};
static const char *const unresolved[] = {"stay", "up", NULL};
static const char *const resumptions[] = {"period", "kernel", NULL};
static const char *const flags[] = {"vertex", "line", NULL};
static const HdParameter parameters[] = {
    [ADAPTIVE] = {.name = "adaptive",
                  .description = "on: more or fewer arrays, step by step; stop: all or none, and "
                                 "none for a period; off: always all",
                  .value = ADAPTIVE_ON, .kind = HD_CHOICE, .choices = adaptations},
    [STATES] = {.name = "states",
                .description = "of adaptive=on; in the fifth one nothing is prefetched",
                .value = FOUR_STATES, .kind = HD_CHOICE, .choices = states},
    [UNRESOLVED] = {.name = "unresolved",
                    .description = "of adaptive=on: a period in which no prefetched line was used "
                                   "or left keeps the state, or adds an array",
                    .value = UNRESOLVED_STAYS, .kind = HD_CHOICE, .choices = unresolved},
    [RESUME] = {.name = "resume",
                .description = "of adaptive=stop: what ends the time without prefetches",
                .value = RESUME_PERIOD, .kind = HD_CHOICE, .choices = resumptions},
    [THRESHOLD] = {.name = "threshold",
                   .description = "share of used lines above which more is prefetched",
                   .value = 0.8, .min = 0, .max = 1},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "core cycles between steps",
                .value = 10000, .min = 100, .max = 1e9, .kind = HD_WHOLE},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 64, .min = 1, .max = 4096, .kind = HD_WHOLE},
    [FIFO] = {.name = "fifo", .unit = "answers", .description = "length of the response FIFO",
              .value = 16, .min = 1, .max = 64, .kind = HD_WHOLE},
    [FLAGS] = {.name = "visited",
               .description = "whose flags a line of edges requests: of the heads of the vertex's "
                              "own edges, or of all in the line",
               .value = FLAGS_OF_VERTEX, .kind = HD_CHOICE, .choices = flags},
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

// The arrays, in the order of their use. The vertex list has the first edge of each vertex.
enum { WORK, VERTEX, EDGE, VISITED, ARRAYS };
enum { WORD = 4, SECTOR = 32, MAX_LINE = 128 };
typedef struct Range { // two registers of 64 bits; zeros: no array
    uint64_t begin, end;
} Range;
// An array whose memory has been freed, and that has not been marked again: an empty range.
static const Range freed = {UINT64_MAX, UINT64_MAX};
// Whether the elements of an array have 8 bytes; else they have 4.
#define FORMAT(F) F(wide, 1)
HD_BIT_FIELDS(Format, FORMAT);

// The runtime information table has 36 bytes for each warp. The paper names the vertex and the
// indices of its edges; bits 0 and 1 of `valid` say which of the two are known. Ours is the item to
// request behind the warp's load of the work list: its address (0: none), and bits of that load.
typedef struct Vertex {
    uint64_t number, begin, end;
    uint32_t valid, item_low, item_high : 16, pc : 16;
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

enum { RANGES, FORMATS, LIST_END, TABLE, RESPONSES, GENERATORS, CONTROLS, LINES, PREFETCHES };
enum { TAG_BITS = 5, TAGS = 8 }; // a word of a line; as many as loads merge on the GTX 480
static const HdStructure structures[] = {
    [RANGES] = {"address ranges", HD_EACH_L1, ARRAYS, HD_FIXED, 128, sizeof(Range)},
    [FORMATS] = {"element sizes", HD_EACH_L1, ARRAYS, HD_FIXED, Format_bits, sizeof(Format)},
    [LIST_END] = {"end of the marked work list", HD_EACH_L1, 1, HD_FIXED, 64, sizeof(uint64_t)},
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

// Bytes of an element of the array.
static uint32_t element_bytes(const HdPlace *place, unsigned array)
{
    return ((const Format *)place->structures[FORMATS])[array].wide ? 2 * WORD : WORD;
}

// The address of an element; 0: the array has no such element.
static uint64_t element(const HdPlace *place, unsigned array, uint64_t index)
{
    const Range *range = (const Range *)place->structures[RANGES] + array;
    uint32_t bytes = element_bytes(place, array);
    return index < (range->end - range->begin) / bytes ? range->begin + index * bytes : 0;
}

// Refuses a range for the array that overlaps another one.
static const char *refuse_overlap(const Range *ranges, unsigned array, Range range)
{
    static const char *const overlapping[] = {
        [WORK] = "expected an array that does not overlap the work list",
        [VERTEX] = "expected an array that does not overlap the vertex list",
        [EDGE] = "expected an array that does not overlap the edge list",
        [VISITED] = "expected an array that does not overlap the visited list"};
    for (unsigned i = 0; i < ARRAYS; i++)
        if (i != array && range.begin < ranges[i].end && ranges[i].begin < range.end)
            return overlapping[i];
    return NULL;
}

// Elements have 4 bytes, unless the fourth value says otherwise.
static const char *mark(HdPlace *place, const HdCall *call)
{
    Range *ranges = place->structures[RANGES];
    if (call->count != 3 && call->count != 4)
        return "expected mark(id, address, bytes) or mark(id, address, bytes, bytes of an element)";
    uint64_t id = call->values[0], address = call->values[1], bytes = call->values[2],
             of_element = call->count == 4 ? call->values[3] : WORD;
    if (id >= ARRAYS)
        return "expected the id 0 (work list), 1 (vertex list), 2 (edge list) or 3 (visited list)";
    if (of_element != WORD && of_element != 2 * WORD) return "expected elements of 4 or 8 bytes";
    if (address % of_element || bytes % of_element)
        return "expected an address and a size in bytes that are multiples of an element's bytes";
    if (bytes && call->allocated(call, address) < bytes)
        return "expected an array in one allocation, which has not been freed";
    Range range = bytes ? (Range){address, address + bytes} : (Range){0}; // {0}: no array
    const char *refused = refuse_overlap(ranges, (unsigned)id, range);
    if (refused) return refused;
    ranges[id] = range;
    ((Format *)place->structures[FORMATS])[id].wide = of_element != WORD;
    if (id == WORK) *(uint64_t *)place->structures[LIST_END] = range.end;
    return NULL;
}

// Refuses a search in which an array has been freed: without it, the others are of little use.
static const char *refuse_freed(const Range *ranges)
{
    static const char *const marked_again[] = {
        [WORK] = "expected a work list: mark(0, address, bytes) before it, and again after the "
                 "list has been freed",
        [VERTEX] = "expected the vertex list to be marked again after it has been freed: "
                   "mark(1, address, bytes), or 0 bytes for none",
        [EDGE] = "expected the edge list to be marked again after it has been freed: "
                 "mark(2, address, bytes), or 0 bytes for none",
        [VISITED] = "expected the visited list to be marked again after it has been freed: "
                    "mark(3, address, bytes), or 0 bytes for none"};
    for (unsigned i = 0; i < ARRAYS; i++)
        if (ranges[i].begin == freed.begin || (i == WORK && !ranges[i].begin))
            return marked_again[i];
    return NULL;
}

static const char *set_size(HdPlace *place, const HdCall *call)
{
    Range *work = (Range *)place->structures[RANGES] + WORK;
    uint64_t end = *(uint64_t *)place->structures[LIST_END], bytes = element_bytes(place, WORK);
    if (call->count != 1) return "expected size(entries)";
    const char *refused = refuse_freed(work - WORK);
    if (refused) return refused;
    uint64_t entries = call->values[0];
    if (entries > (end - work->begin) / bytes)
        return "expected at most as many entries as the marked work list has";
    Range range = {work->begin, work->begin + entries * bytes};
    refused = refuse_overlap(work - WORK, WORK, range);
    if (!refused) *work = range;
    return refused;
}

static const char *on_call(HdPlace *place, const HdCall *call)
{
    if (strcmp(call->verb, "mark") == 0) return mark(place, call);
    if (strcmp(call->verb, "size") == 0) return set_size(place, call);
    return "expected mark(id, address, bytes) or size(entries)";
}

// An array in freed memory has no elements: the next allocation may get its addresses.
static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    Range *ranges = place->structures[RANGES];
    for (unsigned i = 0; i < ARRAYS; i++)
        if (ranges[i].begin >= address && ranges[i].begin - address < bytes)
            ranges[i] = freed;
}

// ---- requests ----

static void request(HdPlace *place, uint64_t address, uint16_t warp_slot, uint64_t *count)
{
    uint32_t word = (uint32_t)(address % place->line_bytes / WORD);
    if (address) *count += hd_prefetch_tagged(place, address, word, warp_slot);
}

// The memory access monitor: a load of the work list requests the item behind that of its last
// lane.
static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *load)
{
    Counted *counted = place->counters;
    Vertex *vertex = (Vertex *)place->structures[TABLE] + load->warp_slot;
    if (load->kind != HD_LOAD || !load->lanes || load->bypasses_l1) return;
    uint64_t last = load->addresses[31 - __builtin_clz(load->lanes)];
    if (array_of(place, last) != WORK) return;
    counted->monitored++;
    uint64_t next = last + element_bytes(place, WORK);
    if (array_of(place, next) != WORK) next = 0;
    vertex->item_low = (uint32_t)next;
    vertex->item_high = (uint16_t)(next >> 32);
    vertex->pc = (uint16_t)load->pc;
}

// The load's last access has been looked up. The request goes behind it: mostly it is for the line
// of the load, which it must not fetch for the load.
static void request_item(HdPlace *place, const HdAccess *access)
{
    const Control *control = place->structures[CONTROLS];
    Vertex *vertex = (Vertex *)place->structures[TABLE] + access->warp_slot;
    uint64_t next = (uint64_t)vertex->item_high << 32 | vertex->item_low;
    if (!next || vertex->pc != (uint16_t)access->pc) return;
    vertex->item_low = vertex->item_high = 0;
    if (!control->idle)
        request(place, next, access->warp_slot, &((Counted *)place->counters)->work);
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
    return line_of(response) + (uint64_t)response->head.word * WORD;
}

// The element of the array at an address, if the answer has it.
static bool value_at(const HdPlace *place, const Response *response, unsigned array,
                     uint64_t address, uint64_t *value)
{
    uint64_t offset = address - line_of(response); // of another line: large
    if (offset >= MAX_LINE || !(response->head.sectors >> offset / SECTOR & 1)) return false;
    *value = 0;
    memcpy(value, response->values + offset, element_bytes(place, array)); // little-endian
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
    uint64_t number;
    if (!value_at(place, response, WORK, address_of(response), &number)) return 0;
    if (!next) {
        vertex->number = number;
        vertex->valid = 0;
    }
    if (!is_allowed(place, WORK)) return 0;
    uint64_t begin = element(place, VERTEX, number),
             end = element(place, VERTEX, number + 1);
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
             to = element(place, VERTEX, vertex->number + 1);
    if (!next && value_at(place, response, VERTEX, from, &vertex->begin)) vertex->valid |= 1;
    if (!next && value_at(place, response, VERTEX, to, &vertex->end)) vertex->valid |= 2;
    if (vertex->valid != BOTH || known == BOTH || vertex->begin >= vertex->end) return 0;
    uint64_t first = element(place, EDGE, vertex->begin),
             last = element(place, EDGE, vertex->end - 1);
    if (!first || !last || !is_allowed(place, VERTEX)) return 0;
    uint64_t line = first / place->line_bytes + next;
    request(place, next ? line * place->line_bytes : first, response->head.warp_slot,
            &counted->edge);
    return line < last / place->line_bytes ? next + 1 : 0;
}

// The edges whose heads' flags are requested: the vertex's own, if both its indices are known; with
// visited=line all.
static Range edges_followed(const HdPlace *place, const Vertex *vertex)
{
    if (place->parameters[FLAGS] == FLAGS_OF_LINE)
        return ((const Range *)place->structures[RANGES])[EDGE];
    uint64_t begin = vertex->valid == BOTH ? element(place, EDGE, vertex->begin) : 0;
    if (!begin) return (Range){0};
    return (Range){begin, begin + (vertex->end - vertex->begin) * element_bytes(place, EDGE)};
}

// The first word of the line, from `word` on, where an edge begins that is followed and has come.
static uint32_t find_edge(const HdPlace *place, const Response *response, const Vertex *vertex,
                          uint32_t word, uint64_t *head)
{
    Range edges = edges_followed(place, vertex);
    uint64_t line = line_of(response);
    uint32_t words = place->line_bytes / WORD, bytes = element_bytes(place, EDGE);
    for (; word < words; word += bytes / WORD) {
        uint64_t at = line + word * WORD;
        if (at >= edges.begin && at < edges.end && value_at(place, response, EDGE, at, head))
            return word;
    }
    return words;
}

// A line of edges: the visited flag of each head. `next` is a word of the line.
static uint32_t generate_visited(HdPlace *place, const Response *response, const Vertex *vertex,
                                 uint32_t next)
{
    Counted *counted = place->counters;
    uint64_t head;
    uint32_t words = place->line_bytes / WORD, bytes = element_bytes(place, EDGE);
    uint32_t word = find_edge(place, response, vertex, next, &head);
    if (word >= words || !is_allowed(place, EDGE)) return 0;
    request(place, element(place, VISITED, head), response->head.warp_slot, &counted->visited);
    word = find_edge(place, response, vertex, word + bytes / WORD, &head);
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
    uint64_t address = answer->line + (uint64_t)answer->tag * WORD;
    unsigned array = array_of(place, address);
    bool requested = answer->sector_mask >> answer->tag * WORD / SECTOR & 1;
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
    Control *control = place->structures[CONTROLS];
    ((Counted *)place->counters)->fifo_kernel_end += generator->waiting;
    *generator = (Generator){0};
    if (place->parameters[ADAPTIVE] == ADAPTIVE_STOP &&
        place->parameters[RESUME] == RESUME_KERNEL)
        control->idle = 0;
}

// ---- adaptation ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    Line *lines = place->structures[LINES];
    Control *control = place->structures[CONTROLS];
    if (access->kind == HD_LOAD && access->lanes && access->number + 1 == access->count)
        request_item(place, access);
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

// A period has ended. If no line was used or left, the lowest states go up all the same: they may
// never have such a line.
static void step(HdPlace *place, unsigned used, unsigned left)
{
    Control *control = place->structures[CONTROLS];
    Counted *counted = place->counters;
    double adaptive = place->parameters[ADAPTIVE];
    unsigned resolved = used + left, before = state_of(control);
    double enough = place->parameters[THRESHOLD] * resolved;
    bool above = used > enough;
    counted->in_state[before]++;
    bool moves = resolved || !control->mask || place->parameters[UNRESOLVED] == UNRESOLVED_UP;
    if (adaptive == ADAPTIVE_STOP)
        control->idle = control->idle ? place->parameters[RESUME] == RESUME_KERNEL : used < enough;
    else if (adaptive == ADAPTIVE_ON && moves)
        shift(control, above || !resolved, place->parameters[STATES] == FIVE_STATES);
    counted->upgrades += state_of(control) > before;
    counted->downgrades += state_of(control) < before;
}

// Of several periods, the first one had the lines. The others lead to a state that stays.
static void on_period(HdPlace *place, const HdPeriods *ended)
{
    Counted *counted = place->counters;
    Control *control = place->structures[CONTROLS];
    unsigned used = control->used, left = control->left, before = ARRAYS + 1; // no state
    counted->used += used;
    counted->left += left;
    control->used = control->left = 0;
    step(place, used, left);
    uint64_t others = ended->count - 1;
    for (; others && state_of(control) != before; others--) {
        before = state_of(control);
        step(place, 0, 0);
    }
    counted->in_state[state_of(control)] += others;
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
