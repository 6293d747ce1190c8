// Warp throttling and request order on whole programs: ccws, mrpb and dwt-cs, alone and together.
// Answers stay right on machines that differ in width, scheduler and divergence, and for warps that
// wait for each other. Results do not depend on the host.
#include "mechanism_runs.h"

static const char *const mechanisms[] = {"ccws",          "mrpb",
                                         "mrpb:capacity=all,bypass=all,drain=longest,requests=8",
                                         "mrpb:signature=block,drain=greedy",
                                         "dwt-cs:period=1000", "ccws+mrpb",
                                         "mrpb+dwt-cs:period=1000",
                                         "dwt-cs:period=1000,across=1>streaming-bypass"};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

// k-means on few points, whose warps thrash; a search with atomics; a block with barriers.
static const char *const works[] = {
    "kmeans --param points=1024 --param iterations=1", "bfs --impl data --graph rmat:9,8",
    "backprop --param inputs=1000"};
enum { WORKS = sizeof works / sizeof *works };

// `run` fails unless the answer is right.
static void test_answers(void **state)
{
    (void)state;
    static const char *const machines[] = {
        "fermi-gtx480-khairy", "fermi-gtx480-khairy --set core.width=8",
        "fermi-gtx480-khairy --set core.policy=two-level", "volta-v100", "maxwell-gtx980"};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t i = 0; i < MECHANISMS; i++) {
            char options[256];
            snprintf(options, sizeof options, "--machine %s --mechanism %s", machines[m],
                     mechanisms[i]);
            json_t *result = run(works[(m + i) % WORKS], options);
            json_decref(result);
        }
}

static void test_any_host(void **state)
{
    (void)state;
    for (size_t i = 0; i < MECHANISMS; i++) {
        char options[256];
        snprintf(options, sizeof options, "--machine fermi-gtx480-khairy --mechanism %s",
                 mechanisms[i]);
        json_t *result = run(works[i % WORKS], options);
        assert_same_on_any_host(works[i % WORKS], options, result);
        json_decref(result);
    }
}

// Warp 0 of each block but the last spins until its flag is set. Then it sets the flag of the block
// before.
static const char spin_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry spin(.param .u64 flags) {\n"
    "  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %a<4>;\n"
    "  ld.param.u64 %a1, [flags];\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
    "  mul.wide.u32 %a2, %r1, 128; add.u64 %a2, %a1, %a2;\n"
    "  setp.ge.u32 %p1, %r2, 32;\n"
    "  @%p1 bra done;\n"
    "  setp.eq.u32 %p2, %r1, 3;\n"
    "  @%p2 bra set;\n"
    "wait:\n"
    "  ld.volatile.global.u32 %r3, [%a2];\n"
    "  setp.eq.u32 %p3, %r3, 0;\n"
    "  @%p3 bra wait;\n"
    "set:\n"
    "  setp.eq.u32 %p2, %r1, 0;\n"
    "  @%p2 bra done;\n"
    "  st.volatile.global.u32 [%a2+-128], 1;\n"
    "done:\n"
    "  bar.sync 0;\n"
    "  ret;\n"
    "}\n";

static void test_spinning(void **state)
{
    (void)state;
    write_text("spin.ptx", spin_ptx);
    for (size_t i = 0; i < MECHANISMS; i++)
        for (unsigned sms = 1; sms <= 4; sms += 3) {
            char options[512];
            snprintf(options, sizeof options,
                     "--entry spin --grid 4 --block 128 --arg buf:1KiB:flags --machine "
                     "fermi-gtx480-khairy --set gpu.sms=%u --max-cycles 1000000 --mechanism %s",
                     sms, mechanisms[i]);
            json_t *result = run("$T/spin.ptx", options);
            json_decref(result);
        }
}

// A streaming kernel that never loses a line, and does not thrash, takes the same cycles.
static void test_streaming(void **state)
{
    (void)state;
    static const char *const same[] = {"ccws", "dwt-cs"};
    json_t *base = run("vecadd", "--machine fermi-gtx480-khairy");
    for (size_t i = 0; i < 2; i++) {
        char options[128];
        snprintf(options, sizeof options, "--machine fermi-gtx480-khairy --mechanism %s", same[i]);
        json_t *result = run("vecadd", options);
        assert_true(number(result, "cycles") == number(base, "cycles"));
        json_decref(result);
    }
    json_decref(base);
}

// A kernel whose warps thrash: each mechanism does what its paper says, by its counters.
static void test_thrashing(void **state)
{
    (void)state;
    static const char kmeans[] = "kmeans --param points=8192 --param iterations=1";
    json_t *base = run(kmeans, "--machine fermi-gtx480-khairy"),
           *ccws = run(kmeans, "--machine fermi-gtx480-khairy --mechanism ccws"),
           *mrpb = run(kmeans, "--machine fermi-gtx480-khairy --mechanism mrpb"),
           *dwt = run(kmeans, "--machine fermi-gtx480-khairy --mechanism dwt-cs");
    double misses = number(base, "l1d.load_misses");
    assert_true(number(ccws, "mechanisms.list.0.l1.lost_locality") > 0);
    assert_true(number(ccws, "mechanisms.list.0.l1.throttled") > 0);
    assert_true(number(ccws, "issue.stall_throttled") > 0);
    assert_true(number(ccws, "l1d.load_misses") < misses / 2);
    assert_true(number(mrpb, "mechanisms.list.0.l1.held") == number(mrpb, "l1d.accesses"));
    assert_true(number(mrpb, "mechanisms.list.0.l1.bypassed_line") ==
                number(mrpb, "mechanisms.l1.bypassed"));
    assert_true(number(mrpb, "cycles") < number(base, "cycles"));
    assert_true(number(dwt, "mechanisms.list.0.gpu.decided") == 1);
    assert_true(number(dwt, "l1d.load_misses") < misses / 2);
    // The table: SM i tried i warps for three periods; one number was chosen.
    double chosen = 0;
    const json_t *table =
        json_object_get(json_array_get(json_object_get(json_object_get(dwt, "mechanisms"), "list"),
                                       0), "table");
    assert_int_equal(json_array_size(table), 15);
    for (size_t i = 0; i < 15; i++) {
        const json_t *row = json_array_get(table, i);
        assert_true(number(row, "number") == (double)i + 1);
        assert_true(number(row, "cycle") >= 60000);
        chosen += number(row, "chosen");
    }
    assert_true(chosen == 1);
    json_decref(base);
    json_decref(ccws);
    json_decref(mrpb);
    json_decref(dwt);
}

static void test_refused(void **state)
{
    (void)state;
    static const char off[] = "it works at the L1D, which is off: expected l1d.mode=on\n";
    char message[256];
    snprintf(message, sizeof message, "heddle: --mechanism ccws: %s", off);
    assert_refused("run vecadd --mechanism ccws --set l1d.mode=off", message);
    snprintf(message, sizeof message, "heddle: --mechanism mrpb: %s", off);
    assert_refused("run vecadd --mechanism mrpb --set l1d.mode=off", message);
    assert_refused("run vecadd --mechanism ccws:entries=15",
                   "heddle: --mechanism ccws: entries and ways: expected entries to be a power of "
                   "two times ways\n");
    assert_refused("run vecadd --mechanism ccws+dwt-cs",
                   "heddle: --mechanism: ccws and dwt-cs both decide which warps issue; write "
                   "'ccws>dwt-cs', in quotes, to ask the second if the first passes\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),   cmocka_unit_test(test_any_host),
        cmocka_unit_test(test_spinning),  cmocka_unit_test(test_streaming),
        cmocka_unit_test(test_thrashing), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("throttling", tests, NULL, NULL);
}
