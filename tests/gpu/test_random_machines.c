// Random machines: each gives the right answers, keeps the invariants, and has the same counters
// with skipped cycles on one host thread as cycle by cycle, with the SMs in another order, on two
// to five host threads. `test_gpu_random_machines A B` tries the machines A to B. Every fourth one
// also prefetches, with rules by which prefetches are served last, dropped and stopped.
//
// The parameters are those of the schema. Of numbers, the least ones, the machine's own and twice
// as much are drawn, and the greatest if it is small; of choices and switches, all.
#include "compare.h"
#include "mix.h"

#include "base/random.h"

static const char machine_name[] = "fermi-gtx480";

// With small values of these the kernels cannot run; the others change nothing here.
static const char *const left_out[] = {"core.local", "memory.capacity", "gpu.capability", NULL};

// What the kernels need of an SM.
enum { KERNEL_THREADS = 100, KERNEL_REGISTERS = 32, KERNEL_SHARED = 4096 };

enum { MOST_SETTINGS = 400, SETTING_TEXT = 96, VALUE_TEXT = 32, MOST_VALUES = 32 };

// A machine that is being drawn: the settings so far, which are possible together.
typedef struct Drawn {
    Config *config;
    char texts[MOST_SETTINGS][SETTING_TEXT];
    const char *settings[MOST_SETTINGS + 1];
    size_t count;
} Drawn;

static bool is_possible(const Config *config)
{
    char notes[4096];
    HdError err = {0};
    const char *limit;
    const Machine *machine = config_target(config);
    return machine_check(machine, notes, sizeof notes, &err) &&
           machine_occupancy(machine, KERNEL_THREADS, KERNEL_REGISTERS, KERNEL_SHARED, &limit,
                             &err);
}

// Sets section.key=value, unless the machine would then be impossible.
static void try_setting(Drawn *drawn, const ConfigSection *section, const HdParameter *p,
                        const char *value)
{
    HdError err = {0};
    char before[PARAMETER_VALUE_TEXT], undo[PARAMETER_VALUE_TEXT + SETTING_TEXT];
    char *text = drawn->texts[drawn->count];
    assert_true(drawn->count < MOST_SETTINGS);
    snprintf(text, SETTING_TEXT, "%s.%s=%s", section->name, p->name, value);
    config_value_text(drawn->config, section, p, before, sizeof before);
    snprintf(undo, sizeof undo, "%s.%s=%s", section->name, p->name, before);
    if (!config_set(drawn->config, text, "--set", &err)) fail_msg("%s", err.text);
    if (is_possible(drawn->config)) {
        drawn->settings[drawn->count++] = text;
        drawn->settings[drawn->count] = NULL;
    } else if (!config_set(drawn->config, undo, "--set", &err)) {
        fail_msg("%s", err.text);
    }
}

// The numbers worth testing, within the bounds of the parameter.
static unsigned numbers_of(const HdParameter *p, double own, double values[MOST_VALUES])
{
    enum { SMALL = 16 };
    bool clock = p->kind == HD_FREQUENCY; // the least one takes long
    const double wanted[] = {clock ? own / 2 : p->min, clock ? own : p->min + 1, own, 2 * own,
                             p->max <= SMALL ? p->max : own};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i] >= p->min && wanted[i] <= p->max) values[count++] = wanted[i];
    return count;
}

static double own_number(const Config *config, const ConfigSection *section, const HdParameter *p)
{
    const char *field = (const char *)config_target(config) + section->offset + p->offset;
    return p->size == sizeof(uint64_t) ? (double)*(const uint64_t *)field
                                       : (double)*(const uint32_t *)field;
}

static void draw_value(Drawn *drawn, const ConfigSection *section, const HdParameter *p,
                       uint64_t bits)
{
    char text[VALUE_TEXT];
    double values[MOST_VALUES];
    unsigned count = 0;
    if (p->kind == HD_TEXT) return;
    if (p->kind == HD_SWITCH) count = 2, values[0] = 0, values[1] = 1;
    else if (p->kind == HD_CHOICE)
        for (; p->choices[count]; count++) values[count] = count;
    else count = numbers_of(p, own_number(drawn->config, section, p), values);
    parameter_number_text(p, values[bits % count], text, sizeof text);
    try_setting(drawn, section, p, text);
}

// Draws a third of the parameters, and their values, by the machine's number.
static void draw(uint64_t number, Drawn *drawn)
{
    uint32_t draws = 0;
    *drawn = (Drawn){.config = bench_config(machine_name, NULL)};
    for (const ConfigSection *s = machine_schema.sections; s->name; s++)
        for (const HdParameter *p = s->parameters; p->name; p++) {
            char name[SETTING_TEXT];
            uint64_t bits = random_draw(number, 1, draws++, 0);
            snprintf(name, sizeof name, "%s.%s", s->name, p->name);
            if (bits % 3 || hd_is_among(name, left_out)) continue;
            draw_value(drawn, s, p, bits >> 8);
        }
    config_free(drawn->config);
}

// Packets that take about a quantum, through a crossbar with limited queues, also with a clock that
// does not meet the ends of quanta: an SM learns the level of its queue late, and no quantum may be
// skipped in which the level changes.
static void test_long_packets(void **state)
{
    (void)state;
    static const char *const machines[][9] = {
        {"icnt.arbiter=input-queued", "icnt.flit=2B", "slice.count=1"},
        {"icnt.arbiter=input-queued", "icnt.flit=1B", "slice.count=1", "icnt.latency=1",
         "slice.rop_latency=4", "icnt.input_buffer=400", "icnt.reply_buffer=400"},
        {"icnt.arbiter=input-queued", "icnt.control=16B", "icnt.frequency=350MHz", "icnt.latency=8",
         "slice.rop_latency=1", "l1d.local_write=through", "l1d.mshr_merges=2",
         "l2.mshr_entries=1"},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        mix_same(machine_name, machines[i], &(GpuOptions){0}, &(GpuOptions){.no_skip = true});
}

// Prefetches the next lines into each cache, with tags.
static void prefetch_next(HdPlace *place, const HdAccess *access)
{
    for (uint32_t i = 1; i <= 3 && access->kind == HD_LOAD; i++)
        hd_prefetch_tagged(place, access->line + i * 128, i, access->warp_slot);
}
static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    (void)place;
    assert_in_range(prefetched->tag, 1, 3);
}
enum { QUEUE };
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    {"queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(2),
     sizeof(HdTaggedPrefetch)}, {0}};
static const HdMechanism next_lines = {
    .name = "next-lines", .parameters = parameters, .structures = structures,
    .prefetch = {.tag_bits = 2}, .levels = HD_L1 | HD_L2,
    .l1 = {.on_access = prefetch_next, .on_prefetch = on_prefetch},
    .l2 = {.on_access = prefetch_next, .on_prefetch = on_prefetch}};
static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&next_lines, 1, name, library, err);
}

// Runs a machine with prefetches into its caches, unless both are off. Queues are so short that
// some prefetches are dropped.
static void run_prefetching(Drawn *drawn, GpuOptions plain, GpuOptions other)
{
    static const char *const rules[] = {
        "dram.prefetches=last", "dram.bank_queue=1", "dram.drop_prefetches=on",
        "memory.prefetch_stop=100", "memory.prefetch_stop_by=gpu", "memory.prefetch_flush=on"};
    if (hd_is_among("l1d.mode=off", drawn->settings) && hd_is_among("l2.mode=off", drawn->settings))
        return;
    HookPlan plan;
    HdError err = {0};
    size_t count = drawn->count;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) drawn->settings[count++] = rules[i];
    drawn->settings[count] = NULL;
    if (!plan_read(&plan, "next-lines", find, &err)) fail_msg("%s", err.text);
    plain.mechanisms = other.mechanisms = &plan;
    mix_same(machine_name, drawn->settings, &plain, &other);
    plan_free(&plan);
}

static uint64_t first = 1, last = 20;

static void test_random_machines(void **state)
{
    (void)state;
    for (uint64_t number = first; number <= last; number++) {
        static Drawn drawn;
        draw(number, &drawn);
        print_message("machine %d:", (int)number);
        for (size_t i = 0; i < drawn.count; i++) print_message(" %s", drawn.settings[i]);
        print_message("\n");
        GpuOptions plain = {.max_cycles = 20000000};
        GpuOptions other = {.max_cycles = 20000000, .no_skip = true, .shuffle = number,
                            .threads = 2 + (unsigned)number % 4};
        mix_same(machine_name, drawn.settings, &plain, &other);
        if (number % 4 == 0) run_prefetching(&drawn, plain, other);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) first = last = strtoull(argv[1], NULL, 10);
    if (argc > 2) last = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_packets),
                                       cmocka_unit_test(test_random_machines)};
    return cmocka_run_group_tests_name("random machines", tests, NULL, NULL);
}
