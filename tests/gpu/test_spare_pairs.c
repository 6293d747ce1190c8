// Spare registers have 32 bits: a value of 64 bits takes two. By a mechanism that injects two loads
// of a straight kernel into spare registers, and has a third one moved from one of them.
#include "support/bench.h"

// Loads 0 to 6: of 64 bits at a and 32 bits at b, both again, and a byte at c in three ways.
static const char kernels[] =
    PTX_HEAD
    ".visible .entry loads(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out)\n"
    "{\n"
    "    .reg .b16 %h<4>;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %d<8>;\n"
    "    ld.param.u64 %d1, [a];\n"
    "    ld.param.u64 %d2, [b];\n"
    "    ld.param.u64 %d3, [c];\n"
    "    ld.param.u64 %d4, [out];\n"
    "    ld.global.u64 %d5, [%d1];\n"
    "    ld.global.u32 %r1, [%d2];\n"
    "    ld.global.u64 %d6, [%d1];\n"
    "    ld.global.u32 %r2, [%d2];\n"
    "    ld.global.u8 %h1, [%d3];\n"
    "    ld.global.s8 %h2, [%d3];\n"
    "    ld.global.u8 %h3, [%d3];\n"
    "    st.global.u64 [%d4], %d6;\n"
    "    st.global.u32 [%d4+8], %r2;\n"
    "    cvt.s32.s16 %r3, %h2;\n"
    "    st.global.u32 [%d4+12], %r3;\n"
    "    cvt.u32.u16 %r4, %h3;\n"
    "    st.global.u32 [%d4+16], %r4;\n"
    "    ret;\n"
    "}\n";
enum { LONG, WORD, LONG_AGAIN, WORD_AGAIN, BYTE, SIGNED_BYTE, BYTE_AGAIN, NONE };

// Behind which load its own is injected, and into which register.
typedef struct Injection {
    unsigned load, to;
} Injection;
typedef struct Case {
    unsigned spare;      // registers of a thread
    bool accepted;       // the first injection
    Injection first, second;
    unsigned moved, from; // the load that may be moved, and the register
    HdForm form;          // what becomes of it
} Case;
static const Case *now; // the case that runs
static HdForm form;     // of its load `moved`

// The number of the load among those of the kernel.
static unsigned number_of(const HdPlace *place, const HdInstruction *load)
{
    unsigned number = 0;
    for (uint32_t pc = load->pc; pc-- > 0;) {
        const HdInstruction *before = hd_instruction(place, pc);
        number += before && before->opcode == HD_OP_LOAD;
    }
    return number;
}

static bool inject(HdPlace *place, const HdIssued *issued, const Injection *as)
{
    HdMicroOp op = {.instruction = issued->instruction, .lanes = issued->lanes,
                    .destination = (uint8_t)as->to,
                    .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER}};
    return hd_inject(place, issued, &op);
}

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    if (issued->instruction->opcode != HD_OP_LOAD) return;
    unsigned number = number_of(place, issued->instruction);
    if (number == now->moved) form = issued->form;
    if (number == now->first.load)
        assert_int_equal(inject(place, issued, &now->first), now->accepted);
    if (number == now->second.load) assert_true(inject(place, issued, &now->second));
}

static HdSpare decide_move(HdPlace *place, uint16_t warp_slot, const HdInstruction *load)
{
    (void)warp_slot;
    return number_of(place, load) == now->moved ? HD_SPARE(now->from) : HD_PASS;
}

static const HdParameter parameters[] = {
    {.name = "registers", .description = "spare registers", .value = 4, .min = 1, .max = 62,
     .kind = HD_WHOLE},
    {0},
};
static const HdMechanism pairs = {
    .name = "pairs", .levels = HD_L1, .parameters = parameters, .injects = true,
    .core = {.on_issue = on_issue, .decide_move = decide_move}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&pairs, 1, name, library, err);
}

enum { THREADS = 32 };

// Whatever becomes of the load, all loads have their values.
static void check(const Case *as)
{
    char mechanism[32];
    snprintf(mechanism, sizeof mechanism, "pairs:registers=%u", as->spare);
    HookPlan plan;
    Bench *b = bench_with(&plan, mechanism, find, "fermi-gtx480", NULL, (GpuOptions){0}, kernels);
    static const uint64_t along = UINT64_C(0xfedcba9876543210);
    static const uint32_t word = 0x89abcdef;
    static const uint8_t byte = 0xf0;
    uint64_t a = bench_array(b, "a", &along, sizeof along),
             of_b = bench_array(b, "b", &word, sizeof word), c = bench_array(b, "c", &byte, 1),
             out = bench_array(b, "out", NULL, 24);
    now = as;
    form = HD_AS_WRITTEN;
    bench_run(b, &(BenchLaunch){"loads", .block = {THREADS}, .args = {a, of_b, c, out}});
    assert_int_equal(form, as->form);
    assert_true(bench_long(b, out, 0) == along);
    assert_int_equal(bench_word(b, out, 2), word);
    assert_int_equal((int32_t)bench_word(b, out, 3), (int8_t)byte);
    assert_int_equal(bench_word(b, out, 4), byte);
    bench_free(b);
    plan_free(&plan);
}

// ---- tests ----

// The second register of a pair: without it there is no room, and what is written to it, or to the
// first one, ends the pair. A pair ends what was in both.
static void test_pairs(void **state)
{
    (void)state;
    static const Injection none = {.load = NONE};
    const Case cases[] = {
        {2, true, {LONG, 0}, none, LONG_AGAIN, 0, HD_MOVED},
        {1, false, {LONG, 0}, none, LONG_AGAIN, 0, HD_AS_WRITTEN},
        {3, true, {LONG, 1}, none, LONG_AGAIN, 1, HD_MOVED},
        {2, false, {LONG, 1}, none, LONG_AGAIN, 1, HD_AS_WRITTEN},
        {3, true, {LONG, 0}, {WORD, 2}, LONG_AGAIN, 0, HD_MOVED},
        {3, true, {LONG, 0}, {WORD, 1}, LONG_AGAIN, 0, HD_LANE_MISSED},
        {3, true, {LONG, 0}, {WORD, 0}, LONG_AGAIN, 0, HD_WRONG},
        {3, true, {LONG, 0}, none, LONG_AGAIN, 1, HD_LANE_MISSED},
        {4, true, {WORD, 1}, {LONG_AGAIN, 1}, WORD_AGAIN, 1, HD_WRONG},
        {4, true, {WORD, 1}, {LONG_AGAIN, 0}, WORD_AGAIN, 1, HD_LANE_MISSED},
        {4, true, {WORD, 2}, {LONG_AGAIN, 0}, WORD_AGAIN, 2, HD_MOVED},
        {4, true, {WORD, 0}, {LONG_AGAIN, 1}, WORD_AGAIN, 0, HD_MOVED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

// A byte is extended as its load does. Another load of the byte, by its sign, is not moved.
static void test_extension(void **state)
{
    (void)state;
    static const Injection none = {.load = NONE};
    const Case cases[] = {
        {1, true, {BYTE, 0}, none, BYTE_AGAIN, 0, HD_MOVED},
        {1, true, {BYTE, 0}, none, SIGNED_BYTE, 0, HD_WRONG},
        {1, true, {SIGNED_BYTE, 0}, none, BYTE_AGAIN, 0, HD_WRONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_extension),
    };
    return cmocka_run_group_tests_name("spare-pairs", tests, NULL, NULL);
}
