// Criticality-aware scheduling: the prediction of a warp whose divergent branch is known, and the
// order that follows.
#include "support/bench.h"

extern const HdMechanism mechanism_caws;

// Warp 2 parts at a branch over 100 instructions, and its lanes meet again soon. All other warps
// take the branch as a whole. After the barrier, all warps have AFTER instructions in their
// buffers.
enum { WARPS = 4, AFTER = 3, OVER = 100 };

static char *kernel(void)
{
    char *over = bench_repeat("    mov.u32 %r9, 9;\n", OVER - 1), *text;
    int length = asprintf(&text,
                          PTX_HEAD
                          ".visible .entry k()\n"
                          "{\n"
                          "    .reg .pred %%p<4>;\n"
                          "    .reg .b32 %%r<10>;\n"
                          "    mov.u32 %%r1, %%tid.x;\n"
                          "    setp.lt.u32 %%p1, %%r1, 72;\n" // 8 lanes of warp 2 do not
                          "    setp.ge.u32 %%p2, %%r1, 80;\n"
                          "    or.pred %%p3, %%p1, %%p2;\n"
                          "    @%%p3 bra AGAIN;\n"
                          "    bra.uni AGAIN;\n"
                          "%s"
                          "AGAIN:\n"
                          "    bar.sync 0;\n"
                          "    mov.u32 %%r1, 1;\n"
                          "    mov.u32 %%r2, 2;\n"
                          "    mov.u32 %%r3, 3;\n"
                          "    ret;\n"
                          "}\n", over);
    assert_true(length > 0);
    free(over);
    return text;
}

static char issued[WARPS * AFTER + 1]; // the warps of the instructions behind the barrier
static void note_issue(HdPlace *place, const HdIssued *seen)
{
    (void)place;
    uint32_t first = 6 + OVER - 1 + 1;
    if (seen->instruction->pc < first || seen->instruction->pc >= first + AFTER) return;
    issued[strlen(issued)] = (char)('0' + seen->warp_slot);
}
static const HdMechanism watch = {.name = "watch", .core = {.on_issue = note_issue}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)err;
    *library = NULL;
    return strcmp(name, "caws") == 0 ? &mechanism_caws : &watch;
}

static uint64_t counter(const Bench *b, const HookPlan *plan, const char *name)
{
    const HdCounter *counters = mechanism_caws.counters;
    size_t i = 0;
    while (strcmp(counters[i].name, name) != 0) i++;
    return gpu_mechanism_counter(b->gpu, &plan->items[0], HOOK_L1, i);
}

static void run(const char *mechanisms, uint64_t *divergent)
{
    static const char *const settings[] = {
        "gpu.sms=1", "core.schedulers=1", "core.policy=oldest", "frontend.perfect=true",
        "frontend.entries=8", "frontend.fetch_bytes=64B", "frontend.fetches=4", NULL};
    memset(issued, 0, sizeof issued);
    HookPlan plan;
    HdError err = {0};
    if (!plan_read(&plan, mechanisms, find, &err)) fail_msg("%s", err.text);
    char *text = kernel();
    Bench *b = bench_new("fermi-gtx480", settings, &(GpuOptions){.mechanisms = &plan}, text);
    bench_run(b, &(BenchLaunch){"k", .block = {32 * WARPS}});
    assert_int_equal(strlen(issued), WARPS * AFTER);
    if (divergent) *divergent = counter(b, &plan, "divergent");
    if (divergent) assert_true(counter(b, &plan, "orders") > 0);
    bench_free(b);
    plan_free(&plan);
    free(text);
}

// By age, warp 0 is first. With the mechanism, warp 3 comes to the barrier last, because warp 2
// goes before it, and so is first behind it (greedy). Then comes warp 2: the 101 instructions that
// its branch adds weigh more than the few cycles that others have waited. Warp 0 has waited
// longest.
static void test_order(void **state)
{
    (void)state;
    uint64_t divergent;
    run("watch", NULL);
    assert_string_equal(issued, "000111222333");
    run("caws:interval=1+watch", &divergent);
    assert_int_equal(divergent, 1);
    assert_string_equal(issued, "333222000111");
}

// The bits of an extra-instruction counter, for each warp.
static void test_storage(void **state)
{
    (void)state;
    assert_int_equal(mechanism_caws.structures[0].bits, 32);
    assert_int_equal(mechanism_caws.structures[0].extent, HD_PER_WARP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_storage)};
    return cmocka_run_group_tests_name("caws", tests, NULL, NULL);
}
