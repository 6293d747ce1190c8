// Micro-ops of mechanisms in results and reports, and a mechanism outside of Heddle that injects.
#include "mechanism_runs.h"

static const char *const bfs =
    "bfs --impl topology --graph rmat:8,8 --block 512 --machine fermi-macsim";

// What issues is a warp instruction or a micro-op. One scheduler issues one of them in a cycle.
static void check_issued(const json_t *r)
{
    double issued = number(r, "warp_instructions") + number(r, "injected");
    assert_true(number(r, "injected") > 0);
    assert_true(number(r, "sm.injected") == number(r, "injected"));
    assert_true(number(r, "sm.committed") == issued);
    assert_true(number(r, "issue.issued") == issued);
    assert_true(number(r, "ipc") == number(r, "warp_instructions") / number(r, "cycles"));
}

// The micro-ops of the run are those of its launches.
static void test_counted(void **state)
{
    (void)state;
    json_t *with = run(bfs, "--mechanism spref --per-kernel");
    const json_t *kernels = json_object_get(with, "kernels");
    double sum = 0;
    check_issued(with);
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *launch = json_array_get(kernels, i);
        sum += number(launch, "injected");
        assert_true(number(launch, "issue.issued") ==
                    number(launch, "warp_instructions") + number(launch, "injected"));
    }
    assert_true(sum == number(with, "injected"));
    json_decref(with);
}

// Where nothing injects there is no such counter.
static void test_absent(void **state)
{
    (void)state;
    static const char *const options[] = {"--per-kernel", "--per-kernel --mechanism obm"};
    for (size_t i = 0; i < 2; i++) {
        json_t *without = run(bfs, options[i]);
        const json_t *launch = json_array_get(json_object_get(without, "kernels"), 0);
        assert_null(json_object_get(without, "injected"));
        assert_null(json_object_get(json_object_get(without, "sm"), "injected"));
        assert_null(json_object_get(launch, "injected"));
        assert_null(json_object_get(json_object_get(launch, "sm"), "injected"));
        json_decref(without);
    }
}

// ---- a shared object ----

enum { LANES = 32, TURNS = 16 };
static const char *const what = "$T/sum.ptx --entry sum --grid 1 --block 32 --arg buf:128:out "
                                "--arg buf:2048:in=file:$T/in.bin --dump 0=$T/out.bin";

// Lane n adds up words n, n + 32, n + 64, ..., one line of `in` in each turn.
static const char sum_ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry sum(.param .u64 out, .param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [out];\n"
    "    ld.param.u64 %d2, [in];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %d3, %r1, 4;\n"
    "    add.u64 %d4, %d1, %d3;\n"
    "    add.u64 %d5, %d2, %d3;\n"
    "    mov.u32 %r2, 0;\n"
    "    mov.u32 %r3, 16;\n"
    "next:\n"
    "    ld.global.u32 %r4, [%d5];\n"
    "    add.u32 %r2, %r2, %r4;\n"
    "    add.u64 %d5, %d5, 128;\n"
    "    sub.u32 %r3, %r3, 1;\n"
    "    setp.ne.u32 %p1, %r3, 0;\n"
    "    @%p1 bra next;\n"
    "    st.global.u32 [%d4], %r2;\n"
    "    ret;\n"
    "}\n";

static int write_sum(void **state)
{
    (void)state;
    uint32_t words[TURNS * LANES];
    for (unsigned i = 0; i < TURNS * LANES; i++) words[i] = i * i;
    write_text("sum.ptx", sum_ptx);
    write_bytes("in.bin", words, sizeof words);
    return 0;
}

static void assert_sums(void)
{
    uint32_t out[LANES];
    char path[512];
    snprintf(path, sizeof path, "%s/out.bin", command_folder());
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(out, sizeof *out, LANES, file), LANES);
    fclose(file);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sum = 0;
        for (unsigned i = lane; i < TURNS * LANES; i += LANES) sum += i * i;
        assert_int_equal(out[lane], sum);
    }
}

// Each of the 16 turns injects the load of the next one. The load of the first turn finds an empty
// register and runs; the other 15 become moves. The last micro-op's addresses lie behind `in`: it
// issues and loads nothing. So there are as many loads as without: the first, and 15 micro-ops.
static void test_shared_object(void **state)
{
    (void)state;
    char options[256];
    json_t *plain = run(what, "");
    assert_sums();
    snprintf(options, sizeof options, "--mechanism %s", getenv("HEDDLE_INJECTING"));
    json_t *with = run(what, options);
    assert_sums();
    check_issued(with);
    assert_true(number(with, "injected") == TURNS);
    assert_true(number(with, "mechanisms.list.0.l1.injected") == TURNS);
    assert_true(number(with, "mechanisms.list.0.l1.moved") == TURNS - 1);
    assert_true(number(with, "mechanisms.list.0.l1.missed") == 1);
    assert_true(number(with, "mechanisms.list.0.l1.wrong") == 0);
    assert_true(number(plain, "sm.global_loads") == TURNS);
    assert_true(number(with, "sm.global_loads") == TURNS);
    assert_true(number(with, "warp_instructions") == number(plain, "warp_instructions"));
    assert_true(number(with, "cycles") < number(plain, "cycles"));
    assert_same_on_any_host(what, options, with);
    json_decref(with);
    // Half a line further there are other addresses: all loads run.
    snprintf(options, sizeof options, "--mechanism %s:distance=64", getenv("HEDDLE_INJECTING"));
    with = run(what, options);
    assert_sums();
    assert_true(number(with, "mechanisms.list.0.l1.moved") == 0);
    assert_true(number(with, "mechanisms.list.0.l1.missed") == 1);
    assert_true(number(with, "mechanisms.list.0.l1.wrong") == TURNS - 1);
    assert_true(number(with, "sm.global_loads") == 2 * TURNS);
    json_decref(with);
    json_decref(plain);
}

static void test_report(void **state)
{
    (void)state;
    static const char expected[] =
        "\ninjected   16 micro-ops of mechanisms, not in these instructions\n";
    char line[512];
    snprintf(line, sizeof line, "run %s", what);
    assert_null(strstr(heddle(line)->out, "injected"));
    snprintf(line, sizeof line, "run %s --mechanism %s", what, getenv("HEDDLE_INJECTING"));
    const Command *c = heddle(line);
    if (!strstr(c->out, expected)) fail_msg("%s is not in %s", expected, c->out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_shared_object),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests_name("injected", tests, write_sum, NULL);
}
