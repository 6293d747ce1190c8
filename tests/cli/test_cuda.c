// Tests of `heddle run --backend cuda` on the fake driver libraries of tests/device/fake.
#include "command.h"
#include "cli/results/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int start(void **state)
{
    (void)state;
    unsetenv("FAKE_FAIL");
    unsetenv("FAKE_OLDEST");
    unsetenv("FAKE_RACE");
    unsetenv("FAKE_CAPABILITY");
    return 0;
}

// Returns `measured` of a result file, after validation by the schema. The caller frees it.
static json_t *measured(const char *name)
{
    char why[512];
    json_error_t error;
    json_t *schema = json_load_file(getenv("HEDDLE_MEASURED_SCHEMA"), 0, &error);
    if (!schema) fail_msg("line %d: %s", error.line, error.text);
    json_t *value = result_value(name);
    if (!schema_accepts(schema, value, why, sizeof why)) fail_msg("%s: %s", name, why);
    json_t *part = json_incref(json_object_get(value, "measured"));
    json_decref(schema);
    json_decref(value);
    return part;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void assert_text(const json_t *object, const char *key, const char *expected)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static const Command *must_run(const char *line)
{
    const Command *c = heddle(line);
    if (c->status != 0) fail_msg("heddle %s: status %d, %s", line, c->status, c->err);
    return c;
}

static void test_report_and_json(void **state)
{
    (void)state;
    const Command *c = must_run("run bfs --graph grid:5x1 --backend cuda --out $T/path.json");
    static const char *const parts[] = {
        "bfs topology on grid:5x1 (5 vertices, ",
        "on Fake GPU (compute capability 9.0, 4 SMs, driver for CUDA 12.4)\n",
        "answer     verified against the CPU: reached 5 vertices, depth 4 levels; 10 launches\n",
        "time       2.500 ms of the GPU in 10 launches; ",
        "  bfs_expand                         5        1.250   50.0 %       0.2500 ",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(c->out, parts[i])) fail_msg("'%s' is not in '%s'", parts[i], c->out);
    assert_null(strstr(c->out, "note"));
    json_t *value = measured("path.json");
    assert_true(json_is_true(json_object_get(value, "verified")));
    assert_true(number(value, "milliseconds") == 2.5);
    assert_int_equal(json_array_size(json_object_get(value, "kernels")), 10);
    const json_t *second = json_array_get(json_object_get(value, "kernels"), 1);
    assert_text(second, "name", "bfs_update");
    assert_true(number(second, "milliseconds") == 0.25);
    const json_t *device = json_object_get(value, "device");
    assert_text(device, "compute_capability", "9.0");
    assert_true(json_is_null(json_object_get(device, "target")));
    json_decref(value);
}

// The source that is chosen is in the result: the middle of a star, 2 of whose rays are numbered
// before it.
static void test_source(void **state)
{
    (void)state;
    write_text("star.el", "2 0\n2 1\n2 3\n");
    const Command *c = must_run("run bfs --graph $T/star.el --source largest --backend cuda "
                                "--out $T/star.json");
    if (!strstr(c->out, "\nsource     vertex 2, the largest: 3 edges start there\nanswer     "
                        "verified against the CPU: reached 4 vertices, depth 1 levels; "))
        fail_msg("%s", c->out);
    json_t *value = measured("star.json");
    assert_true(number(value, "source") == 2);
    json_decref(value);
}

// Whether the run is refused because its kernels are right on a simulated GPU only.
static bool simulated_only(const char *line)
{
    const Command *c = heddle(line);
    return c->status != 0 && strstr(c->err, " on a real GPU: expected a simulated GPU");
}

// A run that has been started. It mostly waits for its GPU.
typedef struct Started {
    pid_t process; // 0: none
    char name[16], line[256];
} Started;
enum { AT_ONCE = 6 };

static void check_started(Started *run)
{
    if (!run->process) return;
    char file[32];
    const Command *c = heddle_wait(run->process, run->name);
    run->process = 0;
    if (c->status != 0) fail_msg("heddle %s: status %d, %s", run->line, c->status, c->err);
    if (!strstr(c->out, "verified against the CPU")) fail_msg("%s: %s", run->line, c->out);
    snprintf(file, sizeof file, "%s.json", run->name);
    json_t *value = measured(file);
    const json_t *power = json_object_get(value, "power");
    assert_true(number(power, "repetitions") >= 1);
    if (number(power, "strayed") > 0) fail_msg("%s: %s", run->line, c->out);
    assert_float_equal(number(value, "repeated_milliseconds"), number(value, "milliseconds"), 1e-6);
    json_decref(value);
}

// Every host program but a few runs unchanged on the backend with a right answer. Repetitions
// without the host program's work read the same flags and lengths.
static void test_all_workloads(void **state)
{
    (void)state;
    static char list[OUTPUT_TEXT];
    char workload[64] = "";
    Started started[AT_ONCE] = {0};
    unsigned runs = 0, refused = 0;
    strcpy(list, must_run("workload list")->out);
    for (char *rest = list, *row; (row = strsep(&rest, "\n"));) {
        char word[64];
        if (sscanf(row, " %63s", word) != 1) continue;
        if (row[0] != ' ') {
            strcpy(workload, word);
            continue;
        }
        Started *run = &started[runs % AT_ONCE];
        check_started(run);
        const char *sizes = small_sizes(workload);
        const char *input = sizes ? sizes : "--graph rmat:7,8 --symmetrize --weights 1..9";
        snprintf(run->name, sizeof run->name, "all%u", runs % AT_ONCE);
        snprintf(run->line, sizeof run->line,
                 "run %s --impl %s --backend cuda --seconds 0.1 --out $T/all%u.json %s", workload,
                 word, runs % AT_ONCE, input);
        bool scalar = strcmp(word, "scalar") == 0 && strcmp(workload, "spmv") != 0;
        if (scalar || strcmp(word, "pannotia-scalar") == 0) {
            if (!simulated_only(run->line)) fail_msg("%s is not refused", run->line);
            refused++;
            continue;
        }
        run->process = heddle_start(run->line, run->name);
        runs++;
    }
    for (unsigned i = 0; i < AT_ONCE; i++) check_started(&started[i]);
    assert_true(runs >= 30);
    assert_int_equal(refused, 7);
}

static void test_power(void **state)
{
    (void)state;
    setenv("FAKE_MILLIWATTS", "150000", 1);
    const Command *c =
        must_run("run bfs --graph grid:5x1 --backend cuda --seconds 0.2 --out $T/power.json");
    unsetenv("FAKE_MILLIWATTS");
    assert_non_null(strstr(c->out, "of the GPU each, one every "));
    assert_non_null(strstr(c->out, "power      150.0 W, mean of "));
    assert_null(strstr(c->out, "note"));
    json_t *value = measured("power.json");
    const json_t *power = json_object_get(value, "power");
    double seconds = number(power, "seconds");
    assert_true(seconds >= 0.2);
    assert_float_equal(number(power, "watts"), 150, 1e-6);
    assert_float_equal(number(power, "idle_watts"), 150, 1e-6);
    assert_float_equal(number(power, "joules"), 150 * seconds, 1e-6);
    assert_float_equal(number(power, "joules_each"), 150 * seconds / number(power, "repetitions"),
                       1e-6);
    assert_float_equal(number(value, "repeated_milliseconds"), 2.5, 1e-6);
    json_decref(value);
    // Without --seconds nothing is repeated, and no power meter is opened.
    setenv("FAKE_FAIL", "nvmlInit_v2=9", 1);
    must_run("run bfs --graph grid:5x1 --backend cuda --out $T/power.json");
    value = measured("power.json");
    assert_true(json_is_null(json_object_get(value, "power")));
    assert_true(json_is_null(json_object_get(value, "repeated_milliseconds")));
    json_decref(value);
    assert_refused("run bfs --graph grid:5x1 --backend cuda --seconds 1",
                   "--seconds: the GPU's power cannot be measured: starting: error 9 of NVML (the "
                   "driver is not loaded); leave --seconds away to measure time only");
    assert_refused("run bfs --seconds 1", "--seconds: expected with --backend cuda only");
    assert_refused("run bfs --backend cuda --seconds 0", "expected a number from 0.1 to 3600");
    assert_refused("run bfs --backend cuda --seconds nan", "expected a number from 0.1 to 3600");
}

static json_t *counts_of(const char *options)
{
    char line[256];
    snprintf(line, sizeof line,
             "run bfs --graph grid:5x1 --backend cuda --counts --out $T/c.json %s", options);
    must_run(line);
    json_t *value = measured("c.json"), *counts = json_incref(json_object_get(value, "counts"));
    json_decref(value);
    return counts;
}

// 10 launches, in each of which the fake counts 101 of each event.
static void test_counts_of_gpu(void **state)
{
    (void)state;
    setenv("FAKE_CAPABILITY", "35", 1);
    json_t *counts = counts_of("--seconds 0.1");
    assert_text(counts, "source", "cupti");
    assert_true(json_is_null(json_object_get(counts, "reason")));
    assert_true(number(counts, "warp_instructions") == 1010);
    assert_true(number(counts, "dram_write_sectors") == 2020);
    json_decref(counts);
}

static void test_counts_of_simulator(void **state)
{
    (void)state;
    must_run("run bfs --graph grid:5x1 --machine fermi-macsim --quiet --out $T/sim.json");
    json_t *value = result_value("sim.json");
    const json_t *result = json_object_get(value, "result");
    const json_t *dram = json_object_get(result, "dram");
    json_t *counts = counts_of("--machine fermi-macsim");
    assert_text(counts, "source", "simulator");
    assert_text(counts, "machine", "fermi-macsim");
    assert_text(counts, "reason",
                "CUPTI has events up to compute capability 7.2; this GPU has 9.0");
    assert_true(number(counts, "warp_instructions") == number(result, "warp_instructions"));
    assert_true(number(counts, "thread_instructions") == number(result, "thread_instructions"));
    assert_true(number(counts, "dram_read_sectors") * 32 == number(dram, "bytes_read"));
    assert_true(number(counts, "dram_read_sectors") > 0);
    json_decref(counts);
    // A functional run has no transactions to count.
    counts = counts_of("--functional");
    assert_true(number(counts, "warp_instructions") == number(result, "warp_instructions"));
    assert_true(json_is_null(json_object_get(counts, "dram_read_sectors")));
    json_decref(counts);
    json_decref(value);
    // A GPU that has the events, but denies access to them.
    setenv("FAKE_CAPABILITY", "70", 1);
    setenv("FAKE_FAIL", "cuptiEventGroupEnable=35", 1);
    counts = counts_of("");
    assert_text(counts, "reason",
                "CUPTI's event inst_executed: error 35, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
    json_decref(counts);
    unsetenv("FAKE_FAIL");
    assert_refused("run bfs --counts",
                   "--counts: expected with --backend cuda only, because the simulator always "
                   "counts");
    assert_refused("run bfs --backend cuda --counts --no-skip",
                   "--no-skip has no effect with --backend cuda");
    const Command *c = must_run("run bfs --graph grid:5x1 --backend cuda");
    assert_null(strstr(c->out, "counts"));
}

static void test_interrupted(void **state)
{
    (void)state;
    const int signals[] = {15};
    const Command *c =
        heddle_signalled("run bfs --graph grid:5x1 --backend cuda --seconds 3000", signals, 1);
    assert_int_equal(c->status, 143);
    assert_non_null(strstr(c->err, "interrupted"));
}

static void test_kernel(void **state)
{
    (void)state;
    write_text("set.ptx",
        ".version 6.0\n"
        ".target sm_35\n"
        ".address_size 64\n"
        ".visible .entry set(.param .u64 to)\n"
        "{\n"
        "    .reg .b64 %rd<2>;\n"
        "    .reg .b32 %r<2>;\n"
        "    ld.param.u64 %rd1, [to];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    st.global.u32 [%rd1], 7;\n"
        "    ret;\n"
        "}\n");
    const Command *c = must_run("run $T/set.ptx --entry set --grid 1 --block 1 --arg buf:8:out "
                                "--dump 0=$T/out --backend cuda --out $T/set.json");
    assert_non_null(strstr(c->out, "answer     not checked"));
    char *bytes = read_text("out");
    assert_memory_equal(bytes, ((char[]){7, 0, 0, 0, 0, 0, 0, 0}), 8);
    free(bytes);
    json_t *value = measured("set.json");
    assert_true(json_is_null(json_object_get(value, "verified")));
    assert_int_equal(json_array_size(json_object_get(value, "arguments")), 1);
    json_decref(value);
}

static void test_new_target(void **state)
{
    (void)state;
    setenv("FAKE_OLDEST", "75", 1);
    const Command *c = must_run("run bfs --graph grid:5x1 --backend cuda --out $T/new.json");
    assert_non_null(
        strstr(c->out, "note       the driver no longer supports the kernels' own target"));
    json_t *value = measured("new.json");
    assert_text(json_object_get(value, "device"), "target", ".target sm_75");
    json_decref(value);
}

static void test_no_gpu(void **state)
{
    (void)state;
    setenv("FAKE_FAIL", "cuInit=100", 1);
    assert_refused("run bfs --backend cuda",
                   "heddle: --backend cuda: a real GPU cannot be used: the driver is there, but it "
                   "finds no GPU (CUDA_ERROR_NO_DEVICE; CUDA_VISIBLE_DEVICES may hide it); leave "
                   "--backend away to simulate\n");
    char *path = strdup(getenv("LD_LIBRARY_PATH"));
    unsetenv("LD_LIBRARY_PATH");
    // The error comes before the graph is read, which would fail with another error.
    const Command *c = heddle("run bfs --backend cuda --graph /does/not/exist");
    setenv("LD_LIBRARY_PATH", path, 1);
    free(path);
    assert_int_equal(c->status, 2);
    if (strstr(c->err, "/does/not/exist")) skip(); // this host has a GPU
    assert_non_null(strstr(c->err, "heddle: --backend cuda: a real GPU cannot be used: "));
    assert_non_null(strstr(c->err, "; leave --backend away to simulate\n"));
    assert_ptr_equal(strchr(c->err, '\n') + 1, c->err + strlen(c->err));
}

static void test_refused_options(void **state)
{
    (void)state;
    static const char *const of_sim[] = {
        "machine fermi-gtx480", "set l1d.size=16KiB", "registers bfs_expand=8", "seed 3",
        "per-kernel", "functional", "skip-kernels 1", "detail-kernels 1", "max-cycles 5",
        "max-instructions 5", "max-thread-instructions 5", "threads 1", "no-skip", "shuffle 3",
    };
    for (size_t i = 0; i < sizeof of_sim / sizeof *of_sim; i++) {
        char line[128], part[128];
        snprintf(line, sizeof line, "run bfs --backend cuda --%s", of_sim[i]);
        snprintf(part, sizeof part, "--%.*s has no effect with --backend cuda: expected with the "
                                    "simulator", (int)strcspn(of_sim[i], " "), of_sim[i]);
        assert_refused(line, part);
    }
    assert_refused("run bfs --backend opencl", "--backend 'opencl': expected sim or cuda");
    must_run("run bfs --graph grid:5x1 --backend sim --set l1d.size=48KiB");
}

// A driver error is reported like any other. A wrong answer ends with status 1.
static void test_errors(void **state)
{
    (void)state;
    setenv("FAKE_FAIL", "cuLaunchKernel:3=700", 1);
    assert_refused("run bfs --graph grid:5x1 --backend cuda",
                   "kernel bfs_expand, grid 1,1,1, block 256,1,1, 0 bytes of dynamic shared "
                   "memory: CUDA_ERROR_ILLEGAL_ADDRESS");
    setenv("FAKE_FAIL", "cuMemAlloc_v2:3=2", 1);
    assert_refused("run bfs --graph grid:5x1 --backend cuda", "CUDA_ERROR_OUT_OF_MEMORY");
}

// On a real GPU, the kernels would take a warp slot for the index of a warp.
static void test_simulated_only(void **state)
{
    (void)state;
    const char *const why = "bfs scalar on a real GPU: expected a simulated GPU, because its "
                            "kernels take the index of a warp from %warpid, which on a real GPU "
                            "is a warp slot";
    assert_refused("run bfs --impl scalar --graph grid:5x1 --backend cuda", why);
    assert_refused("run bfs --impl scalar --graph grid:5x1 --backend cuda --counts", why);
    must_run("run bfs --impl scalar --graph grid:5x1 --backend sim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_report_and_json, start),
        cmocka_unit_test_setup(test_source, start),
        cmocka_unit_test_setup(test_all_workloads, start),
        cmocka_unit_test_setup(test_simulated_only, start),
        cmocka_unit_test_setup(test_power, start),
        cmocka_unit_test_setup(test_counts_of_gpu, start),
        cmocka_unit_test_setup(test_counts_of_simulator, start),
        cmocka_unit_test_setup(test_interrupted, start),
        cmocka_unit_test_setup(test_kernel, start),
        cmocka_unit_test_setup(test_new_target, start),
        cmocka_unit_test_setup(test_no_gpu, start),
        cmocka_unit_test_setup(test_refused_options, start),
        cmocka_unit_test_setup(test_errors, start),
    };
    return cmocka_run_group_tests_name("cli-cuda", tests, NULL, NULL);
}
