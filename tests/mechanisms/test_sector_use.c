// How many parts of a line were used, counted once for each line that came.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig, HookLevel level)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, "sector-use", mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static HdEviction line(uint8_t used) { return (HdEviction){.used_sectors = used}; }

static void check(const Rig *rig, const uint64_t expected[5])
{
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(cache_hooks_counter(rig->hooks, &rig->plan.items[0], i), expected[i]);
}

static void kernel(Rig *rig, bool begins)
{
    cache_hooks_kernel(rig->hooks, &(HdKernel){.name = "k"}, begins);
}

// Lines that make room and lines that are dropped count alike; tags alone do not count.
static void leaving(HookLevel level)
{
    Rig rig;
    rig_init(&rig, level);
    kernel(&rig, true);
    cache_hooks_evicted(rig.hooks, &(HdEviction){.used_sectors = 0});
    cache_hooks_evicted(rig.hooks, &(HdEviction){.used_sectors = 0x4});
    cache_hooks_evicted(rig.hooks, &(HdEviction){.used_sectors = 0x9});
    cache_hooks_evicted(rig.hooks, &(HdEviction){.used_sectors = 0xf});
    cache_hooks_dropped(rig.hooks, &(HdEviction){.used_sectors = 0x8});
    cache_hooks_dropped(rig.hooks, &(HdEviction){.used_sectors = 0xb});
    cache_hooks_evicted(rig.hooks, &(HdEviction){.used_sectors = 0, .tags_only = true});
    check(&rig, (uint64_t[]){1, 2, 1, 1, 1});
    rig_free(&rig);
}
static void test_leaving(void **state)
{
    (void)state;
    leaving(HOOK_L1);
    leaving(HOOK_L2);
}

// Three lines stay at the end of a kernel. One is used further in the next and leaves, one is
// dropped between the two, one stays to the end, with no further use: each counts once.
static void test_staying(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2);
    HdEviction a = line(0x1), b = line(0x3), c = line(0), tags = {.tags_only = true};
    kernel(&rig, true);
    cache_hooks_stays(rig.hooks, &a);
    cache_hooks_stays(rig.hooks, &b);
    cache_hooks_stays(rig.hooks, &c);
    cache_hooks_stays(rig.hooks, &tags);
    kernel(&rig, false);
    check(&rig, (uint64_t[]){1, 1, 1, 0, 0});
    cache_hooks_dropped(rig.hooks, &b); // before the next is said to begin
    kernel(&rig, true);
    check(&rig, (uint64_t[]){0, 0, 1, 0, 0});
    a.used_sectors |= 0x6;
    cache_hooks_evicted(rig.hooks, &a);
    cache_hooks_stays(rig.hooks, &c);
    kernel(&rig, false);
    check(&rig, (uint64_t[]){1, 0, 1, 1, 0});
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leaving),
                                       cmocka_unit_test(test_staying)};
    return cmocka_run_group_tests_name("sector use", tests, NULL, NULL);
}
