// The stride prefetcher (Chen and Baer 1995, section 3): which loads it predicts, and the lines
// that it requests.
#include "mechanism_rig.h"

#include "hooks/core_hooks.h"

static uint64_t lane_addresses[HD_LANES];

// A warp's load, of 4 bytes in each of these lanes, `apart` bytes from lane to lane.
static void issue(Rig *rig, uint32_t pc, uint16_t warp_slot, uint64_t address, uint32_t lanes,
                  uint64_t apart)
{
    for (unsigned lane = 0; lane < HD_LANES; lane++)
        lane_addresses[lane] = address + lane * apart;
    core_hooks_on_memory_issue(rig->hooks, &(HdMemoryInstruction){
        .addresses = lane_addresses, .lanes = lanes, .pc = pc, .warp_slot = warp_slot,
        .kind = HD_LOAD});
}

// A coalesced load of one line.
static void load(Rig *rig, uint32_t pc, uint16_t warp_slot, uint64_t line)
{
    issue(rig, pc, warp_slot, line * RIG_LINE, UINT32_MAX, 4);
}

// Takes the first line of the queue.
static void take(Rig *rig, uint64_t line)
{
    for (uint64_t sector = 0; sector < RIG_LINE / RIG_SECTOR; sector++) {
        assert_true(prefetch_queues_pending(rig->hooks->prefetches));
        Prefetch next = prefetch_queues_first(rig->hooks->prefetches);
        assert_int_equal(next.address, line * RIG_LINE + sector * RIG_SECTOR);
        prefetch_queues_looked_up(rig->hooks->prefetches, &next, PREFETCH_REDUNDANT, 0);
    }
}

static void nothing(const Rig *rig)
{
    assert_false(prefetch_queues_pending(rig->hooks->prefetches));
}

// Two equal strides make a load steady: from the third load on, each prefetches the next line. A
// stride may be negative.
static void test_steady(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    load(&rig, 5, 0, 100);
    load(&rig, 5, 0, 108);
    nothing(&rig);
    load(&rig, 5, 0, 116);
    take(&rig, 124);
    load(&rig, 5, 0, 124);
    take(&rig, 132);
    nothing(&rig);
    for (unsigned line = 90; line > 87; line--) load(&rig, 6, 0, line);
    take(&rig, 87);
    nothing(&rig);
    assert_int_equal(rig_counter(&rig, "loads"), 7);
    assert_int_equal(rig_counter(&rig, "predicted"), 3);
    assert_int_equal(rig_counter(&rig, "triggers"), 3);
    rig_free(&rig);
}

// A steady load keeps its stride over one irregular address. After two, it must be steady again.
static void test_irregular(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    for (unsigned i = 0; i < 3; i++) load(&rig, 5, 0, 10 + i);
    take(&rig, 13);
    load(&rig, 5, 0, 500); // steady to initial
    nothing(&rig);
    load(&rig, 5, 0, 501); // as the stride says: steady
    take(&rig, 502);
    load(&rig, 5, 0, 40); // initial
    load(&rig, 5, 0, 60); // transient, stride 20
    load(&rig, 5, 0, 61); // no prediction, stride 1
    load(&rig, 5, 0, 62); // transient
    nothing(&rig);
    load(&rig, 5, 0, 63); // steady
    take(&rig, 64);
    rig_free(&rig);
}

// A load of one address again and again prefetches nothing; nor does one whose strides are too far
// for the table.
static void test_no_stride(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    for (unsigned i = 0; i < 5; i++) load(&rig, 5, 0, 10);
    for (unsigned i = 0; i < 5; i++) load(&rig, 6, 0, 10 + i * 1024); // 128 KiB: 32768 units
    nothing(&rig);
    for (unsigned i = 0; i < 3; i++)
        issue(&rig, 7, 0, i * UINT64_C(131068), 1, 0); // 32767 units
    take(&rig, 3 * UINT64_C(131068) / RIG_LINE);
    rig_free(&rig);
}

// Each warp has its own strides. Two that share an entry take it from each other.
static void test_warps(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    for (unsigned i = 0; i < 3; i++) {
        load(&rig, 5, 0, 100 + i);
        load(&rig, 5, 1, 200 + 2 * i);
    }
    take(&rig, 103);
    take(&rig, 206);
    nothing(&rig);
    assert_int_equal(rig_counter(&rig, "replaced"), 0);
    rig_free(&rig);
    rig_init(&rig, HOOK_L1, "stride-pc:entries=1");
    for (unsigned i = 0; i < 3; i++) {
        load(&rig, 5, 0, 100 + i);
        load(&rig, 5, 1, 200 + 2 * i);
    }
    nothing(&rig);
    assert_int_equal(rig_counter(&rig, "replaced"), 5);
    rig_free(&rig);
}

// Four lanes that are a line apart, and move by 8 lines: four lines are prefetched, or that of the
// first active lane. degree and distance count strides.
static void test_lanes(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    for (uint64_t i = 0; i < 3; i++) issue(&rig, 5, 0, i * 8 * RIG_LINE, 0x3c, RIG_LINE);
    for (uint64_t lane = 2; lane < 6; lane++) take(&rig, 24 + lane);
    nothing(&rig);
    rig_free(&rig);
    rig_init(&rig, HOOK_L1, "stride-pc:lanes=first,degree=2,distance=3");
    for (uint64_t i = 0; i < 3; i++) issue(&rig, 5, 0, i * 8 * RIG_LINE, 0x3c, RIG_LINE);
    take(&rig, 16 + 3 * 8 + 2);
    take(&rig, 16 + 4 * 8 + 2);
    nothing(&rig);
    rig_free(&rig);
}

// Stores, atomics, and loads that do not use the L1D are not seen.
static void test_others(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "stride-pc");
    HdMemoryInstruction other[] = {{.kind = HD_STORE}, {.kind = HD_ATOMIC}, {.bypasses_l1 = true}};
    for (unsigned i = 0; i < 3; i++) {
        other[i].addresses = lane_addresses;
        other[i].lanes = 1;
        for (unsigned k = 0; k < 5; k++) {
            lane_addresses[0] = k * UINT64_C(128);
            core_hooks_on_memory_issue(rig.hooks, &other[i]);
        }
    }
    nothing(&rig);
    assert_int_equal(rig_counter(&rig, "loads"), 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady), cmocka_unit_test(test_irregular),
        cmocka_unit_test(test_no_stride), cmocka_unit_test(test_warps),
        cmocka_unit_test(test_lanes), cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
