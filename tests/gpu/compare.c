// Compares launch results field by field, then their tables.
#include "compare.h"

static void compare_counters(const LaunchResult *r, const char *where, size_t row,
                             const StatTable *table, const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    for (size_t i = 0; i < table->count; i++)
        if (x[i] != y[i])
            fail_msg("%s: %s %zu, %s: %llu and %llu", r->kernel, where, row, table->rows[i].name,
                     (unsigned long long)x[i], (unsigned long long)y[i]);
}

static void compare_tables(const LaunchResult *a, const LaunchResult *b)
{
    compare_counters(a, "SMs", 0, &sm_table, &a->sm.sm, &b->sm.sm);
    compare_counters(a, "issue groups", 0, &group_table, &a->sm.groups, &b->sm.groups);
    compare_counters(a, "issue slots", 0, &issue_table, &a->sm.issue, &b->sm.issue);
    for (unsigned c = 0; c < SM_CACHES; c++)
        compare_counters(a, sm_cache_names[c].label, 0, &cache_table, &a->sm.caches[c],
                         &b->sm.caches[c]);
    compare_counters(a, "L2", 0, &cache_table, &a->l2, &b->l2);
    compare_counters(a, "interconnect", 0, &icnt_table, &a->icnt, &b->icnt);
    compare_counters(a, "DRAM", 0, &dram_table, &a->dram, &b->dram);
}

static void compare_rest(const LaunchResult *a, const LaunchResult *b)
{
    static const struct {
        const char *name;
        size_t offset, bytes;
    } parts[] = {
#define PART(field) {#field, offsetof(LaunchResult, field), sizeof((LaunchResult *)0)->field}
        PART(kernel),
        PART(grid),
        PART(block),
        PART(registers),
        PART(blocks_per_sm),
        PART(shared_bytes),
        PART(l1d_bytes),
        PART(cycles),
        PART(dram_cycles),
        PART(l2_cycles),
        PART(launch),
        PART(sm.by_class),
        PART(sm.thread_by_class),
        PART(sm.lanes),
        PART(sm.requests),
        PART(sm.group_lanes),
        PART(sm.waves),
        PART(allocations),
        PART(pcs),
#undef PART
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memcmp((const char *)a + parts[i].offset, (const char *)b + parts[i].offset,
                   parts[i].bytes))
            fail_msg("%s: %s differs", a->kernel, parts[i].name);
}

static void compare_rows(const LaunchResult *a, const LaunchResult *b)
{
    for (size_t i = 0; i <= a->allocations; i++) {
        compare_counters(a, "L1D by allocation", i, &access_table, &a->sm.l1d_allocations[i],
                         &b->sm.l1d_allocations[i]);
        compare_counters(a, "L2 by allocation", i, &access_table, &a->l2_allocations[i],
                         &b->l2_allocations[i]);
    }
    for (size_t i = 0; i < a->pcs; i++) {
        compare_counters(a, "instruction", i, &pc_table, &a->sm.pcs[i], &b->sm.pcs[i]);
        compare_counters(a, "L2 by instruction", i, &access_table, &a->l2_pcs[i], &b->l2_pcs[i]);
        const WaitRow *x = waits_first(&a->sm.waited, i), *y = waits_first(&b->sm.waited, i);
        for (; x && y; x = waits_next(&a->sm.waited, x), y = waits_next(&b->sm.waited, y)) {
            assert_int_equal(x->allocation, y->allocation);
            compare_counters(a, "waits by instruction", i, &memory_wait_table, &x->count,
                             &y->count);
        }
        assert_true(!x && !y);
    }
}

void compare_totals(const Bench *a, const Bench *b)
{
    const LaunchResult *x = gpu_total(a->gpu), *y = gpu_total(b->gpu);
    compare_tables(x, y);
    compare_rest(x, y);
    compare_rows(x, y);
}

void compare_records(const Bench *a, const Bench *b)
{
    size_t count, others;
    const LaunchResult *x = gpu_results(a->gpu, &count), *y = gpu_results(b->gpu, &others);
    assert_int_equal(count, others);
    for (size_t i = 0; i < count; i++) {
        compare_tables(x + i, y + i);
        compare_rest(x + i, y + i);
        compare_rows(x + i, y + i);
    }
}
