// Mechanisms that see and decide everything, and forbid nothing, change no counter but their own.
#include "goldens/counter_lines.h"
#include "mechanism_runs.h"

// ---- comparison ----

// The run has the counters of the same run without mechanisms, `none`. Returns its result. Drops
// from `none` what only mechanisms put there.
static json_t *assert_same(const char *what, const char *mechanisms, json_t *none)
{
    char options[512];
    snprintf(options, sizeof options, "--per-kernel --mechanism %s", mechanisms);
    json_t *with = run(what, options);
    json_t *counters = json_deep_copy(with);
    drop_mechanisms(none, what);
    drop_mechanisms(counters, what);
    if (!json_equal(none, counters))
        fail_msg("%s: another result with %s: %.0f cycles, without %.0f", what, mechanisms,
                 number(with, "cycles"), number(none, "cycles"));
    json_decref(counters);
    return with;
}

// ---- all runs ----

static const char *allowing(const char *parameters)
{
    static char text[512];
    snprintf(text, sizeof text, "%s%s", getenv("HEDDLE_ALLOWING"), parameters);
    return text;
}

// It was asked, and it saw the program.
static void check_asked(const json_t *with)
{
    static const char *const counters[] = {"l1.asked", "l1.orders", "l1.turns", "l1.limits",
                                           "l1.instructions"};
    const json_t *mechanism =
        json_array_get(json_object_get(json_object_get(with, "mechanisms"), "list"), 0);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        assert_true(number(mechanism, counters[i]) > 0);
}

// The name of a counter that only a result with mechanisms has.
static bool is_of_a_mechanism(const char *name)
{
    return strncmp(name, "mechanisms.", 11) == 0 || strncmp(name, "run.mechanisms.", 15) == 0;
}

// The counters that `names` has have the expected values.
static void assert_values(const char *what, const json_t *names, const json_t *found,
                          const json_t *expected)
{
    const char *name;
    json_t *values;
    json_object_foreach((json_t *)names, name, values) {
        for (size_t at = 0; at < json_array_size(values) && !is_of_a_mechanism(name); at++) {
            const char *value = lines_value(found, name, at),
                       *other = lines_value(expected, name, at);
            if (strcmp(value, other) != 0) // number `at`: of a launch, or of an instruction
                fail_msg("%s: %s, number %zu, is %s: expected %s", what, name, at, value, other);
        }
    }
}

// The kernels of the goldens were compiled by the clang of this build.
static bool golden_clang(const char *line)
{
    const char *version = getenv("HEDDLE_CLANG_VERSION");
    return strtoul(line + strlen("# clang "), NULL, 10) == strtoul(version, NULL, 10);
}

// The result has the counters of its golden, and with another clang those of a run without
// mechanisms.
static void assert_golden(const json_t *with, const char *name, const char *what, bool golden)
{
    json_t *found = lines_of_result(with, what), *expected;
    if (golden) {
        char path[1024];
        snprintf(path, sizeof path, "%s/counters/%s.txt", getenv("HEDDLE_GOLDENS"), name);
        expected = lines_of_golden(path);
    } else {
        json_t *none = run(what, "--per-kernel");
        expected = lines_of_result(none, what);
        json_decref(none);
    }
    assert_true(json_object_size(expected) > 100);
    assert_values(what, expected, found, expected);
    assert_values(what, found, found, expected);
    json_decref(found);
    json_decref(expected);
}

static void test_golden_runs(void **state)
{
    (void)state;
    char line[512], options[600];
    snprintf(line, sizeof line, "%s/runs.txt", getenv("HEDDLE_GOLDENS"));
    snprintf(options, sizeof options, "--per-kernel --mechanism %s", allowing(""));
    FILE *list = fopen(line, "r");
    assert_non_null(list);
    unsigned runs = 0;
    bool golden = false;
    while (fgets(line, sizeof line, list)) {
        char *what = strchr(line, ' ');
        if (strncmp(line, "# clang ", 8) == 0) golden = golden_clang(line);
        if (line[0] == '#' || !what) continue;
        line[strcspn(line, "\n")] = 0;
        *what++ = 0;
        if (strstr(what, "scalar.go_on=on")) { // a warp's instructions do not issue in its order
            char refused[1024];
            snprintf(refused, sizeof refused, "run %s %s", what, options);
            assert_refused(refused, "expected scalar.go_on=off");
            continue;
        }
        json_t *with = run(what, options);
        check_asked(with);
        assert_golden(with, line, what, golden);
        json_decref(with);
        runs++;
    }
    fclose(list);
    assert_true(runs > 80);
}

// ---- warps that leave a barrier or wake, on other pipelines ----

static const char *const pipelines[] = {
    "--set core.issue=2", "--set frontend.buffer=shared-store",
    "--set core.divergence=its --machine volta-v100",
    "--set frontend.buffer=shared-store --machine fermi-c2050-gw8",
    "--set core.warp_exit=fetch --set frontend.flush=scheduler --set core.policy=lrr",
    "--set core.policy=two-level --set core.scheduler_turn=cycle",
    "--max-thread-instructions 60000"};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

// Blocks whose warps sleep for different times, and meet at a barrier, four times.
static const char sleep_ptx[] =
    ".version 6.3\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .entry naps(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %d<4>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mad.lo.u32 %r4, %r2, %r3, %r1;\n"
    "    ld.param.u64 %d1, [out];\n"
    "    mul.wide.u32 %d2, %r4, 4;\n"
    "    add.u64 %d1, %d1, %d2;\n"
    "    shr.u32 %r5, %r1, 5;\n"
    "    and.b32 %r5, %r5, 3;\n"
    "    mul.lo.u32 %r5, %r5, 40;\n"
    "    mov.u32 %r6, 4;\n"
    "again:\n"
    "    nanosleep.u32 %r5;\n"
    "    st.global.u32 [%d1], %r6;\n"
    "    bar.sync 0;\n"
    "    sub.u32 %r6, %r6, 1;\n"
    "    setp.ne.u32 %p1, %r6, 0;\n"
    "    @%p1 bra again;\n"
    "    ret;\n"
    "}\n";

static void test_pipelines(void **state)
{
    (void)state;
    static const char *const works[] = {
        "$T/sleep.ptx --entry naps --grid 40 --block 160 --arg buf:25600:out",
        "hotspot --param rows=64 --param columns=64", "backprop --param inputs=1000"};
    size_t count = all_crossed() ? 3 : 2;
    write_text("sleep.ptx", sleep_ptx);
    for (size_t w = 0; w < count; w++)
        for (size_t p = 0; p < PIPELINES; p++) {
            char what[512];
            snprintf(what, sizeof what, "%s %s", works[w], pipelines[p]);
            json_t *none = run(what, "--per-kernel");
            json_decref(assert_same(what, allowing(p % 2 ? ":again=1" : ""), none));
            json_decref(none);
        }
}

// ---- built-in mechanisms that find nothing to throttle ----

static void test_built_in(void **state)
{
    (void)state;
    static const char *const mechanisms[] = {
        "ccws", "warp-limit:warps=24", "warp-limit:warps=24,throttle=loads", "dwt-cs",
        "dwt-cs>warp-limit:warps=24", "cta-limit:blocks=8", "ccws+cta-limit:blocks=8"};
    static const char what[] = "scalarprod --machine fermi-gtx480-khairy";
    json_t *none = run(what, "--per-kernel");
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
        json_decref(assert_same(what, mechanisms[i], none));
    json_decref(none);
}

// ---- a limit that does throttle ----

// Its result does not depend on the host: one way to run in turn for each pipeline.
static void test_any_host(void **state)
{
    (void)state;
    static const char work[] = "hotspot --param rows=64 --param columns=64";
    for (size_t p = 0; p < PIPELINES; p++) {
        char options[256];
        snprintf(options, sizeof options, "%s --mechanism warp-limit:warps=1", pipelines[p]);
        json_t *result = run(work, options);
        assert_true(number(result, "issue.stall_throttled") > 0);
        assert_same_on_a_host(work, options, result, p);
        json_decref(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_runs), cmocka_unit_test(test_pipelines),
        cmocka_unit_test(test_built_in), cmocka_unit_test(test_any_host)};
    return cmocka_run_group_tests_name("allowing", tests, NULL, NULL);
}
