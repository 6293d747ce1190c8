// Tests of `heddle machine` and `heddle workload`.
#include "command.h"

#include "support/machines.h"
#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Expects that the command succeeds and prints `part`.
static void assert_prints(const char *line, const char *part)
{
    const Command *c = heddle(line);
    if (c->status != 0 || *c->err || !strstr(c->out, part))
        fail_msg("heddle %s: expected '%s'; got status %d, '%s', '%s'", line, part, c->status,
                 c->err, c->out);
}

static void test_list(void **state)
{
    (void)state;
    for (const char *const *machine = machine_names(); *machine; machine++) {
        char line[128];
        snprintf(line, sizeof line, "\n%s ", *machine);
        assert_prints("machine list", line);
    }
    assert_null(strstr(heddle("machine list")->out, "cannot be read"));
}

static void test_check(void **state)
{
    (void)state;
    for (const char *const *machine = machine_names(); *machine; machine++) {
        char line[128];
        snprintf(line, sizeof line, "machine check %s", *machine);
        assert_prints(line, "can be built");
        assert_prints(line, "quantum: ");
        assert_null(strstr(heddle(line)->out, "warning"));
    }
}

// Returns the line of `machine show` that starts with the key.
static const char *shown(const char *line, const char *key)
{
    static char text[256];
    char start[64];
    const Command *c = heddle(line);
    if (c->status != 0) fail_msg("heddle %s: %s", line, c->err);
    snprintf(start, sizeof start, "\n%s ", key);
    const char *at = strstr(c->out, start);
    if (!at) fail_msg("heddle %s does not show %s", line, key);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    return text;
}

static void test_show(void **state)
{
    (void)state;
    const char *line = shown("machine show fermi-gtx480", "gpu.sms");
    assert_non_null(strstr(line, " 15 "));
    assert_non_null(strstr(line, ".yaml:"));
    assert_non_null(strstr(line, "multiprocessors"));
    line = shown("machine show fermi-gtx480 --set gpu.sms=3 --set l1d.mshr_entries=7", "gpu.sms");
    assert_non_null(strstr(line, " 3 "));
    assert_non_null(strstr(line, "--set"));
}

// A file with differences only: its value is shown with its line, other values with the base's
// lines.
static void test_set_index(void **state)
{
    (void)state;
    assert_prints("machine check fermi-gtx480-khairy --set l1d.index=prime",
                  "l1d.index: prime uses 31 of 32 sets: 512 of 16384 B hold nothing\n");
    assert_prints("machine check fermi-gtx480-khairy --set l1d.index=polynomial --set "
                  "l1d.polynomial=61",
                  "can be built");
    assert_refused("machine check fermi-gtx480-khairy --set l1d.index=polynomial --set "
                   "l1d.polynomial=33",
                   "l1d: polynomial 33 is reducible, so that some sets are used more than others: "
                   "expected an irreducible one, for example 37");
}

static void test_cache_modes(void **state)
{
    (void)state;
    static const char *const good[] = {"l1d.mode=off",        "l1r.mode=off",   "l2.mode=off",
                                       "l1d.mode=unbounded",  "l1i.mode=unbounded",
                                       "l1c.mode=unbounded",  "l2.mode=unbounded",
                                       "l1d.ways=all",        "l2.ways=all",
                                       "l15.mode=cache",      "l15.mode=unbounded"};
    for (const char *const *machine = machine_names(); *machine; machine++)
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            char line[128];
            snprintf(line, sizeof line, "machine check %s --set %s", *machine, good[i]);
            assert_prints(line, "can be built");
        }
    const char *line = shown("machine show volta-v100 --set l1d.ways=all", "l1d.ways");
    assert_non_null(strstr(line, " all "));
    assert_refused("machine check fermi-gtx480 --set l1i.mode=off",
                   "l1i.mode = off: expected cache or unbounded (or frontend.perfect), because");
    assert_refused("machine check fermi-gtx480 --set l1c.mode=off",
                   "l1c.mode = off: expected cache or unbounded, because");
    assert_refused("machine check fermi-gtx480 --set l15.mode=cache --set l15.sector=32B",
                   "l15.sector = 32B: expected at least l1c.line (64B), because a miss there is "
                   "one look-up here");
    assert_refused("machine check fermi-gtx480 --set l15.mode=cache --set l15.sector=64B "
                   "--set l15.instructions=on",
                   "l15.sector = 64B: expected at least l1i.line (128B), because a miss there is "
                   "one look-up here");
    assert_refused("machine check fermi-gtx480 --set l15.mode=cache --set l15.bypass_mshr=off",
                   "l15.bypass_mshr = off: expected on; only l1d can do without");
    assert_refused("machine check fermi-gtx480 --set l2.mode=of",
                   " = of: expected one of cache, unbounded, off; did you mean 'off'?");
    assert_refused("machine check fermi-gtx480 --set l1d.ways=5000",
                   " = 5000: expected a whole number from 0 to 4096 lines, or all");
}

// `check` refuses what `run` refuses, with the same message.
static void test_unbuildable(void **state)
{
    (void)state;
    static const struct { const char *set, *message; } cases[] = {
        {"core.threads=65536", "core.threads = 65536: 2048 warps of 32 lanes: expected at most 512 "
                               "on an SM"},
        {"core.width=4 --set core.threads=65536",
         "core.threads = 65536: 16384 warps of 4 lanes: expected at most 512 on an SM"},
        {"l1i.sector=32B", "l1i.sector = 32B: expected 128B, the whole line, which a fetch that "
                           "misses brings"},
        {"core.registers=32", "the machine can run no kernel: a block of 32 threads does not fit "
                              "on an SM: it needs 64 registers, the SM has 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "machine check fermi-gtx480 --set %s", cases[i].set);
        assert_refused(line, cases[i].message);
        snprintf(line, sizeof line, "run stream --set %s", cases[i].set);
        assert_refused(line, cases[i].message);
    }
    assert_refused("machine check /dev/zero",
                   "/dev/zero: more than 1024 KiB: expected at most that");
}

static void test_operands(void **state)
{
    (void)state;
    assert_refused("machine check fermi-gtx480 --set operand.banks_of=scheduler --set "
                   "operand.banks=15",
                   "operand.banks = 15: expected a multiple of core.schedulers (2), because of "
                   "operand.banks_of: scheduler");
    assert_refused("machine check fermi-gtx480-gpgpusim4 --set operand.passes=2",
                   "operand.mem_collect = behind-writes: expected operand.passes = 1 (is 2) and "
                   "operand.shared_collectors = 0 (is 0)");
    assert_refused("machine check fermi-gtx480-gpgpusim4 --set operand.shared_collectors=8",
                   "operand.mem_collect = behind-writes: expected operand.passes = 1 (is 1) and "
                   "operand.shared_collectors = 0 (is 8)");
}

static void test_groups(void **state)
{
    (void)state;
    assert_refused("machine check fermi-c2050-gw8 --set core.width=32",
                   "core.paired = on: expected core.width of at most 16 lanes (is 32)");
    assert_refused("machine check fermi-c2050-gw8 --set core.issue=2",
                   "core.issue = 2: expected 1 with core.paired = on");
    assert_refused("machine check fermi-c2050 --set scalar.mode=execute --set core.issue=2",
                   "core.issue = 2: expected 1 with scalar.mode = execute or waves");
    assert_refused("machine check fermi-c2050-gw8 --set core.divergence=its",
                   "core.divergence = its: expected stack with scalar.mode = waves");
    assert_refused("machine check volta-v100 --set core.width=8 --set core.paired=on",
                   "core.divergence = its: expected stack with core.paired = on");
    assert_refused("machine check fermi-c2050-gw8 --set scalar.members=three",
                   "scalar.members = three: expected one of fixed, consecutive, any");
    assert_refused("machine check fermi-c2050-gw8 --set scalar.order=wave",
                   "scalar.order = wave: expected one of pair>lone>wave, pair>wave>lone");
    assert_refused("machine check fermi-c2050-gw8 --set core.threads=1544",
                   "expected an even number of warps per SM (core.threads / core.width is 193)");
    assert_prints("machine check fermi-c2050 --set scalar.mode=waves", "can be built");
}

// By hand, from 192 warps, 12 register entries of scalars of each register, 2,048 entries in all,
// and PCs of 24 bits. A store's entry has two instructions; 48 entries have 6-bit numbers.
static void test_storage(void **state)
{
    (void)state;
    static const char *const bits[][2] = {
        {"instruction store tags", " 1632  tag 23, valid 1, references 8, scalar 2"},
        {"warp status", " 1728  pointer 6, instruction 1, ready to fetch 1, in a wave 1"},
        {"wave status (SWST)", "  800  valid 1, issued 1, PC 24, SWID 4, members 16, age 4"},
        {"register tags", "10240  scalar 1, SWID 4"},
        {"warp scoreboard", "12096  registers 63"},
        {"divergence stacks", "86016  PC 24, reconvergence PC 24, lanes 8"}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        assert_non_null(strstr(shown("machine storage fermi-c2050-gw8", bits[i][0]), bits[i][1]));
    assert_null(strstr(heddle("machine storage fermi-c2050")->out, "wave"));
    assert_prints("machine storage fermi-c2050", " 3024  registers 63");
    assert_refused("machine storage fermi-c2051", "there is no machine 'fermi-c2051'");
    assert_refused("machine storge fermi-c2050", "did you mean 'storage'?");
}

static void test_base(void **state)
{
    (void)state;
    write_text("mine.yaml", "base: fermi-gtx480\nname: mine\nl1d:\n  mshr_entries: 5\n");
    assert_prints("machine show $T/mine.yaml", "mine: ");
    assert_non_null(strstr(shown("machine show $T/mine.yaml", "l1d.mshr_entries"), "mine.yaml:4"));
    assert_non_null(strstr(shown("machine show $T/mine.yaml", "gpu.sms"), "fermi-gtx480"));
}

static void test_folder_of_the_user(void **state)
{
    (void)state;
    write_text("tiny.yaml", "base: fermi-gtx480\ndescription: my own\ngpu:\n  sms: 1\n");
    assert_int_equal(setenv("HEDDLE_MACHINES", command_folder(), 1), 0);
    assert_prints("machine list", "my own");
    assert_non_null(strstr(shown("machine show tiny", "gpu.sms"), " 1 "));
    assert_int_equal(unsetenv("HEDDLE_MACHINES"), 0);
}

static void test_help(void **state)
{
    (void)state;
    static const char *const lines[] = {"help",     "run --help", "demo --help", "help run",
                                        "annotate --help", "trace --help",
                                        "graph -h", "machine -h", "workload --help"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_prints(lines[i], "heddle ");
    assert_prints("workload", "reference-topo");
    assert_prints("workload list", "stream");
    assert_prints("workload needle", "\nblock: 16 threads by default\n"
                                     "answer: score: of the whole alignment\n"
                                     "checked: each score, exactly\n");
    assert_prints("workload sssp", "\nkernels\n"
                                   "  sssp_relax               kernels/sssp.cu: ");
    assert_prints("workload sssp", "  sssp_hipc                kernels/sssp_published.cu: 17 "
                                   "registers, 0 B of static shared memory\n");
    assert_prints("workload pi", "\nblock: 128 threads by default\n");
    assert_prints("workload bfs", "\nblock: 256 threads by default\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_set_index),
        cmocka_unit_test(test_cache_modes),
        cmocka_unit_test(test_unbuildable),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_storage),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_folder_of_the_user),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
