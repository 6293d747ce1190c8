// The tables of parameters: their defaults are accepted and make a memory side that works.
#include "memory/memory_side.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

typedef struct Target {
    IcntConfig icnt;
    SliceConfig slice;
    CacheConfig l2;
    DramConfig dram;
    AtomicsConfig atomics;
} Target;

static const ConfigSection sections[] = {
    {"icnt", icnt_parameters, offsetof(Target, icnt), "The network."},
    {"slice", slice_parameters, offsetof(Target, slice), "The L2 slices."},
    {"l2", cache_parameters, offsetof(Target, l2), "The cache of a slice."},
    {"dram", dram_parameters, offsetof(Target, dram), "The DRAM channels."},
    {"atomics", atomics_parameters, offsetof(Target, atomics), "Global atomics."},
    {0},
};
static const ConfigSchema schema = {sections, sizeof(Target)};

static MemorySide *build(const Target *target, HdError *err)
{
    Clocks clocks = {.khz = {[CLOCK_CORE] = 700000,
                             [CLOCK_ICNT] = target->icnt.frequency,
                             [CLOCK_L2] = target->slice.frequency,
                             [CLOCK_DRAM] = target->dram.frequency}};
    if (!clocks_derive(&clocks, err)) return NULL;
    MemoryConfig config = {&target->icnt, &target->l2, &target->slice, &target->dram,
                           &target->atomics, false};
    return memory_side_new(&config, &clocks, 15, NULL, 0, err);
}

static void defaults_are_the_gtx480(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = config_new(&schema, &err);
    if (!config) fail_msg("%s", err.text);
    const Target *target = config_target(config);
    assert_int_equal(target->icnt.flit, 40);
    assert_int_equal(target->slice.count, 12);
    assert_int_equal(target->slice.select, SELECT_BANK);
    assert_int_equal(target->dram.frequency, 924000);
    assert_int_equal(target->dram.scheduler, 1);
    assert_string_equal(target->dram.map, "RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS");
    config_free(config);
}

static void text_reaches_the_machine(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = config_new(&schema, &err);
    if (!config) fail_msg("%s", err.text);
    static const char *const settings[] = {
        "l2.size=64KiB", "l2.sector=32B", "l2.ways=8", "l2.write=back",
        "slice.select=interleave", "slice.interleave=512B", "dram.dual_bus=on",
        "dram.scheduler=fcfs"};
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!config_set(config, settings[i], "test", &err)) fail_msg("%s", err.text);
    const Target *target = config_target(config);
    assert_true(target->dram.dual_bus);
    assert_int_equal(target->dram.scheduler, 0);
    MemorySide *memory = build(target, &err);
    if (!memory) fail_msg("%s", err.text);
    assert_int_equal(memory_side_slice(memory, 512 * 13), 1);
    memory_side_free(memory);
    // An invalid address map is rejected when the machine is built.
    assert_true(config_set(config, "dram.map=RRRRBBCCCCCCCCSS", "test", &err));
    assert_null(build(target, &err));
    assert_non_null(strstr(err.text, "dram.map"));
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_gtx480),
        cmocka_unit_test(text_reaches_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
