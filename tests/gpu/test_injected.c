// When micro-ops that a mechanism injects issue: they are not fetched.
#include "support/bench.h"

// Adds that depend on the first instruction alone, so that a warp issues them as they are fetched.
enum { ADDS = 48, MICRO_OPS = 3 };
#define ADD(n) "    add.u32 %r" #n ", %r1, 1;\n"
#define ADD_ROW(n) ADD(n##2) ADD(n##3) ADD(n##4) ADD(n##5) ADD(n##6) ADD(n##7) ADD(n##8) ADD(n##9)
static const char kernel[] =
    PTX_HEAD
    ".visible .entry k()\n"
    "{\n"
    "    .reg .b32 %r<70>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    ADD_ROW() ADD_ROW(1) ADD_ROW(2) ADD_ROW(3) ADD_ROW(4) ADD_ROW(5)
    "    ret;\n"
    "}\n";

// ---- a mechanism that notes when instructions issue, and injects behind one of them ----

enum { NONE = -1 };
static struct Issues {
    uint64_t cycles[ADDS];
    unsigned count;
    int behind; // index of the add behind which it injects; NONE
} issues;

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    if (issued->instruction->opcode != HD_OP_ADD) return;
    unsigned at = issues.count++;
    issues.cycles[at] = issued->cycle;
    if ((int)at != issues.behind) return;
    HdMicroOp op = {.instruction = issued->instruction, .lanes = issued->lanes,
                    .destination = HD_TEMPORARY,
                    .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER}};
    for (unsigned i = 0; i < MICRO_OPS; i++) assert_true(hd_inject(place, issued, &op));
}

static const HdMechanism all[] = {
    {.name = "injects", .levels = HD_L1, .core = {.on_issue = on_issue}, .injects = true},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// Runs one warp. Returns the micro-ops.
static uint64_t run(int behind)
{
    HdError err;
    HookPlan plan;
    if (!plan_read(&plan, "injects", find, &err)) fail_msg("%s", err.text);
    Bench *bench = bench_new("fermi-gtx480", NULL, &(GpuOptions){.mechanisms = &plan}, kernel);
    issues = (struct Issues){.behind = behind};
    const LaunchResult *result = bench_run(bench, &(BenchLaunch){"k", .block = {32}});
    uint64_t injected = result->sm.sm.injected;
    assert_int_equal(result->sm.sm.warp_instructions, ADDS + 2);
    bench_free(bench);
    plan_free(&plan);
    return injected;
}

// Behind some add the warp waits for its next instruction. Micro-ops issue in that time, so the
// next instruction issues when it would have without them, and all the later ones.
static void test_not_fetched(void **state)
{
    (void)state;
    assert_int_equal(run(NONE), 0);
    assert_int_equal(issues.count, ADDS);
    struct Issues plain = issues;
    int behind = NONE;
    for (int i = 0; i + 1 < ADDS && behind == NONE; i++)
        if (plain.cycles[i + 1] - plain.cycles[i] > 4 * MICRO_OPS) behind = i;
    assert_int_not_equal(behind, NONE);
    assert_int_equal(run(behind), MICRO_OPS);
    assert_memory_equal(issues.cycles, plain.cycles, sizeof plain.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_not_fetched)};
    return cmocka_run_group_tests_name("injected", tests, NULL, NULL);
}
