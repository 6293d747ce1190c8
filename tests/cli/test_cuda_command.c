// Tests of `heddle cuda`: errors before a program starts, what the program inherits, and the report
// after its end.
#include "command.h"
#include "cli/results/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether the build is sanitized and no sanitizer runtime can be preloaded into programs.
static bool cannot_run(void)
{
    const char *runtime = getenv("HEDDLE_SANITIZER");
    return sanitized() && !(runtime && *runtime);
}

// Copies a program into the folder with one byte changed.
static void write_changed(const char *name, const char *from, long at, int byte)
{
    static char bytes[1 << 20];
    char path[256];
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 64 && size < sizeof bytes);
    if (at >= 0) bytes[at] = (char)byte;
    write_bytes(name, bytes, size);
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    assert_int_equal(chmod(path, 0700), 0);
}

static void write_program(const char *name, const char *text)
{
    char path[256];
    write_text(name, text);
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    assert_int_equal(chmod(path, 0700), 0);
}

// ---- before the program ----

static void test_no_program(void **state)
{
    (void)state;
    assert_refused("cuda", "nothing to run: expected a program, as in `heddle cuda ./app`");
    assert_refused("cuda --", "expected a program");
    assert_refused("cuda no-such-program", "no-such-program: there is no such program in PATH");
    assert_refused("cuda $T/none", "/none: No such file or directory");
    assert_refused("cuda $T", "is a folder, not a program");
    write_text("plain", "text\n");
    assert_refused("cuda $T/plain", "/plain: is not executable");
}

static void test_programs_that_cannot_run(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_STATIC"));
    assert_refused(line, "is linked to the static CUDA runtime, which cannot be replaced; "
                         "link it with nvcc -cudart shared");
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_OLD"));
    assert_refused(line, "needs libcudart.so.10.1: expected libcudart.so.11.0, .12 or "
                         ".13");
    write_changed("narrow", getenv("HEDDLE_STATIC"), 4, 1);
    assert_refused("cuda $T/narrow", "is a 32-bit program");
    write_changed("foreign", getenv("HEDDLE_STATIC"), 18, 8);
    assert_refused("cuda $T/foreign", "is a program for another kind of processor");
}

// Only for root, which can change a program's owner.
static void check_rights(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/rights", command_folder());
    write_changed("rights", getenv("HEDDLE_NEEDS_NOTHING"), -1, 0);
    if (geteuid() != 0 || chown(path, 12345, (gid_t)-1) != 0) return;
    assert_int_equal(chmod(path, 04755), 0);
    assert_refused("cuda $T/rights", "/rights: gets rights by its file (set-user-ID)");
}

static void test_files_that_cannot_run(void **state)
{
    (void)state;
    write_program("no-first-line", "echo here\n");
    assert_refused("cuda $T/no-first-line", "is neither a program nor a script: expected a "
                                            "first line that names its interpreter");
    write_program("no-interpreter", "#!/none/such\n");
    assert_refused("cuda $T/no-interpreter", "its interpreter (#! in its first line, or its "
                                             "loader) is missing");
    check_rights();
}

// The libraries checked are those that the loader would load.
static void test_libraries(void **state)
{
    (void)state;
    char line[512];
    const Command *c = heddle("cuda /bin/true");
    assert_string_equal(c->err, "heddle: /bin/true: does not use the CUDA runtime itself; only "
                                "what it starts or opens later can run on the simulated GPU\n");
    assert_int_equal(c->status, 0);
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_NEEDS_DRIVER"));
    assert_refused(line, "calls cuInit of libcuda.so.1, the CUDA driver");
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_NEEDS_NOTHING")); // is linked to it
    c = heddle(line);
    assert_string_equal(c->err, "");
    assert_int_equal(c->status, 7);
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_NEEDS_CUBLAS"));
    c = heddle(line); // the loader's error follows
    assert_non_null(strstr(c->err, "needs libcublas.so.13, whose kernels are machine code"));
    write_changed("libkernels.so", getenv("HEDDLE_NEEDED_KERNELS"), -1, 0);
    setenv("LD_LIBRARY_PATH", command_folder(), 1);
    snprintf(line, sizeof line, "cuda %s", getenv("HEDDLE_NEEDS_KERNELS"));
    assert_refused(line, "needs libkernels.so, which is linked to the static CUDA runtime");
    unsetenv("LD_LIBRARY_PATH");
}

static void test_options(void **state)
{
    (void)state;
    assert_refused("cuda --bogus /bin/true", "unknown option --bogus (see heddle cuda --help)");
    assert_refused("cuda --machin volta /bin/true --machine x", "there is no machine 'volta'");
    assert_refused("cuda --machine", "--machine needs a value");
    assert_refused("cuda --machine none-such /bin/true", "there is no machine 'none-such'");
    assert_refused("cuda --mechanism none-such /bin/true", "there is no mechanism 'none-such'");
    assert_refused("cuda --set l1d.size=48 /bin/true", "l1d.size = 48: expected a unit");
    assert_refused("cuda --set gpu.sms=8 --set nothing.here=1 /bin/true",
                   "there is no parameter 'nothing.here'");
    assert_refused("cuda --threads many /bin/true", "--threads 'many': expected a whole number");
    assert_refused("cuda --seed -1 /bin/true", "--seed '-1': expected a whole number");
    assert_refused("cuda --out $T/none/out.json /bin/true", "/none/out.json: cannot be written");
    assert_refused("cuda --report $T/none/report /bin/true", "/none/report: cannot be written");
}

static void test_environment(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *part;
    } wrong[] = {
        {"HEDDLE_MACHINE", "none-such", "there is no machine 'none-such'"},
        {"HEDDLE_THREADS", "2x", "HEDDLE_THREADS '2x': expected a whole number from 1 to 256"},
        {"HEDDLE_STRICT", "maybe", "HEDDLE_STRICT 'maybe': expected 1 or 0"},
        {"HEDDLE_SET", "gpu.sms=4;l2.none=3", "there is no parameter 'l2.none'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv(wrong[i].name, wrong[i].value, 1);
        assert_refused("cuda /bin/true", wrong[i].part);
        unsetenv(wrong[i].name);
    }
    setenv("HEDDLE_SKIP_KERNELS", "1", 1);
    setenv("HEDDLE_DETAIL_KERNELS", "2", 1);
    assert_refused("cuda /bin/true", "HEDDLE_SKIP_KERNELS and HEDDLE_DETAIL_KERNELS both set which "
                                     "launches are timed: expected one of them");
    unsetenv("HEDDLE_SKIP_KERNELS");
    unsetenv("HEDDLE_DETAIL_KERNELS");
    setenv("HEDDLE_MACHINE", "none-such", 1); // the command line takes precedence
    assert_int_equal(heddle("cuda --machine fermi-gtx480 /bin/true")->status, 0);
    unsetenv("HEDDLE_MACHINE");
}

// ---- the program ----

static const char probe_output[] = "35 cudaSuccess\n";

static json_int_t count_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const Command *probe(const char *options, const char *arguments)
{
    if (cannot_run()) skip();
    char line[1024];
    snprintf(line, sizeof line, "cuda --threads 1 --set gpu.sms=4 %s -- $T/probe %s", options,
             arguments);
    return heddle(line);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_what_the_program_keeps(void **state)
{
    (void)state;
    const Command *c = probe("", "good 0");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->out, probe_output);
    assert_int_equal(probe("--report none", "good 7")->status, 7);
    c = probe("--report none", "good 9");
    assert_int_equal(c->status, 9);
    assert_string_equal(c->err, "");
    c = probe("", "signal");
    assert_int_equal(c->status, -1);
    assert_string_equal(c->out, probe_output);
    write_program("script", "#!/bin/sh\n\"$(dirname \"$0\")/probe\" \"$@\"; echo after $?\n");
    c = heddle("cuda --threads 1 --report none $T/script good 5");
    assert_string_equal(c->out, "35 cudaSuccess\nafter 5\n");
}

static void test_report(void **state)
{
    (void)state;
    const Command *c = probe("", "good");
    assert_has(c->err, " good on machine volta-v100; 2 launches\n");
    assert_has(c->err, "\n  multiply<3> ");
    assert_has(c->err, "\n  multiply<5> ");
    assert_has(c->err, "\n  cudaMalloc #1, probe.cu:20 ");
    assert_has(c->err, "\n  cudaMalloc #2, probe.cu:21 ");
    assert_has(c->err, "issue slots (4 SMs");
    assert_has(probe("", "reset")->err, "2 launches\n");
    c = probe("--report $T/report", "good");
    assert_string_equal(c->err, "");
    char *text = read_text("report");
    assert_has(text, "multiply<3>");
    free(text);
}

static void test_launches_in_time(void **state)
{
    (void)state;
    // One of two launches is timed; the other is functional.
    assert_has(probe("--skip-kernels 1", "good")->err, "functional 1 of 2 launches");
    assert_has(probe("--detail-kernels 1", "good")->err, "functional 1 of 2 launches");
    assert_has(probe("--detail-kernels 1..2", "good")->err, "issue slots (4 SMs");
    const Command *c = probe("--skip-kernels 2", "good");
    assert_has(c->err, "functional 2 of 2 launches");
    assert_has(c->err, "launches      warp instr.     share\n"); // no cycles
    setenv("HEDDLE_SKIP_KERNELS", "2", 1); // the command line takes precedence
    assert_has(probe("--detail-kernels 2", "good")->err, "functional 1 of 2 launches");
    assert_has(probe("", "good")->err, "functional 2 of 2 launches");
    unsetenv("HEDDLE_SKIP_KERNELS");
    assert_refused("cuda --detail-kernels 2..1 /bin/true",
                   "--detail-kernels '2..1': expected 1..2");
    assert_refused("cuda --detail-kernels 2.. /bin/true",
                   "--detail-kernels '2..': expected A..B or A");
    assert_refused("cuda --skip-kernels x /bin/true", "--skip-kernels");
    assert_refused("cuda --skip-kernels 1 --detail-kernels 2 /bin/true", "expected one of them");
    assert_refused("cuda --skip-kernels 1 --functional /bin/true",
                   "functional runs no launch timed: expected neither");
    assert_refused("cuda --functional --max-cycles 9 /bin/true", "--max-cycles has no effect with");
    assert_refused("cuda --functional --mechanism obm /bin/true",
                   "--mechanism has no effect with --functional, which runs no launch timed");
    assert_has(probe("--max-thread-instructions 1", "good")->err,
               "in launch 1 of 2 (multiply)\n           at its cycle ");
    setenv("HEDDLE_MAX_THREAD_INSTRUCTIONS", "0", 1);
    assert_refused("cuda /bin/true", "HEDDLE_MAX_THREAD_INSTRUCTIONS '0': expected a whole number");
    unsetenv("HEDDLE_MAX_THREAD_INSTRUCTIONS");
    assert_null(strstr(probe("--functional --threads 2", "good")->err, "--threads"));
    static const char pages[] = "the written pages of device memory need 2.0 MiB of memory: "
                                "expected at most 1.0 MiB in all (--max-memory)";
    assert_has(probe("--max-memory 1MiB", "good")->err, pages);
    setenv("HEDDLE_MAX_MEMORY", "1MiB", 1);
    assert_has(probe("", "good")->err, pages);
    unsetenv("HEDDLE_MAX_MEMORY");
}

static void test_fault(void **state)
{
    (void)state;
    const Command *c = probe("", "fault");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->out, "7 cudaErrorIllegalAddress\n");
    assert_has(c->err, "past the end of \"cudaMalloc #2, probe.cu:21\"");
    assert_has(c->err, "1 launch, then one that FAILED");
}

// Options of heddle.yaml reach the program. The environment takes precedence.
static void runs_on(const char *part)
{
    const Command *c = heddle("cuda $T/probe");
    assert_int_equal(c->status, 0);
    assert_has(c->err, part);
}

static void test_file_of_program(void **state)
{
    (void)state;
    if (cannot_run()) skip();
    static const char yaml[] = "machine: fermi-gtx480\nset:\n  gpu.sms: 3\nthreads: 1\n";
    with_settings(yaml, runs_on, "on machine fermi-gtx480; 2 launches");
    with_settings(yaml, runs_on, "issue slots (3 SMs x 2 ");
    setenv("HEDDLE_MACHINE", "volta-v100", 1);
    with_settings(yaml, runs_on, "on machine volta-v100; 2 launches");
    with_settings(yaml, runs_on, "issue slots (3 SMs x 4 ");
    setenv("HEDDLE_SET", "gpu.sms=2", 1); // after the file's
    with_settings(yaml, runs_on, "issue slots (2 SMs x 4 ");
    unsetenv("HEDDLE_SET");
    unsetenv("HEDDLE_MACHINE");
}

static json_t *valid_result(const char *name)
{
    char why[512];
    json_t *schema = json_load_file(getenv("HEDDLE_SCHEMA"), 0, NULL);
    assert_non_null(schema);
    json_t *value = result_value(name);
    if (!schema_accepts(schema, value, why, sizeof why)) fail_msg("%s: %s", name, why);
    json_decref(schema);
    return value;
}

// Registers by the name of all instances of a template, or by the full name of one.
static void test_registers(void **state)
{
    (void)state;
    const Command *c = probe("--report none --out $T/run.json --registers multiply=9", "good");
    assert_string_equal(c->err, "");
    json_t *file = valid_result("run.json"), *result = json_object_get(file, "result");
    json_t *totals = json_object_get(result, "kernel_totals");
    assert_int_equal(count_of(json_array_get(totals, 1), "registers"), 9);
    json_decref(file);
    c = probe("--report none --out $T/run.json --registers multiply=100,nothing=3 "
              "--registers _Z8multiplyILi5EEvPiPKii=64", "good");
    assert_string_equal(c->err,
                        "heddle: --registers nothing=3: probe.1.ptx: no kernel 'nothing' among its "
                        "2 kernels\n");
    file = valid_result("run.json");
    result = json_object_get(file, "result");
    totals = json_object_get(result, "kernel_totals");
    assert_int_equal(count_of(json_array_get(totals, 0), "registers"), 100);
    assert_int_equal(count_of(json_array_get(totals, 1), "registers"), 64);
    json_decref(file);
}

// With --per-kernel, the result has each launch in full; their sum is the total.
static void test_per_kernel(void **state)
{
    (void)state;
    probe("--report none --out $T/run.json", "good");
    json_t *file = valid_result("run.json"), *result = json_object_get(file, "result");
    assert_int_equal(json_array_size(json_object_get(result, "kernels")), 0);
    json_decref(file);
    probe("--report none --out $T/run.json --per-kernel", "good");
    file = valid_result("run.json");
    result = json_object_get(file, "result");
    json_t *launches = json_object_get(result, "kernels");
    json_t *totals = json_object_get(result, "kernel_totals");
    assert_int_equal(json_array_size(launches), 2);
    json_int_t cycles = 0;
    for (size_t i = 0; i < 2; i++) {
        json_t *launch = json_array_get(launches, i), *total = json_array_get(totals, i);
        assert_true(json_equal(json_object_get(launch, "name"), json_object_get(total, "name")));
        assert_int_equal(count_of(launch, "cycles"), count_of(total, "cycles"));
        assert_true(json_equal(json_object_get(launch, "l2"), json_object_get(total, "l2")));
        assert_true(json_array_size(json_object_get(launch, "pcs")) > 0);
        cycles += count_of(launch, "cycles");
    }
    assert_int_equal(cycles, count_of(result, "cycles"));
    json_decref(file);
}

// A mechanism that injects micro-ops counts them for each kernel and launch: none, without a loop.
static void test_injected(void **state)
{
    (void)state;
    const Command *c = probe("--report none --out $T/run.json --per-kernel --mechanism spref "
                             "--set core.divergence=stack", "good");
    assert_string_equal(c->err, "");
    json_t *file = valid_result("run.json"), *result = json_object_get(file, "result");
    static const char *const lists[] = {"kernels", "kernel_totals"};
    for (size_t i = 0; i < 2; i++) {
        json_t *kernel = json_array_get(json_object_get(result, lists[i]), 1);
        json_t *counted[] = {json_object_get(kernel, "injected"),
                             json_object_get(json_object_get(kernel, "sm"), "injected")};
        for (size_t k = 0; k < 2; k++) {
            assert_true(json_is_integer(counted[k]));
            assert_int_equal(json_integer_value(counted[k]), 0);
        }
    }
    json_decref(file);
}

static void test_json(void **state)
{
    (void)state;
    assert_int_equal(probe("--report none --out $T/a.json", "good 0")->status, 0);
    assert_int_equal(probe("--report none --threads 2 --out $T/b.json", "good 0")->status, 0);
    char *a = result_text("a.json"), *b = result_text("b.json");
    assert_string_equal(a, b); // two runs agree, whatever the host
    free(a);
    free(b);
    json_t *value = valid_result("a.json");
    const json_t *result = json_object_get(value, "result");
    assert_string_equal(json_string_value(json_object_get(result, "workload")), "cuda");
    assert_string_equal(json_string_value(json_object_get(result, "implementation")), "probe");
    const json_t *kernels = json_object_get(result, "kernel_totals");
    assert_int_equal(json_array_size(kernels), 2);
    const json_t *first = json_array_get(kernels, 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")),
                        "void multiply<3>(int*, int const*, int)");
    assert_int_equal(json_integer_value(json_object_get(first, "launches")), 1);
    const json_t *arrays = json_object_get(result, "allocations");
    assert_non_null(json_object_get(arrays, "cudaMalloc #2, probe.cu:21"));
    json_decref(value);
}

// Source lines name an allocation by its number, the table below them by its name.
static void test_annotated(void **state)
{
    (void)state;
    assert_int_equal(probe("--out $T/run.json", "good")->status, 0);
    const Command *c = heddle("annotate $T/run.json $T/probe.cu");
    const char *line = strstr(c->out, "if (i < count) to[i] = FACTOR * from[i];");
    assert_non_null(line);
    while (line[-1] != '\n') line--;
    const char *number = strstr(line, "  #1 ");
    assert_true(number && number < strchr(line, '\n'));
    assert_has(c->out, "  cudaMalloc #1, probe.cu:20\n");
}

// Allocations made by helpers in a header, inlined or many calls deep, are attributed to the line
// that called them. A long file name is shortened in the middle; the line stays. A variable has its
// name in the source.
static void test_places(void **state)
{
    (void)state;
    if (cannot_run()) skip();
    write_text("make.h", "inline int *make(int n)\n{\n    int *p = 0;\n    cudaMalloc(&p, n * 4);\n"
                         "    return p;\n}\n"
                         "struct Pair {\n    int *a, *b;\n    void open(int n)\n    {\n"
                         "        a = make(n);\n        b = make(n);\n    }\n};\n"
                         "template <int N> __attribute__((noinline)) int *deep(int n)\n{\n"
                         "    int *p = deep<N - 1>(n);\n    asm volatile(\"\" ::: \"memory\");\n"
                         "    return p;\n}\n"
                         "template <> inline int *deep<0>(int n) { return make(n); }\n"
                         "namespace store { __device__ int cells[4]; }\n");
    write_text("a_program_with_a_rather_long_name.cu",
               "#include \"make.h\"\n"
               "__global__ void copy(int *to, const int *from) { *to = *from ^ store::cells[1]; }\n"
               "__attribute__((noinline)) void run(Pair pair)\n{\n    pair.open(7);\n"
               "    copy<<<1, 1>>>(pair.a, pair.b);\n"
               "    copy<<<1, 1>>>(pair.a, deep<18>(7));\n"
               "    cudaDeviceSynchronize();\n}\n"
               "int main() { run(Pair()); }\n");
    const Command *c = heddle("cc -g -O2 -o $T/places $T/a_program_with_a_rather_long_name.cu");
    if (c->status != 0) fail_msg("%s", c->err);
    c = heddle("cuda --threads 1 --set gpu.sms=4 --out $T/places.json $T/places");
    assert_has(c->err, "\n  cudaMalloc #1, a_program_wi..me.cu:5  ");
    assert_has(c->err, "\n  cudaMalloc #2, a_program_wi..me.cu:5  ");
    assert_has(c->err, "\n  cudaMalloc #3, a_program_wi..me.cu:7  ");
    assert_has(c->err, "\n  store::cells  ");
    assert_has(c->err, "\n  a_program_with_a_rather_long_name.cu:2  ");
    json_t *value = valid_result("places.json");
    const json_t *arrays = json_object_get(json_object_get(value, "result"), "allocations");
    assert_non_null(json_object_get(arrays, "cudaMalloc #1, a_program_with_a_rather..me.cu:5"));
    json_decref(value);
}

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    return access(path, F_OK) == 0;
}

// Returns the argument of the program of a result: its exit status.
static void assert_of(const char *name, const char *status)
{
    json_t *value = valid_result(name);
    const json_t *words = json_object_get(json_object_get(value, "result"), "arguments");
    assert_string_equal(json_string_value(json_array_get(words, 1)), status);
    json_decref(value);
}

// Each program of a run writes its own file. The next run replaces them.
static void test_files_of_a_run(void **state)
{
    (void)state;
    if (cannot_run()) skip();
    write_program("twice", "#!/bin/sh\n\"$1\" good \"$2\"; \"$1\" good \"$3\"\n");
    const Command *c = heddle("cuda --threads 1 --report $T/r --out $T/run.json $T/twice $T/probe "
                              "3 4");
    assert_int_equal(c->status, 4);
    assert_has(c->err, "heddle: an earlier program of this run has written ");
    assert_has(c->err, "/run.json: writing to ");
    assert_has(c->err, "/r.2\n");
    assert_of("run.json", "3");
    assert_of("run.2.json", "4");
    heddle("cuda --threads 1 --report none --out $T/run.json $T/twice $T/probe 5 6");
    assert_of("run.json", "5");
    assert_of("run.2.json", "6");
    assert_false(is_there("run.3.json"));
    heddle("cuda --threads 1 --report none --out $T/run.%p.json $T/probe good 0");
    assert_false(is_there("run.%p.json"));
    // A program without a result does not show a file of the previous run.
    assert_int_equal(heddle("cuda --threads 1 --out $T/run.json $T/probe signal")->status, -1);
    assert_false(is_there("run.json"));
}

static void test_nothing_to_report(void **state)
{
    (void)state;
    assert_string_equal(probe("", "unused")->err,
                        "heddle: no report: probe did not use its GPU\n");
    assert_string_equal(probe("", "empty")->err,
                        "heddle: no report: probe launched no kernel\n");
    assert_string_equal(probe("--report none", "empty")->err, "");
}

// A program with its own path to the runtime (DT_RPATH, which precedes LD_LIBRARY_PATH) still uses
// Heddle's: the library at that path lacks the symbols.
static void test_own_path(void **state)
{
    (void)state;
    if (cannot_run()) skip();
    char path[256];
    snprintf(path, sizeof path, "%s/own", command_folder());
    assert_int_equal(mkdir(path, 0700), 0);
    write_changed("own/libcudart.so.13", getenv("HEDDLE_OLD_RUNTIME"), -1, 0);
    const Command *c = heddle("cuda --threads 1 --report none $T/probe-own good 4");
    assert_string_equal(c->out, probe_output);
    assert_int_equal(c->status, 4);
}

static const char build_own[] = "cc -g --no-rpath -Wl,--disable-new-dtags -Wl,-rpath,$T/own -o "
                                "$T/probe-own $T/probe.cu";

static int build(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(getenv("HEDDLE_PROBE"), "r");
    if (!file || getdelim(&text, &size, 0, file) < 0) return -1;
    fclose(file);
    write_text("probe.cu", text);
    free(text);
    if (cannot_run()) return 0;
    const Command *c = heddle("cc -g -o $T/probe $T/probe.cu");
    if (c->status == 0) c = heddle(build_own);
    if (c->status != 0) fprintf(stderr, "%s", c->err);
    const char *runtime = getenv("HEDDLE_SANITIZER");
    if (runtime && *runtime) { // only for programs, not for the compiler
        setenv("LD_PRELOAD", runtime, 1);
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // of shells
    }
    return c->status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_programs_that_cannot_run),
        cmocka_unit_test(test_files_that_cannot_run),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_what_the_program_keeps),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_per_kernel),
        cmocka_unit_test(test_injected),
        cmocka_unit_test(test_launches_in_time),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_file_of_program),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_annotated),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_files_of_a_run),
        cmocka_unit_test(test_nothing_to_report),
        cmocka_unit_test(test_own_path),
    };
    return cmocka_run_group_tests_name("heddle cuda", tests, build, NULL);
}
