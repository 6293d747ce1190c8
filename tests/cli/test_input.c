// Tests of errors for bad input: one message each, and exit status 2.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_commands(void **state)
{
    (void)state;
    assert_refused("rnu", "there is no command 'rnu': expected one that heddle help lists; did "
                          "you mean 'run'?");
    assert_refused("workload show", "there is no workload 'show'");
    assert_refused("workload list bfs", "workload: expected list or one workload's name");
    assert_refused("demo rmat:8,8", "'rmat:8,8': expected no arguments to demo but its options");
    assert_refused("machine shwo fermi-gtx480", "did you mean 'show'?");
    assert_refused("machine show", "machine show: expected one machine");
    assert_int_equal(heddle("")->status, 2);
}

// The words of `heddle run` that are no options.
static void test_targets(void **state)
{
    (void)state;
    assert_refused("run", "nothing to run: expected a workload");
    assert_refused("run bsf", "there is no workload 'bsf': expected one of bfs, ");
    assert_refused("run bfs --impl wrap", "there is no implementation of bfs 'wrap': expected one "
                                          "of ");
    assert_refused("run bfs stream", "'stream': expected one workload or PTX file");
}

static void test_option_names(void **state)
{
    (void)state;
    assert_refused("run bfs --graf x", "unknown option --graf; did you mean '--graph'?");
    assert_refused("run bfs --max-cyc", "--max-cyc needs a value");
    assert_refused("run bfs --max-=1",
                   "heddle: --max-=1 is short for several options: max-memory, max-cycles, "
                   "max-instructions, max-thread-instructions (see heddle run --help)\n");
    assert_refused("run bfs -x", "unknown option -x");
    assert_refused("run bfs --graph", "--graph needs a value");
    assert_refused("run bfs --entry f",
                   "--entry: expected with a kernel of a PTX file, not with the workload bfs");
}

static void test_option_values(void **state)
{
    (void)state;
    assert_refused("run bfs --source -1", "heddle: --source '-1': expected a whole number from 0 "
                                          "to 4294967295, largest, or the name of a vertex\n");
    assert_refused("run bfs --source 4294967296", "--source '4294967296': expected a whole number");
    assert_refused("run bfs --source=", "--source '': expected a whole number");
    assert_refused("run bfs --graph rmat:4,4 --source one",
                   "heddle: --source 'one': the graph rmat:4,4 has no names of vertices, which "
                   "only a list of edges gives and no written file keeps: expected 0 to 15, or "
                   "largest\n");
    assert_refused("run bfs --block 0",
                   "--block '0': expected X, X,Y or X,Y,Z, each from 1 to 2147483647");
    assert_refused("run bfs --block 16,16", "--block: expected one number for a workload");
    assert_refused("run bfs --block 2000", "expected 1 to 1024");
    assert_refused("run bfs --mechanism vecadd", "there is no mechanism 'vecadd': expected ");
    assert_refused("run bfs --registers 24",
                   "--registers '24': expected KERNEL=N,KERNEL=N, each N from 1 to 255");
    assert_refused("run bfs --registers bfs_expand=no", "--registers 'bfs_expand=no': expected");
    assert_refused("run bfs --registers bfs_expnd=24", "bfs_expand");
    assert_refused("run bfs --registers a=1,b=256", "--registers 'a=1,b=256': expected");
    assert_refused("run bfs --max-cycles 0",
                   "--max-cycles '0': expected a whole number of at least 1");
    assert_refused("run bfs --threads 0", "--threads '0': expected a whole number from 1 to 256");
    assert_refused("run bfs --threads 257", "--threads '257'");
    assert_refused("run bfs --threads two", "--threads 'two'");
}

static void test_parameters(void **state)
{
    (void)state;
    assert_refused("run queens --param size=19",
                   "heddle: --param size=19: expected a whole number from 2 to 18 (queens, and "
                   "rows and columns of the board)\n");
    assert_refused("run queens --param size=2.5",
                   "heddle: --param size=2.5: expected a whole number from 2 to 18 (queens");
    assert_refused("run stream --param elements=",
                   "heddle: --param elements=: expected a whole number from 1 to 2147483647 "
                   "numbers (number of 4-byte elements to copy)\n");
    assert_refused("run pagerank --graph grid:2x2 --param damping=2",
                   "heddle: --param damping=2: expected a number from 0 to 1 (fraction of a "
                   "rank passed along the edges; rounded to a float)\n");
    assert_refused("run queens --param size", "heddle: --param size: expected NAME=VALUE\n");
    assert_refused("run queens --param siz=4",
                   "heddle: there is no parameter of queens 'siz': expected one of size, placed, "
                   "threads; did you mean 'size'?\n");
    assert_refused("run cc --graph grid:2x2 --param a=1",
                   "heddle: --param a=1: cc has no parameters\n");
}

// Which launches are timed: --skip-kernels, --detail-kernels, --functional.
static void test_timed_launches(void **state)
{
    (void)state;
    assert_refused("run bfs --detail-kernels 5..2", "--detail-kernels '5..2': expected 2..5");
    assert_refused("run bfs --detail-kernels 0..2",
                   "--detail-kernels '0..2': expected A..B or A, whole numbers of at least 1");
    assert_refused("run bfs --detail-kernels 3..", "--detail-kernels");
    assert_refused("run bfs --detail-kernels 3-4", "--detail-kernels");
    assert_refused("run bfs --skip-kernels -1", "--skip-kernels");
    assert_refused("run bfs --skip-kernels 1 --detail-kernels 2..3",
                   "--skip-kernels and --detail-kernels both set which launches are timed: "
                   "expected one of them");
    assert_refused("run bfs --functional --skip-kernels 1", "--skip-kernels has no effect");
    assert_refused("run bfs --functional --no-skip",
                   "--no-skip has no effect with --functional, which runs no launch timed");
    const Command *c = heddle("run bfs --graph grid:5x1 --functional --threads 2");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    assert_refused("run bfs --functional --mechanism obm", "--mechanism has no effect");
    assert_refused("run bfs --functional --mechanism none", "--mechanism has no effect");
    assert_refused("run bfs --graph rmat:4,4 --quiet --skip-kernels 50", "the run has only");
    assert_refused("run bfs --graph rmat:4,4 --quiet --detail-kernels 50..60", "the run has only");
}

// Options of a workload, and what it needs of the machine.
static void test_workloads(void **state)
{
    (void)state;
    assert_refused("run bfs --param limt=5", "did you mean 'limit'?");
    assert_refused("run bfs --impl unrolled --param limit=65", "from 1 to 64");
    assert_refused("run bfs --graph rmat:8,8 --set memory.capacity=0",
                   "memory.capacity = 0: expected 1B to 16384GiB");
    assert_refused("run bfs --graph rmat:8,8 --set memory.capacity=4KiB", "1028 of 4096");
    assert_refused("run bfs --graph rmat:8,8 --impl lonestar --block 1024 --set core.shared=16KiB",
                   "it needs 49152 bytes of shared memory");
    static const char pages[] = "the written pages of device memory need 4.0 MiB of memory: "
                                "expected at most 2.0 MiB in all (--max-memory)";
    assert_refused("run stream --param elements=1000000 --quiet --max-memory 2MiB", pages);
    const Command *c = heddle("compare stream --param elements=1000000 --mechanism none "
                              "--mechanism next-line --max-memory 2MiB --store $T/kept.db");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, pages));
    setenv("HEDDLE_MAX_MEMORY", "2MiB", 1);
    assert_refused("run stream --param elements=1000000 --quiet", pages);
    assert_refused("trace stream --param elements=1000000", pages);
    unsetenv("HEDDLE_MAX_MEMORY");
    write_text("write.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry k(.param .u64 out)\n{\n    .reg .b64 %rd<2>;\n"
                            "    ld.param.u64 %rd1, [out];\n    st.global.u8 [%rd1], 1;\n"
                            "    ret;\n}\n");
    assert_refused("run $T/write.ptx --entry k --grid 1 --block 1 --arg buf:4KiB --quiet "
                   "--max-memory 1MiB",
                   "write.ptx:8: k, block (0,0,0), thread (0,0,0): access of 1 bytes at "
                   "0x100000000, the first write to its page: the written pages of device memory "
                   "need 2.0 MiB of memory: expected at most 1.0 MiB in all (--max-memory)");
    assert_refused("run stream --source 1", "--source has no effect on stream");
}

static void test_graphs(void **state)
{
    (void)state;
    write_text("bad.txt", "0 1\n1 two\n");
    write_text("empty.txt", "# nothing\n");
    write_text("range.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n");
    assert_refused("run bfs --graph $T/bad.txt", "bad.txt:2:");
    assert_refused("run bfs --graph $T/empty.txt", "empty.txt");
    assert_refused("run bfs --graph $T/range.mtx", "range.mtx:3:");
    assert_refused("run bfs --graph $T/none.txt", "none.txt");
    write_text("bad.gr", "c few\np sp 3 2\na 1 2 3\n");
    write_text("bad.graph", "3 2\n2\n1\n\n");
    write_bytes("bad.sg", "\1\0\0\0", 4);
    assert_refused("run bfs --graph $T/bad.gr", "bad.gr:3: the file ends after 1 arcs: expected 2 "
                                                "(problem line, line 2)");
    assert_refused("run bfs --graph $T/bad.graph", "bad.graph:4: the lines list 2 neighbours");
    assert_refused("run bfs --graph $T/bad.sg", "the file ends at byte 4, in its header");
    assert_refused("run bfs --graph rmat:4,4 --source 16",
                   "source 16 is not a vertex of graph rmat:4,4: expected 0 to 15");
}

static void test_graph_options(void **state)
{
    (void)state;
    assert_refused("run bfs --weights 5..1", "--weights 5..1: expected 1..5");
    assert_refused("run bfs --relabel hubs", "--relabel hubs: expected degree, bfs or random");
    assert_refused("run bfs --symmetrise", "did you mean '--symmetrize'?");
    assert_refused("run bfs --drop-loops=yes", "--drop-loops takes no value");
    assert_refused("run stream --largest-component", "--largest-component has no effect on stream");
    assert_refused("run a.ptx --entry k --grid 1 --block 1 --relabel bfs",
                   "--relabel: expected with a workload, not with a kernel of a.ptx");
}

static void test_machines(void **state)
{
    (void)state;
    write_text("key.yaml", "base: fermi-gtx480\nl1d:\n  sise: 16KiB\n");
    write_text("unit.yaml", "base: fermi-gtx480\nl1d:\n  size: 16\n");
    assert_refused("run bfs --machine $T/key.yaml", "key.yaml:3:");
    assert_refused("run bfs --machine $T/key.yaml", "size");
    assert_refused("run bfs --machine $T/unit.yaml", "unit.yaml:3:");
    assert_refused("run bfs --machine fermi-gtx48", "fermi-gtx48");
    assert_refused("run bfs --set l1d.siz=16KiB", "l1d.size");
    assert_refused("run bfs --set l1d.size", "--set");
    assert_refused("machine check $T/key.yaml", "key.yaml:3:");
    // An error that several values cause together: the message names the place of each.
    write_text("banks.yaml", "base: fermi-gtx480\ndram:\n  banks: 2\n");
    assert_refused("machine check $T/banks.yaml",
                   "dram.bank_groups: 4: expected 1 to dram.banks (2)");
    assert_refused("machine check $T/banks.yaml", "banks.yaml:3: dram.banks: 2");
    assert_refused("machine check $T/banks.yaml --set dram.bank_groups=3",
                   "--set: dram.bank_groups: 3");
    assert_refused("run bfs --set l1d.ways=3", "--set: l1d.ways: 3");
    assert_refused("run bfs --set memory.l1_sizing=unified --set memory.unified=48KiB",
                   "more than core.shared");
    assert_refused("run bfs --machine fermi-macsim --set memory.l1_sizing=unified-registers",
                   "memory.unified = 131072B: expected more than core.shared (49152B) and "
                   "core.registers (131072B) together");
    assert_refused("run bfs --machine fermi-macsim --set memory.l1_sizing=unified-registers "
                   "--set memory.unified=192KiB --set l1d.index=xor",
                   "memory.l1_sizing = unified-registers: expected l1d.index = linear or prime");
    assert_refused("run bfs --machine fermi-macsim --set memory.l1_sizing=unified-registers "
                   "--set memory.unified=192KiB --set l1d.ways=256",
                   "l1d of memory.unified: size: 0 B: expected at least a line of 128 B");
}

static void test_kernels(void **state)
{
    (void)state;
    write_text("bad.ptx",
        ".version 6.0\n"
        ".target sm_35\n"
        ".address_size 64\n"
        ".visible .entry f()\n"
        "{\n"
        "    frobnicate.u32 %r1;\n"
        "    ret;\n"
        "}\n");
    assert_refused("run bfs --ptx $T/bad.ptx", "bad.ptx:6:");
    assert_refused("run bfs --ptx $T/none.ptx", "none.ptx");
    assert_refused("run $T/none.ptx", "/none.ptx: cannot be read: No such file or directory\n");
    assert_refused("run /", "heddle: /: is a folder: expected a PTX file\n");
    assert_refused("run bfs --graph=", "heddle: '': expected a graph's file or a generator\n");
    assert_refused("run $T/bad.ptx --entry f", "expected --grid and --block");
    assert_refused("run $T/bad.ptx --grid 1 --block 32",
                   "expected --entry with the name of a kernel");
    assert_refused("run bfs --graph rmat:4,4 --max-cycles 5",
                   "bfs_expand has not ended after 5 cycles");
    assert_refused("run bfs --graph rmat:4,4 --set core.registers=2048",
                   "bfs_expand: a block of 256 threads does not fit");
}

static void test_outputs(void **state)
{
    (void)state;
    assert_refused("run bfs --graph rmat:4,4 --out /no/such/folder/run.json",
                   "/no/such/folder/run.json: cannot be written");
    assert_refused("run bfs --graph rmat:4,4 --out $T", "is a directory");
    // The error comes before the run, so nothing is printed.
    assert_refused("run bfs --graph rmat:4,4 --out /proc/run.json", "cannot be written");
    assert_refused("run bfs --quiet=yes", "--quiet takes no value");
    assert_refused("diff --all=3 a b", "--all takes no value (see heddle diff --help)");
}

// Each command that prints much: its output is cut short by a limit on files.
static void test_cut_output(void **state)
{
    (void)state;
    static const char *const lines[] = {"machine show fermi-gtx480", "help run", "help",
                                        "graph info rmat:6,4", "run vecadd --param elements=64"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Command *c = heddle_limited(lines[i], 200);
        assert_int_equal(c->status, 2);
        assert_string_equal(c->err, "heddle: the output could not be written: File too large\n");
    }
}

// --check refuses what a run would refuse before it reads the graph, and runs nothing.
static void test_check(void **state)
{
    (void)state;
    const Command *c = heddle("run bfs --graph /nowhere.mtx --check --out $T/unwritten.json");
    if (c->status || *c->out || *c->err) fail_msg("%d: %s%s", c->status, c->out, c->err);
    char path[256];
    snprintf(path, sizeof path, "%s/unwritten.json", command_folder());
    assert_int_not_equal(access(path, F_OK), 0);
    assert_refused("run bfs --check --mechanism spp+sector",
                   "heddle: --mechanism: spp and sector both decide which sectors of a line to "
                   "fetch into the l1; write 'spp>sector', in quotes, to ask the second if the "
                   "first passes\n");
    assert_refused("run bfs --check --impl warpp", "did you mean 'warp'?");
    assert_refused("run bfs --check --registers nothing=9", "nothing");
    write_text("check.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n"
               ".visible .entry k()\n{\n    nop;\n}\n");
    assert_refused("run $T/check.ptx --entry k --grid 1 --block 1 --check", "check.ptx:6");
    write_text("check.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n"
               ".visible .entry k()\n{\n    ret;\n}\n");
    c = heddle("run $T/check.ptx --entry k --grid 1 --block 1 --check");
    if (c->status || *c->out || *c->err) fail_msg("%d: %s%s", c->status, c->out, c->err);
    assert_refused("run $T/check.ptx --entry k --grid 1 --block 1 --arg x:1 --check", "--arg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),       cmocka_unit_test(test_targets),
        cmocka_unit_test(test_option_names),   cmocka_unit_test(test_option_values),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_timed_launches), cmocka_unit_test(test_workloads),
        cmocka_unit_test(test_graphs),         cmocka_unit_test(test_graph_options),
        cmocka_unit_test(test_machines),       cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_outputs),        cmocka_unit_test(test_cut_output),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
