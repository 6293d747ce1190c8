// How many sectors of a line were used, counted once for each line that was filled.
#include "mechanism_rig.h"

static HdEviction line(uint8_t used) { return (HdEviction){.used_sectors = used}; }

// expected: lines by how many sectors were used.
static void check(const Rig *rig, const uint64_t expected[5])
{
    static const char *const names[] = {"used_0", "used_1", "used_2", "used_3", "used_4"};
    for (size_t i = 0; i < 5; i++) assert_int_equal(rig_counter(rig, names[i]), expected[i]);
}

// Evicted and invalidated lines count alike; lines of which only the tags are kept do not count.
static void leaving(HookLevel level)
{
    Rig rig;
    rig_init(&rig, level, "sector-use");
    rig_kernel(&rig, true);
    cache_hooks_on_evict(rig.hooks, &(HdEviction){.used_sectors = 0});
    cache_hooks_on_evict(rig.hooks, &(HdEviction){.used_sectors = 0x4});
    cache_hooks_on_evict(rig.hooks, &(HdEviction){.used_sectors = 0x9});
    cache_hooks_on_evict(rig.hooks, &(HdEviction){.used_sectors = 0xf});
    cache_hooks_on_invalidate(rig.hooks, &(HdEviction){.used_sectors = 0x8});
    cache_hooks_on_invalidate(rig.hooks, &(HdEviction){.used_sectors = 0xb});
    cache_hooks_on_evict(rig.hooks, &(HdEviction){.used_sectors = 0, .tags_only = true});
    check(&rig, (uint64_t[]){1, 2, 1, 1, 1});
    rig_free(&rig);
}
static void test_leaving(void **state)
{
    (void)state;
    leaving(HOOK_L1);
    leaving(HOOK_L2);
}

// Three lines are in the cache as a kernel ends. One is used again in the next kernel and evicted,
// one is invalidated between the kernels, one stays to the end without further use. Each counts
// once.
static void test_staying(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "sector-use");
    HdEviction a = line(0x1), b = line(0x3), c = line(0), tags = {.tags_only = true};
    rig_kernel(&rig, true);
    cache_hooks_on_kernel_end_line(rig.hooks, &a);
    cache_hooks_on_kernel_end_line(rig.hooks, &b);
    cache_hooks_on_kernel_end_line(rig.hooks, &c);
    cache_hooks_on_kernel_end_line(rig.hooks, &tags);
    rig_kernel(&rig, false);
    check(&rig, (uint64_t[]){1, 1, 1, 0, 0});
    cache_hooks_on_invalidate(rig.hooks, &b); // before the next kernel begins
    rig_kernel(&rig, true);
    check(&rig, (uint64_t[]){0, 0, 1, 0, 0});
    a.used_sectors |= 0x6;
    cache_hooks_on_evict(rig.hooks, &a);
    cache_hooks_on_kernel_end_line(rig.hooks, &c);
    rig_kernel(&rig, false);
    check(&rig, (uint64_t[]){1, 0, 1, 1, 0});
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leaving),
                                       cmocka_unit_test(test_staying)};
    return cmocka_run_group_tests_name("sector use", tests, NULL, NULL);
}
