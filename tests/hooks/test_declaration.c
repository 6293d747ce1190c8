// Declarations of mechanisms: accepted, or rejected with a message that says what is expected.
#include "hooks/declaration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { LEVELS, SIZE, RATE, PARAMETERS };
static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "where", .value = 1, .kind = HD_CHOICE,
                .choices = levels},
    [SIZE] = {.name = "size", .unit = "entries", .description = "of the table", .value = 64,
              .min = 1, .max = 1024, .kind = HD_WHOLE},
    [RATE] = {.name = "rate", .description = "of something", .value = 0.5, .min = 0, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C) C(hits, "accesses", "Hits.") C(misses, "accesses", "Misses.")
HD_COUNTERS(Counted, COUNTED);

#define ENTRY(F) F(tag, 20) F(used, 13)
HD_BIT_FIELDS(Entry, ENTRY);

static uint32_t says(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
    return 0;
}
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    (void)room;
    return HD_PASS;
}
static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
    return HD_DROP;
}
static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)place;
    (void)hit;
    return HD_KEEP;
}
static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)place;
    (void)kernel;
    return fit;
}

#define LINES(each) {"lines", each, SIZE, HD_PREFETCH_QUEUE, HdPrefetch_bits, sizeof(HdPrefetch)}
static const HdStructure structures[] = {
    {"table", HD_EACH_L1, SIZE, HD_BY_PARAMETER, Entry_bits, sizeof(Entry)},
    {"word", HD_EACH_L2, 1, HD_FIXED, 1, 4},
    {"parts", HD_EACH_CACHE, 0, HD_PER_LINE, 4, 1},
    LINES(HD_EACH_CACHE),
    {0}};

// A valid declaration, in which each test changes something.
static HdMechanism whole(void)
{
    return (HdMechanism){
        .name = "whole",
        .description = "Nothing.",
        .paper = "none",
        .parameters = parameters,
        .counters = Counted_list,
        .structures = structures,
        .l1 = {.request_tag = says,
               .decide_insert = decide_insert,
               .decide_clean_eviction = decide_clean_eviction},
        .l2 = {.reply_tag = says,
               .decide_insert = decide_insert,
               .decide_after_hit = decide_after_hit},
        .core = {.decide_block_limit = decide_block_limit},
        .request_tag_bits = 3,
        .reply_tag_bits = 17,
        .copy_back_queue = SIZE,
    };
}

static void refused(HdMechanism mechanism, const char *message)
{
    HdError err = {0};
    if (declaration_check(&mechanism, &err)) fail_msg("not refused: %s", message);
    if (!strstr(err.text, message)) fail_msg("%s\nnot: %s", err.text, message);
}

// The declaration is rejected with one member of `whole` changed.
#define REFUSED(message, ...)                                                                      \
    do {                                                                                           \
        HdMechanism m = whole();                                                                   \
        __VA_ARGS__;                                                                               \
        refused(m, message);                                                                       \
    } while (0)

static void test_taken(void **state)
{
    (void)state;
    HdError err = {0};
    HdMechanism m = whole();
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
    m = (HdMechanism){.name = "bare", .description = "Nothing.", .paper = "none"};
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

static void test_names(void **state)
{
    (void)state;
    REFUSED("a mechanism has no name", m.name = NULL);
    REFUSED("a mechanism has no name", m.name = "");
    static const char *const wrong[] = {"a+b", "a>b", "a:b", "a,b", "a=b", "a.b", "a b", "a/b",
                                        "\303\244"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED("expected a name of letters, digits, - and _", m.name = wrong[i]);
    REFUSED("mechanism none: this name stands for no mechanism", m.name = "none");
    REFUSED("mechanism whole: .description is missing", m.description = NULL);
    REFUSED("mechanism whole: .paper is missing", m.paper = NULL);
}

static void test_levels(void **state)
{
    (void)state;
    static const char *const choices[] = {"l1", "both", NULL};
    REFUSED(".levels = 4: expected 0, HD_L1, HD_L2 or HD_L1 | HD_L2", m.levels = 4);
    HdParameter other[] = {parameters[LEVELS], parameters[SIZE], {0}};
    other[LEVELS] = (HdParameter){.name = "levels", .description = "where", .max = 2};
    REFUSED("parameter levels is a number: expected choices among l1, l2 and l1,l2",
            m.parameters = other);
    other[LEVELS].value = 0;
    other[LEVELS].kind = HD_CHOICE;
    other[LEVELS].choices = choices;
    REFUSED("parameter levels has the choice 'both': expected l1, l2 or l1,l2",
            m.parameters = other);
    // With .levels the mechanism says so itself, and a parameter of that name is its own.
    HdMechanism m = whole();
    HdError err = {0};
    m.parameters = other;
    m.levels = HD_L1 | HD_L2;
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

// The declaration is rejected with parameter `index` of `whole` as it is now.
static void refused_parameter(unsigned index, HdParameter parameter, const char *message)
{
    HdParameter other[PARAMETERS + 1];
    memcpy(other, parameters, sizeof other);
    other[index] = parameter;
    REFUSED(message, m.parameters = other);
}

static void test_parameters(void **state)
{
    (void)state;
    HdParameter p = parameters[RATE];
    p.name = "rate.of";
    refused_parameter(RATE, p, "parameter 'rate.of': expected a name of letters, digits, - and _");
    p.name = "size";
    refused_parameter(RATE, p, "parameter size is given twice");
    p = parameters[RATE];
    p.description = NULL;
    refused_parameter(RATE, p, "parameter rate: .description is missing");
    p = parameters[RATE];
    p.min = 2;
    refused_parameter(RATE, p, "parameter rate: .min = 2, .max = 1: expected");
    p.min = 0.75;
    refused_parameter(RATE, p, "parameter rate: .value = 0.5: expected 0.75 to 1");
    p.min = NAN;
    refused_parameter(RATE, p, ".min = ");
    p = parameters[RATE];
    p.kind = HD_WHOLE;
    refused_parameter(RATE, p, ".value = 0.5: expected a whole number");
    HdParameter many[34] = {0};
    for (size_t i = 0; i < 33; i++) many[i] = parameters[RATE];
    REFUSED("it has 33 parameters: expected at most 32", m.parameters = many);
}

// The kinds of parameters, their values and choices.
static void test_kinds(void **state)
{
    (void)state;
    HdParameter p = parameters[LEVELS];
    p.value = 3;
    refused_parameter(LEVELS, p, ".value = 3: expected the index of one of 3 choices");
    p.value = 0.5;
    refused_parameter(LEVELS, p, ".value = 0.5: expected the index of one of 3 choices");
    p = parameters[RATE];
    p.kind = HD_SWITCH;
    refused_parameter(RATE, p, "parameter rate: .value = 0.5: expected 0 or 1, as for HD_SWITCH");
    p.kind = HD_BYTES;
    refused_parameter(RATE, p, "parameter rate: .value = 0.5: expected a whole number, as for its "
                               ".kind");
    p.value = 1;
    p.min = -1;
    refused_parameter(RATE, p, "parameter rate: .min = -1, .max = 1: expected whole numbers from 0 "
                               "to 2^53, as for its .kind");
    p.min = 0.5;
    refused_parameter(RATE, p, "parameter rate: .min = 0.5, .max = 1: expected whole numbers from "
                               "0 to 2^53, as for its .kind");
    p.min = 0;
    p.kind = HD_WHOLE;
    p.max = 0x1p54;
    refused_parameter(RATE, p, "parameter rate: .min = 0, .max = 1.801439851e+16: expected whole "
                               "numbers from -2^53 to 2^53, as for its .kind");
    p = parameters[RATE];
    p.kind = HD_TEXT;
    refused_parameter(RATE, p, "parameter rate: .kind = 7: expected HD_NUMBER to HD_CHOICE");
    p.kind = HD_CHOICE;
    refused_parameter(RATE, p, "parameter rate: .kind = HD_CHOICE: expected .choices");
    p.kind = HD_NUMBER;
    p.choices = (const char *const[]){"a", "a", NULL};
    refused_parameter(RATE, p, "parameter rate: .choices: expected .kind = HD_CHOICE");
    static const char *const machines =
        "parameter rate: .offset, .size, .text, .when and .absent are for machines: expected 0";
    p = parameters[RATE];
    p.text = "1";
    refused_parameter(RATE, p, machines);
    p = parameters[RATE];
    p.when = "size=1";
    refused_parameter(RATE, p, machines);
    p = parameters[RATE];
    p.size = sizeof(double);
    refused_parameter(RATE, p, machines);
    p = parameters[RATE];
    p.kind = HD_CHOICE;
    p.choices = (const char *const[]){"a", "a", NULL};
    p.value = 0;
    refused_parameter(RATE, p, "parameter rate: the choice a is given twice");
    p.choices = (const char *const[]){"a", "b+c", NULL};
    refused_parameter(RATE, p, "parameter rate: choice 'b+c': expected a text without blanks");
}

static const char *complains(const double *values)
{
    return values[SIZE] == 64 ? "64 brings bad luck" : NULL;
}

static void test_check(void **state)
{
    (void)state;
    REFUSED("its check refuses the default values: 64 brings bad luck",
            m.check = complains);
}

static void test_counters(void **state)
{
    (void)state;
    const HdCounter twice[] = {{"a", "b", "c"}, {"a", "d", "e"}, {0}},
                    bare[] = {{"a", NULL, "c"}, {0}}, nameless[] = {{"", "b", "c"}, {0}};
    REFUSED("counter a is given twice", m.counters = twice);
    REFUSED("counter 'a': expected a name, a unit and a sentence", m.counters = bare);
    REFUSED("counter '': expected a name, a unit and a sentence", m.counters = nameless);
}

static void refused_ratio(HdRatio ratio, const char *message)
{
    const HdRatio list[] = {ratio, {0}};
    REFUSED(message, m.ratios = list);
}

static void test_ratios(void **state)
{
    (void)state;
    refused_ratio((HdRatio){"", "hits", "hits", "A"},
                  "ratio '': expected a name, a part, a whole and a sentence");
    refused_ratio((HdRatio){"rate", "hits", NULL, "A"},
                  "ratio 'rate': expected a name, a part, a whole and a sentence");
    refused_ratio((HdRatio){"rate", "hits", "hits + miss - hits", "A"},
                  "ratio rate: 'miss': expected the name of a counter");
    refused_ratio((HdRatio){"rate", "hits misses", "hits", "A"},
                  "ratio rate: 'hits misses': expected the name of a counter");
    refused_ratio((HdRatio){"rate", "hits", "", "A"},
                  "ratio rate: '': expected the name of a counter");
    refused_ratio((HdRatio){"rate", "hits - ", "hits", "A"},
                  "ratio rate: '': expected the name of a counter");
    refused_ratio((HdRatio){"rate", " ", "hits", "A"},
                  "ratio rate: ' ': expected the name of a counter");
    refused_ratio((HdRatio){"rate", "hits", "hits ", "A"},
                  "ratio rate: 'hits ': expected the name of a counter");
    refused_ratio((HdRatio){"rate", "hits + ", "hits", "A"},
                  "ratio rate: '': expected the name of a counter");
    const HdRatio twice[] = {{"a", "hits", "hits", "A"}, {"a", "misses", "hits", "B"}, {0}};
    REFUSED("ratio a is given twice", m.ratios = twice);
}

static void ends_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    (void)gpu;
    (void)quantum;
}

static void refused_structure(HdStructure structure, const char *message)
{
    const HdStructure list[] = {structure, {0}};
    REFUSED(message, m.structures = list);
}

static void test_structures(void **state)
{
    (void)state;
    refused_structure((HdStructure){"", HD_EACH_L1, 1, HD_FIXED, 8, 1},
                      "structure number 0 has no name");
    refused_structure((HdStructure){"t", (HdEach)9, 1, HD_FIXED, 8, 1},
                      "structure t: each: expected HD_EACH_L1");
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, (HdExtent)99, 8, 1},
                      "structure t: extent: expected one of HdExtent");
    refused_structure((HdStructure){"t", HD_EACH_L1, 0, HD_FIXED, 8, 1},
                      "structure t: entries = 0: expected 1 to 16777216");
    const HdStructure word[] = {{"t", HD_EACH_L1, 0, HD_FROM_GPU, 8, 1}, {0}};
    REFUSED("structure t: entries = 0: expected 1 to 16777216, or 0 and .count_entries",
            (m.structures = word, m.gpu.on_quantum = ends_quantum));
    refused_structure((HdStructure){"t", HD_EACH_L1, 1 << 25, HD_FIXED, 8, 1},
                      "entries = 33554432");
    refused_structure((HdStructure){"t", HD_EACH_L1, PARAMETERS, HD_BY_PARAMETER, 8, 1},
                      "structure t: its entries are given by parameter number 3: expected the "
                      "index of a parameter, or a number with HD_FIXED");
    refused_structure((HdStructure){"t", HD_EACH_L1, PARAMETERS, HD_PREFETCH_QUEUE, 8, 1},
                      "structure t: its entries are given by parameter number 3: expected the "
                      "index of a parameter");
    refused_structure((HdStructure){"t", HD_EACH_L1, RATE, HD_BY_PARAMETER, 8, 1},
                      "given by parameter rate: expected a whole number from at least 1");
    refused_structure((HdStructure){"t", HD_EACH_L1, LEVELS, HD_BY_PARAMETER, 8, 1},
                      "given by parameter levels: expected a whole number");
    refused_structure((HdStructure){"t", HD_EACH_L1, 0, HD_PER_KEY, 8, 1},
                      "structure t: only instruments store without a limit");
    HdParameter p = parameters[SIZE];
    p.min = 0;
    refused_parameter(SIZE, p, "structure table: its entries are given by parameter size");
}

// Entries by slot are at SMs, and the GPU has no lines; words need a hook at the GPU.
static void test_places(void **state)
{
    (void)state;
    refused_structure((HdStructure){"t", HD_EACH_CACHE, 0, HD_PER_WARP, 8, 1},
                      "structure t: it has entries by slots of an SM: expected HD_EACH_L1");
    refused_structure((HdStructure){"t", HD_EACH_L2, 0, HD_PER_BLOCK, 8, 1},
                      "structure t: it has entries by slots of an SM: expected HD_EACH_L1");
    refused_structure((HdStructure){"t", HD_EACH_L2, 0, HD_PER_SCHEDULER, 8, 1},
                      "structure t: it has entries by slots of an SM: expected HD_EACH_L1");
    refused_structure((HdStructure){"t", HD_ONE_GPU, 0, HD_PER_LINE, 8, 1},
                      "structure t: the GPU has no lines, sets, slots and prefetches: expected "
                      "HD_FIXED, HD_BY_PARAMETER or HD_COMPUTED");
    refused_structure((HdStructure){"t", HD_ONE_GPU, 1, HD_FIXED, 8, 1},
                      "structure t: no hook uses it at the GPU: expected hooks in .gpu");
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, HD_TO_GPU, 8, 1},
                      "structure t: no hook uses it at the GPU: expected hooks in .gpu");
}

static void ends(HdPlace *place, const HdPeriods *ended)
{
    (void)place;
    (void)ended;
}

static void test_period(void **state)
{
    (void)state;
    REFUSED("it has a hook on_period: expected a parameter period, in cycles",
            m.l1.on_period = ends);
    HdParameter with[] = {parameters[RATE], {0}};
    with[0].name = "period";
    REFUSED("parameter period: expected a whole number from at least 1",
            (m.l2.on_period = ends, m.parameters = with, m.structures = NULL,
             m.l1.decide_clean_eviction = NULL));
}

// A type has exactly the size that its bit fields need.
static void test_bits(void **state)
{
    (void)state;
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, HD_FIXED, 0, 1},
                      "an entry has 0 bits");
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, HD_FIXED, 33, 4},
                      "an entry of 33 bits does not fit its C type of 32 bits");
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, HD_FIXED, 1, 4096},
                      "an entry has 1 bits, its C type 32768: HD_BIT_FIELDS makes a type");
    refused_structure((HdStructure){"t", HD_EACH_L1, 1, HD_FIXED, 15, 8},
                      "an entry has 15 bits, its C type 64");
    // Bit fields with the most padding: fields of 1 and 32 bits by turns, and of 17.
#define BY_TURNS(F) F(a, 1) F(b, 32) F(c, 1) F(d, 32) F(e, 1)
    HD_BIT_FIELDS(ByTurns, BY_TURNS);
#define HALVES(F) F(a, 17) F(b, 17) F(c, 17) F(d, 17)
    HD_BIT_FIELDS(Halves, HALVES);
    const HdStructure list[] = {{"a", HD_EACH_L1, 1, HD_FIXED, ByTurns_bits, sizeof(ByTurns)},
                                {"b", HD_EACH_L1, 1, HD_FIXED, Halves_bits, sizeof(Halves)},
                                {0}};
    HdMechanism m = whole();
    HdError err = {0};
    m.structures = list;
    assert_int_equal(sizeof(ByTurns), 20);
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

static void test_queues(void **state)
{
    (void)state;
    const HdStructure two[] = {LINES(HD_EACH_L1), LINES(HD_EACH_L2), LINES(HD_EACH_L1), {0}},
                      everywhere[] = {LINES(HD_EACH_CACHE), LINES(HD_EACH_L2), {0}},
                      other[] = {{"lines", HD_EACH_L1, SIZE, HD_PREFETCH_QUEUE, 8, 1}, {0}},
                      right[] = {LINES(HD_EACH_L1), LINES(HD_EACH_L2), {0}};
    REFUSED("expected one prefetch queue per level", m.structures = two);
    REFUSED("expected one prefetch queue per level", m.structures = everywhere);
    REFUSED("of entries of type HdPrefetch", m.structures = other);
    REFUSED(".copy_back_queue of .l1.decide_clean_eviction: its entries are given by parameter "
            "number 3: expected the index of a parameter",
            m.copy_back_queue = PARAMETERS);
    REFUSED(
        ".copy_back_queue of .l1.decide_clean_eviction: its entries are given by parameter rate",
        m.copy_back_queue = RATE);
    HdMechanism m = whole();
    HdError err = {0};
    m.structures = right;
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

static HdQueue decide_queue(HdPlace *place, const HdAccess *access, const HdQueues *queues)
{
    (void)place;
    (void)access;
    (void)queues;
    return HD_PASS;
}

static HdQueue decide_next(HdPlace *place, const HdQueues *queues)
{
    (void)place;
    (void)queues;
    return HD_PASS;
}

static HdStalled decide_stall(HdPlace *place, const HdAccess *load, HdStallReason reason)
{
    (void)place;
    (void)load;
    (void)reason;
    return HD_PASS;
}

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    (void)place;
    (void)structure;
    return 1;
}

static void on_quantum(HdPlace *place, const HdQuantum *quantum)
{
    (void)place;
    (void)quantum;
}

// A hold point, structures with computed entries, tables, and the end of a quantum at SMs.
static void test_hold(void **state)
{
    (void)state;
#define HELD(type) {"held", HD_EACH_L1, 0, HD_HELD, type##_bits, sizeof(type)}
#define QUEUES {"queues", HD_EACH_L1, 0, HD_HOLD_QUEUES, HdHoldQueue_bits, sizeof(HdHoldQueue)}
    const HdStructure held[] = {HELD(HdHeld), {0}}, right[] = {HELD(HdHeld), QUEUES, {0}},
                      wrong[] = {HELD(HdPrefetch), QUEUES, {0}};
    const HdStructure caches[] = {{"t", HD_EACH_CACHE, 0, HD_COMPUTED, 8, 1}, {0}};
    const HdCounter columns[] = {{"a", "b", "c"}, {0}}, nameless[] = {{"a", "b", NULL}, {0}};
    static const char both[] = "a hold point needs both .core.decide_queue and .core.decide_next";
    static const char owns[] = "it owns a hold point: expected one structure of extent HD_HELD, of "
                               "type HdHeld, and one of extent HD_HOLD_QUEUES, of type HdHoldQueue";
#define HOLD                                                                                       \
    m.count_entries = count_entries, m.core.decide_queue = decide_queue,                           \
    m.core.decide_next = decide_next
    REFUSED("structure held: expected .count_entries, which gives its entries",
            (HOLD, m.structures = right, m.count_entries = NULL));
    REFUSED(both, (HOLD, m.structures = right, m.core.decide_next = NULL));
    REFUSED(both, (HOLD, m.structures = right, m.core.decide_queue = NULL));
    REFUSED(owns, (HOLD, m.structures = held));
    REFUSED(owns, (HOLD, m.structures = wrong));
    REFUSED("structure t: its entries are computed: expected HD_EACH_L1, HD_EACH_L2 or HD_ONE_GPU",
            (m.structures = caches, m.count_entries = count_entries));
    REFUSED(".l2.decide_stall is never called: expected .l1.decide_stall",
            m.l2.decide_stall = decide_stall);
    REFUSED(".core.on_quantum is never called: expected .gpu.on_quantum too",
            m.core.on_quantum = on_quantum);
    REFUSED(".columns of a table: no hook fills it: expected hooks in .gpu", m.columns = columns);
    REFUSED("column 'a': expected a name, a unit and a sentence",
            (m.columns = nameless, m.gpu.on_quantum = on_quantum));
    HdMechanism m = whole();
    HdError err = {0};
    HOLD;
    m.structures = right;
    m.l1.decide_stall = decide_stall;
    m.gpu.on_quantum = m.core.on_quantum = on_quantum;
    m.columns = columns;
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

static void test_prefetching(void **state)
{
    (void)state;
    const HdStructure none[] = {{0}}, l1[] = {LINES(HD_EACH_L1), {0}},
                      tagged[] = {{"lines", HD_EACH_L1, SIZE, HD_PREFETCH_QUEUE,
                                   HD_TAGGED_PREFETCH_BITS(4), sizeof(HdTaggedPrefetch)}, {0}};
    REFUSED(".prefetch says how it prefetches: expected a structure of extent HD_PREFETCH_QUEUE",
            (m.structures = none, m.prefetch.no_room = HD_WAIT));
    REFUSED(".prefetch.into_l2: expected a prefetch queue of each L1 and of each slice",
            (m.structures = l1, m.prefetch.into_l2 = true));
    REFUSED("of entries of type HdTaggedPrefetch and HD_TAGGED_PREFETCH_BITS(tag_bits) bits",
            (m.structures = l1, m.prefetch.tag_bits = 4));
    REFUSED("of entries of type HdTaggedPrefetch",
            (m.structures = tagged, m.prefetch.tag_bits = 5));
    REFUSED("of entries of type HdPrefetch", m.structures = tagged);
    REFUSED(".prefetch.tags = 33: expected at most 32, with .prefetch.tag_bits",
            (m.structures = tagged, m.prefetch.tag_bits = 4, m.prefetch.tags = 33));
    REFUSED(".prefetch.tags = 2: expected at most 32, with .prefetch.tag_bits",
            (m.structures = l1, m.prefetch.tags = 2));
    HdMechanism m = whole();
    HdError err = {0};
    m.structures = tagged;
    m.prefetch.tag_bits = 4;
    m.prefetch.tags = 32;
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
}

static void test_hooks(void **state)
{
    (void)state;
    REFUSED(".l2.request_tag is never called: expected .l1.request_tag", m.l2.request_tag = says);
    REFUSED(".l1.reply_tag is never called: expected .l2.reply_tag", m.l1.reply_tag = says);
    REFUSED(".l2.decide_clean_eviction is never called: expected .l1.decide_clean_eviction",
            m.l2.decide_clean_eviction = decide_clean_eviction);
    REFUSED(".l1.decide_after_hit is never called: expected .l2.decide_after_hit",
            m.l1.decide_after_hit = decide_after_hit);
    REFUSED(".request_tag_bits = 0: expected the number of bits of .l1.request_tag",
            m.request_tag_bits = 0);
    REFUSED(".reply_tag_bits = 0: expected the number of bits of .l2.reply_tag",
            m.reply_tag_bits = 0);
    REFUSED(".request_tag_bits = 3, but there is no hook .l1.request_tag", m.l1.request_tag = NULL);
    REFUSED(".reply_tag_bits = 17, but there is no hook .l2.reply_tag", m.l2.reply_tag = NULL);
    REFUSED(".reply_tag_bits = 33: expected at most 32", m.reply_tag_bits = 33);
}

static HdMechanism instrument(void)
{
    return (HdMechanism){.name = "meter", .description = "Nothing.", .paper = "none",
                         .parameters = parameters, .instrument = true};
}

static void test_instruments(void **state)
{
    (void)state;
    const HdStructure all[] = {{"all", HD_EACH_L1, 0, HD_PER_KEY, 32, 4}, {0}},
                      lines[] = {LINES(HD_EACH_L2), {0}};
    HdMechanism m = instrument();
    HdError err = {0};
    m.structures = all;
    if (!declaration_check(&m, &err)) fail_msg("%s", err.text);
    m.structures = lines;
    refused(m, "it is an instrument, which must not prefetch");
    m = instrument();
    m.l2.decide_insert = decide_insert;
    refused(m, "mechanism meter: it is an instrument, which must not have a hook that decides");
    m = instrument();
    m.core.decide_block_limit = decide_block_limit;
    refused(m, "it is an instrument, which must not have a hook that decides");
    m = instrument();
    m.l1.request_tag = says;
    m.request_tag_bits = 1;
    refused(m, "it is an instrument, which must not add bits to packets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken),      cmocka_unit_test(test_names),
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_check),      cmocka_unit_test(test_counters),
        cmocka_unit_test(test_ratios),     cmocka_unit_test(test_structures),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_hold),
        cmocka_unit_test(test_prefetching), cmocka_unit_test(test_period),
        cmocka_unit_test(test_bits),       cmocka_unit_test(test_queues),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_instruments),
    };
    return cmocka_run_group_tests_name("declaration", tests, NULL, NULL);
}
