// Mechanisms that see and decide everything, and forbid nothing, change no counter but their own.
#include "mechanism_runs.h"

// ---- comparison ----

// The run has the counters of the same run with the mechanisms. Returns the result with them.
static json_t *assert_same(const char *what, const char *mechanisms)
{
    char options[512];
    snprintf(options, sizeof options, "--per-kernel --mechanism %s", mechanisms);
    json_t *none = run(what, "--per-kernel"), *with = run(what, options);
    json_t *counters = json_deep_copy(with);
    drop_mechanisms(none, what);
    drop_mechanisms(counters, what);
    if (!json_equal(none, counters))
        fail_msg("%s: another result with %s: %.0f cycles, without %.0f", what, mechanisms,
                 number(with, "cycles"), number(none, "cycles"));
    json_decref(none);
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

static void test_golden_runs(void **state)
{
    (void)state;
    FILE *list = fopen(getenv("HEDDLE_RUNS"), "r");
    assert_non_null(list);
    char line[512];
    unsigned runs = 0;
    while (fgets(line, sizeof line, list)) {
        const char *what = strchr(line, ' ');
        if (line[0] == '#' || !what) continue;
        line[strcspn(line, "\n")] = 0;
        json_t *with = assert_same(what + 1, allowing(""));
        check_asked(with);
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
        "backprop --param inputs=1000", "hotspot --param rows=64 --param columns=64"};
    write_text("sleep.ptx", sleep_ptx);
    for (size_t w = 0; w < sizeof works / sizeof *works; w++)
        for (size_t p = 0; p < PIPELINES; p++) {
            char what[512];
            snprintf(what, sizeof what, "%s %s", works[w], pipelines[p]);
            json_decref(assert_same(what, allowing(p % 2 ? ":again=1" : "")));
        }
}

// ---- built-in mechanisms that find nothing to throttle ----

static void test_built_in(void **state)
{
    (void)state;
    static const char *const mechanisms[] = {
        "ccws", "warp-limit:warps=24", "warp-limit:warps=24,throttle=loads", "dwt-cs",
        "dwt-cs>warp-limit:warps=24", "cta-limit:blocks=8", "ccws+cta-limit:blocks=8"};
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
        json_decref(assert_same("scalarprod --machine fermi-gtx480-khairy", mechanisms[i]));
}

// ---- a limit that does throttle ----

// Its result does not depend on the host.
static void test_any_host(void **state)
{
    (void)state;
    static const char work[] = "hotspot --param rows=64 --param columns=64";
    for (size_t p = 0; p < PIPELINES; p++) {
        char options[256];
        snprintf(options, sizeof options, "%s --mechanism warp-limit:warps=1", pipelines[p]);
        json_t *result = run(work, options);
        assert_true(number(result, "issue.stall_throttled") > 0);
        assert_same_on_any_host(work, options, result);
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
