// Memory is counted where it is allocated, and refused by a message before it is taken.
#include "base/budget.h"
#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void sizes_are_rounded_to_the_safe_side(void **state)
{
    (void)state;
    static const struct {
        unsigned __int128 bytes;
        bool up;
        const char *text;
    } cases[] = {
        {0, true, "0 bytes"}, {1023, false, "1023 bytes"}, {1024, true, "1.0 KiB"},
        {1025, true, "1.1 KiB"}, {1025, false, "1.0 KiB"},
        {(unsigned __int128)3 << 29, true, "1.5 GiB"},
        {(unsigned __int128)1 << 70, true, "1024.0 EiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[MEMORY_TEXT];
        memory_text(cases[i].bytes, cases[i].up, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void what_exceeds_the_rest_is_refused(void **state)
{
    (void)state;
    HdError err = {0};
    MemoryBudget budget = budget_start(1 << 20, "x.mtx", &err);
    assert_null(budget_new(&budget, UINT64_MAX, 8, "row offsets"));
    assert_string_equal(err.text, "x.mtx: row offsets need 128.0 EiB of memory: "
                                  "expected at most 1.0 MiB in all (--max-memory)");
    char *half = budget_new(&budget, 1 << 19, 1, "row offsets");
    assert_non_null(half);
    assert_in_range(budget.used, 1 << 19, (1 << 19) + 8192);
    assert_null(budget_new(&budget, 3 << 18, 1, "columns"));
    assert_string_equal(err.text, "x.mtx: columns need 1.3 MiB of memory: expected at most 1.0 "
                                  "MiB in all (--max-memory)");
    budget_free(&budget, half);
    assert_int_equal(budget.used, 0);
    half = budget_new(&budget, 3 << 18, 1, "columns");
    assert_non_null(half);
    budget_free(&budget, half);
}

// The last step takes all that is left instead of the double.
static void a_vector_grows_up_to_the_limit(void **state)
{
    (void)state;
    HdError err = {0};
    MemoryBudget budget = budget_start(100000, "x.mtx", &err);
    uint64_t *items = NULL;
    size_t count = 0, capacity = 0;
    for (; BUDGET_RESERVE(&budget, items, count, capacity, "edges"); count++)
        items[count] = count;
    assert_in_range(count, 12000, 12500);
    for (size_t i = 0; i < count; i++) assert_int_equal(items[i], i);
    assert_string_equal(err.text, "x.mtx: edges need 97.7 KiB of memory: expected at most 97.6 KiB "
                                  "in all (--max-memory)");
    budget_free(&budget, items);
    assert_int_equal(budget.used, 0);
}

// A child whose address space is limited has at most that left.
static void the_default_is_what_is_left(void **state)
{
    (void)state;
    HdError err = {0};
    MemoryBudget host = budget_start(0, "x.mtx", &err);
    assert_false(host.given);
    assert_true(host.limit > 1 << 20);
    assert_contains(host.source, "what ");
    assert_contains(host.source, "; --max-memory changes it");
    assert_null(strstr(budget_of_host("x.ptx", &err).source, "--max-memory"));
    struct rlimit old, few = {(rlim_t)1 << 47, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    few.rlim_max = old.rlim_max;
    if (host.limit > (uint64_t)1 << 46) return; // more than the test can tell apart
    pid_t child = fork();
    if (child == 0) {
        FILE *statm = fopen("/proc/self/statm", "r");
        unsigned long pages = 0;
        if (!statm || fscanf(statm, "%lu", &pages) != 1) _exit(2);
        few.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (8 << 20);
        if (setrlimit(RLIMIT_AS, &few) != 0) _exit(3);
        MemoryBudget budget = budget_start(0, "x.mtx", &err);
        if (budget.limit > 8 << 20) _exit(4);
        _exit(strcmp(budget.source, "what RLIMIT_AS leaves; --max-memory changes it") != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_rounded_to_the_safe_side),
        cmocka_unit_test(what_exceeds_the_rest_is_refused),
        cmocka_unit_test(a_vector_grows_up_to_the_limit),
        cmocka_unit_test(the_default_is_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
