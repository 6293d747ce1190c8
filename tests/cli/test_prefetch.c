// Prefetches on a whole machine, with kernels whose loads and prefetches can be counted by hand.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"

// Loads `n` lines, one after the other. Each load waits for the previous one, and then longer than
// any reply takes.
static const char walk_ptx[] =
    HEAD
    ".visible .entry walk(.param .u64 in, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.param.u32 %r1, [n];\n"
    "next:\n"
    "    ld.global.u32 %r2, [%rd1];\n"
    "    mov.u32 %r3, 100;\n"
    "wait:\n"
    "    add.u32 %r3, %r3, %r2;\n" // the buffer holds zeros
    "    sub.u32 %r3, %r3, 1;\n"
    "    setp.ne.u32 %p1, %r3, 0;\n"
    "    @%p1 bra wait;\n"
    "    add.u64 %rd1, %rd1, 128;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p2, %r1, 0;\n"
    "    @%p2 bra next;\n"
    "    ret;\n"
    "}\n";

// Each thread loads every second line, starting at its own. Then one thread loads the first two
// lines in quick succession.
static const char burst_ptx[] =
    HEAD
    ".visible .entry burst(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 256;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    ld.global.u32 %r2, [%rd3];\n"
    "    ret;\n"
    "}\n"
    ".visible .entry pair(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    cvt.u64.u32 %rd0, %r2;\n"
    "    and.b64 %rd0, %rd0, 0;\n"
    "    add.u64 %rd1, %rd1, %rd0;\n"
    "    ld.global.u32 %r3, [%rd1+128];\n"
    "    ret;\n"
    "}\n"
    // Each of four blocks loads a line, the last block the first line.
    ".visible .entry lines(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    sub.u32 %r1, 3, %r1;\n"
    "    mul.wide.u32 %rd2, %r1, 128;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    ld.global.u32 %r2, [%rd3];\n"
    "    ret;\n"
    "}\n";

static int write_kernels(void **state)
{
    (void)state;
    write_text("walk.ptx", walk_ptx);
    write_text("burst.ptx", burst_ptx);
    return 0;
}

static json_t *run(const char *line)
{
    char whole[512];
    snprintf(whole, sizeof whole, "run %s --quiet --out $T/run.json", line);
    const Command *c = heddle(whole);
    if (c->status) fail_msg("heddle %s: %d, %s", whole, c->status, c->err);
    json_t *value = result_value("run.json"), *result = json_object_get(value, "result");
    json_incref(result);
    json_decref(value);
    return result;
}

static const json_t *mechanism_of(const json_t *result)
{
    return json_array_get(json_object_get(json_object_get(result, "mechanisms"), "list"), 0);
}

// Compares the counters `names` (separated by blanks) of an object with the expected values.
static void check(const json_t *object, const char *names, const int *expected)
{
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        const json_t *value = json_object_get(object, name);
        if (!json_is_integer(value)) fail_msg("there is no %s", name);
        if (json_integer_value(value) != *expected)
            fail_msg("%s: %lld, not %d", name, (long long)json_integer_value(value), *expected);
        expected++;
    }
}

#define ASKED "requested queue_full kernel_end unallocated other_slice redundant no_room fetched"
#define BECAME "late useful useless unused"
static void check_prefetches(const json_t *result, const char *level, const int asked[8],
                             const int became[4])
{
    const json_t *all = json_object_get(mechanism_of(result), "prefetches"),
                 *here = json_object_get(all, level);
    check(here, ASKED, asked);
    check(here, BECAME, became);
}

// accuracy, coverage: as fractions.
static void check_ratios(const json_t *result, const char *level, const int accuracy[2],
                         const int coverage[2])
{
    const json_t *here = json_object_get(json_object_get(mechanism_of(result), "prefetches"),
                                         level);
    double found[2] = {json_real_value(json_object_get(here, "accuracy")),
                       json_real_value(json_object_get(here, "coverage"))};
    assert_float_equal(found[0], accuracy[0] / (double)accuracy[1], 1e-12);
    assert_float_equal(found[1], coverage[0] / (double)coverage[1], 1e-12);
}
// What accesses still had to fetch, what of it had left for prefetches, and what DRAM read for
// prefetches.
static void check_misses(const json_t *result, const char *level, const int misses[3])
{
    check(json_object_get(json_object_get(mechanism_of(result), "prefetches"), level),
          "demand_misses pollution dram_bytes", misses);
}

#define WALK "$T/walk.ptx --entry walk --grid 1 --block 32 "

// 16 lines: the first load misses, the others hit prefetched lines. The 17th line is outside the
// allocation and is not fetched.
static void test_walk(void **state)
{
    (void)state;
    json_t *result = run(WALK "--arg buf:2048:in --arg u32:16 --mechanism next-line");
    check_prefetches(result, "l1", (int[]){16, 0, 0, 1, 0, 0, 0, 15}, (int[]){0, 15, 0, 0});
    check_ratios(result, "l1", (int[]){15, 15}, (int[]){15, 16});
    check_misses(result, "l1", (int[]){1, 0, 15 * 128});
    check(json_object_get(result, "l1d"), "load_accesses load_hits load_misses fills",
          (int[]){16, 15, 1, 16});
    check(json_object_get(mechanism_of(result), "l1"), "triggers", (int[]){16});
    // Each line is requested from the L2 once, by load or prefetch: four sectors.
    check(json_object_get(json_object_get(json_object_get(result, "allocations"), "in"), "l2"),
          "accesses", (int[]){64});
    json_decref(result);
}

// The report has a row for each mechanism and level that prefetches.
static void test_report(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "prefetches                fetched  accuracy  coverage      pollution         DRAM bytes\n",
        "  ghb-stride L1D                0     0.0 %     0.0 %              0                  0\n",
        "  next-line L1D                15   100.0 %    93.8 %              0              1,920\n",
    };
    const Command *c = heddle("run " WALK "--arg buf:2048:in --arg u32:16 "
                              "--mechanism ghb-stride+next-line");
    for (size_t i = 0; i < 3; i++)
        if (!strstr(c->out, rows[i])) fail_msg("%s is not in %s", rows[i], c->out);
    c = heddle("run " WALK "--arg buf:2048:in --arg u32:16 --mechanism obm");
    assert_null(strstr(c->out, "prefetches"));
}

// A line of which only the first bytes are allocated is prefetched, and never used.
static void test_last_line(void **state)
{
    (void)state;
    json_t *result = run(WALK "--arg buf:2052:in --arg u32:16 --mechanism next-line");
    check_prefetches(result, "l1", (int[]){16, 0, 0, 0, 0, 0, 0, 16}, (int[]){0, 15, 0, 1});
    check_ratios(result, "l1", (int[]){15, 16}, (int[]){15, 16});
    json_decref(result);
}

// Two prefetches per load. The first of them was the second of the previous load, except for the
// first load. The last two loads request three lines beyond the end.
static void test_degree(void **state)
{
    (void)state;
    json_t *result = run(WALK "--arg buf:2048:in --arg u32:16 --mechanism next-line:degree=2");
    check_prefetches(result, "l1", (int[]){32, 0, 0, 3, 0, 14, 0, 15}, (int[]){0, 15, 0, 0});
    json_decref(result);
}

// At the slices, which own 256 bytes each in turn. Of two lines, the second is in the slice of the
// first; the next line is in another slice. Each of a line's four sectors triggers a prefetch; the
// first one fetches the four sectors of the next line.
static void test_slices(void **state)
{
    (void)state;
    json_t *result = run(WALK "--arg buf:2048:in --arg u32:16 --mechanism next-line:levels=l2");
    check_prefetches(result, "l2", (int[]){64, 0, 0, 4, 28, 96, 0, 32}, (int[]){0, 32, 0, 0});
    // The other half of the walk's sectors, the instructions and the parameters are not prefetched.
    const json_t *l2 = json_object_get(result, "l2");
    int misses = (int)json_integer_value(json_object_get(l2, "load_misses"));
    assert_in_range(misses, 33, 63);
    check_ratios(result, "l2", (int[]){32, 32}, (int[]){32, 32 + misses});
    check_misses(result, "l2", (int[]){misses, 0, 32 * 32});
    check(json_object_get(result, "l1d"), "load_misses", (int[]){16});
    check(json_object_get(json_object_get(json_object_get(result, "allocations"), "in"), "l2"),
          "accesses hits misses", (int[]){64, 32, 32});
    json_decref(result);
}

// 16 accesses in 16 cycles leave no cycle for a look-up: 8 prefetches are queued, 8 are dropped.
static void test_queue(void **state)
{
    (void)state;
    json_t *result = run("$T/burst.ptx --entry burst --grid 1 --block 16 --arg buf:8KiB:in "
                         "--set l1d.mshr_entries=64 --set l1d.miss_queue=64 "
                         "--mechanism next-line");
    check_prefetches(result, "l1", (int[]){16, 8, 0, 0, 0, 0, 0, 8}, (int[]){0, 0, 0, 8});
    json_decref(result);
}

// The second load issues while its line is pending.
static void test_late(void **state)
{
    (void)state;
    json_t *result = run("$T/burst.ptx --entry pair --grid 1 --block 32 --arg buf:1KiB:in "
                         "--mechanism next-line");
    check_prefetches(result, "l1", (int[]){2, 0, 0, 0, 0, 0, 0, 2}, (int[]){1, 0, 0, 1});
    check(json_object_get(result, "l1d"), "load_misses load_pending_hits", (int[]){1, 1});
    check_ratios(result, "l1", (int[]){1, 2}, (int[]){1, 2});
    check_misses(result, "l1", (int[]){1, 0, 2 * 128}); // also the line that the load waits for
    json_decref(result);
}

// Four SMs load a line each, one shortly after the other, and prefetch the next one. All but the
// first SM find it on its way to the L2, for the load of the SM before. So the L2 begins one fetch
// for a prefetch, of the line behind the last.
static void test_shared_fetch(void **state)
{
    (void)state;
    json_t *result = run("$T/burst.ptx --entry lines --grid 4 --block 32 --arg buf:1KiB:in "
                         "--mechanism next-line");
    check_prefetches(result, "l1", (int[]){4, 0, 0, 0, 0, 0, 0, 4}, (int[]){0, 0, 0, 4});
    check_ratios(result, "l1", (int[]){0, 4}, (int[]){0, 4});
    check_misses(result, "l1", (int[]){4, 0, 128});
    json_decref(result);
}

// Without a prefetch the ratios are 0. Two mechanisms have counters of their own; the demand misses
// are common to both.
static void test_two(void **state)
{
    (void)state;
    json_t *result = run(WALK "--arg buf:2048:in --arg u32:16 --mechanism ghb-stride+next-line");
    check_prefetches(result, "l1", (int[]){0, 0, 0, 0, 0, 0, 0, 0}, (int[]){0, 0, 0, 0});
    check_ratios(result, "l1", (int[]){0, 1}, (int[]){0, 1});
    check_misses(result, "l1", (int[]){1, 0, 0});
    const json_t *second = json_array_get(
        json_object_get(json_object_get(result, "mechanisms"), "list"), 1);
    check(json_object_get(json_object_get(second, "prefetches"), "l1"),
          "fetched useful demand_misses dram_bytes", (int[]){15, 15, 1, 15 * 128});
    json_decref(result);
}

// A sparse matrix: prefetched lines are used at both levels, and the cycles change. The result does
// not depend on the host.
static void test_sameness(void **state)
{
    (void)state;
    static const char *const options[] = {"", "--threads 2", "--no-skip", "--shuffle 3"};
    static const char *const levels[] = {"l1", "l2"};
    char first[64] = "";
    json_t *plain = run("spmv --graph rmat:10,8");
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "spmv --graph rmat:10,8 --mechanism next-line:levels=l1,l2 %s",
                 options[i]);
        json_t *result = run(line);
        const char *hash = json_string_value(json_object_get(result, "hash"));
        if (!*first) snprintf(first, sizeof first, "%s", hash);
        assert_string_equal(first, hash);
        assert_false(json_equal(json_object_get(plain, "cycles"),
                                json_object_get(result, "cycles")));
        const json_t *all = json_object_get(mechanism_of(result), "prefetches");
        for (size_t l = 0; l < 2; l++) {
            const json_t *here = json_object_get(all, levels[l]);
            assert_true(json_integer_value(json_object_get(here, "useful")) > 0);
        }
        json_decref(result);
    }
    json_decref(plain);
}

// BFS: each prefetched sector is late, useful, useless, or still present.
static void test_bfs(void **state)
{
    (void)state;
    json_t *plain = run("bfs --graph rmat:10,8"),
           *with = run("bfs --graph rmat:10,8 --mechanism next-line");
    assert_false(json_equal(json_object_get(plain, "cycles"), json_object_get(with, "cycles")));
    const json_t *here = json_object_get(
        json_object_get(mechanism_of(with), "prefetches"), "l1");
    json_int_t became = 0;
    static const char *const ends[] = {"late", "useful", "useless", "unused"};
    for (size_t i = 0; i < 4; i++) {
        json_int_t count = json_integer_value(json_object_get(here, ends[i]));
        assert_true(count > 0 || i == 3);
        became += count;
    }
    assert_int_equal(became, json_integer_value(json_object_get(here, "fetched")));
    assert_true(json_equal(json_object_get(here, "requested"),
                           json_object_get(json_object_get(mechanism_of(with), "l1"),
                                           "triggers")));
    check(mechanism_of(with), "storage_bits", (int[]){8 * 47 * 15});
    json_decref(with);
    json_decref(plain);
}

// Only the misses of timed launches are demand misses: functional ones do not prefetch.
static void test_functional(void **state)
{
    (void)state;
    json_t *result = run("bfs --impl data --graph rmat:10,8 --skip-kernels 3 "
                         "--mechanism next-line:levels=l1,l2");
    const json_t *all = json_object_get(mechanism_of(result), "prefetches");
    int l1 = (int)json_integer_value(
            json_object_get(json_object_get(result, "l1d"), "load_misses")),
        l2 = (int)json_integer_value(json_object_get(json_object_get(result, "l2"), "load_misses"));
    check(json_object_get(all, "l1"), "demand_misses", &l1);
    assert_in_range(json_integer_value(json_object_get(json_object_get(all, "l2"),
                                                       "demand_misses")), l2, l2 + l2 / 2);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),   cmocka_unit_test(test_last_line),
        cmocka_unit_test(test_degree), cmocka_unit_test(test_slices),
        cmocka_unit_test(test_queue),  cmocka_unit_test(test_late),
        cmocka_unit_test(test_shared_fetch), cmocka_unit_test(test_two),
        cmocka_unit_test(test_report), cmocka_unit_test(test_functional),
        cmocka_unit_test(test_sameness), cmocka_unit_test(test_bfs),
    };
    return cmocka_run_group_tests_name("prefetches", tests, write_kernels, NULL);
}
