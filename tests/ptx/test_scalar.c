// Scalar instructions: which ones a warp may execute once, with one copy of each result.
#include "parse_text.h"

#include <string.h>

// Compares with a string that has one letter per instruction: S scalar, v vector.
static void expect_scalar(const char *body, const char *letters)
{
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    assert_int_equal(f->op_count, strlen(letters));
    for (uint32_t i = 0; i < f->op_count; i++) {
        if (f->timing[i].scalar != (letters[i] == 'S'))
            fail_msg("instruction %u (%s) is not %c", i, ptx_source_text(m, f, i), letters[i]);
        if (f->timing[i].scalar && !f->timing[i].uniform)
            fail_msg("instruction %u (%s) is scalar but varies", i, ptx_source_text(m, f, i));
    }
    ptx_free(m);
}

static void test_sources(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %ctaid.x;\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mov.u32 %r3, %laneid;\n"
        "    mov.u32 %r4, %warpid;\n"
        "    mov.u64 %rd1, %clock64;\n"
        "    add.u32 %r5, %r1, %r4;\n"
        "    add.u32 %r6, %r1, %r2;\n"
        "    ld.param.u32 %r7, [n];\n"
        "    ret;",
        "SvvSSSvSv");
}

// Whole copies of a load or store are one access; an atomic is one for each lane.
static void test_memory(void **state)
{
    (void)state;
    expect_scalar(
        "    ld.param.u64 %rd1, [p];\n"
        "    ld.global.u32 %r1, [%rd1];\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r2, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.global.u32 %r3, [%rd3];\n"
        "    ld.local.u32 %r4, [0];\n"
        "    ld.u32 %r5, [%rd1];\n"
        "    atom.global.add.u32 %r6, [%rd1], 1;\n"
        "    red.global.add.u32 [%rd1], 1;\n"
        "    ld.shared.u32 %r7, [0];\n"
        "    st.global.u32 [%rd1], %r7;\n"
        "    st.global.u32 [%rd1], %r2;\n"
        "    st.global.u32 [%rd3], %r7;\n"
        "    st.local.u32 [0], %r7;\n"
        "    st.u32 [%rd1], %r7;\n"
        "    prefetch.global.L1 [%rd1];\n"
        "    ret;",
        "SSvvvvvvvvSSvvvvvv");
}

// Their results depend on the lanes that take part, and are in vector registers even if uniform.
static void test_collectives(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    ld.param.u32 %r9, [n];\n"
        "    setp.eq.u32 %p2, %r9, 0;\n"
        "    vote.sync.ballot.b32 %r2, %p2, -1;\n"
        "    shfl.sync.idx.b32 %r3, %r9, 0, 31, -1;\n"
        "    activemask.b32 %r4;\n"
        "    match.all.sync.b32 %r5, %r9, -1;\n"
        "    redux.sync.add.u32 %r6, %r9, -1;\n"
        "    add.u32 %r7, %r4, 1;\n"
        "    bar.sync 0;\n"
        "    bar.warp.sync -1;\n"
        "    membar.gl;\n"
        "    bar.red.popc.u32 %r8, 0, %p1;\n"
        "    nanosleep.u32 %r9;\n"
        "    add.u32 %r10, %r9, 1;\n"
        "    exit;",
        "vvSSvvvvvvvvvvvSv");
    // A branch by a vote is in vector registers, but divides no warp.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    vote.sync.any.pred %p2, %p1, -1;\n"
        "    mov.u32 %r2, 0;\n"
        "    @%p2 bra A;\n"
        "    mov.u32 %r2, 1;\n"
        "A:\n"
        "    add.u32 %r3, %r2, 1;\n"
        "    ret;",
        "vvvSvSSv");
}

static void test_calls(void **state)
{
    PtxModule *m = module_of(
        ".func (.param .u32 out) f(.param .u32 in)\n{\n    .reg .b32 %r<4>;\n"
        "    ld.param.u32 %r1, [in];\n    add.u32 %r2, %r1, 1;\n    mov.u32 %r3, %ctaid.x;\n"
        "    st.param.u32 [out], %r2;\n    ret;\n}\n"
        ".visible .entry k()\n{\n    .reg .b32 %r<4>;\n    .param .u32 a;\n    .param .u32 b;\n"
        "    mov.u32 %r1, 3;\n    st.param.u32 [a], %r1;\n    call (b), f, (a);\n"
        "    ld.param.u32 %r2, [b];\n    ret;\n}\n");
    static const char *const letters[] = {"vvSvv", "Svvvv"};
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        for (uint32_t k = 0; k < m->functions[i].op_count; k++)
            if (m->functions[i].timing[k].scalar != (letters[i][k] == 'S'))
                fail_msg("%s", ptx_source_text(m, &m->functions[i], k));
    ptx_free(m);
}

// One copy of %r2 would be 1 on both sides, whichever runs first.
static void test_sides(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    mov.u32 %r2, 0;\n"
        "    mov.u32 %r5, 7;\n"
        "    @%p1 bra A;\n"
        "    add.u32 %r4, %r2, %r5;\n"
        "    add.u32 %r6, %r5, 1;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r2, 1;\n"
        "    mov.u32 %r3, %r2;\n"
        "    add.u32 %r7, %r5, 2;\n"
        "B:\n"
        "    ret;",
        "vvvSvvSvvvSv");
    // Nothing of a register survives its side: a side ends in front of the other one's start.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    @%p1 bra A;\n"
        "    mov.u32 %r2, 1;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r2, 2;\n"
        "    st.shared.u32 [4], %r2;\n"
        "B:\n"
        "    mov.u32 %r2, 3;\n"
        "    st.shared.u32 [8], %r2;\n"
        "    ret;",
        "vvvSSvSSSSv");
    // Where the sides meet, %r2 varies.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p1 bra A;\n"
        "    mov.u32 %r2, 2;\n"
        "    mov.u32 %r3, 2;\n"
        "    st.shared.u32 [4], %r3;\n"
        "A:\n"
        "    st.shared.u32 [8], %r2;\n"
        "    ret;",
        "vvvvvSSvv");
}

static void test_sides_in_loop(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    mov.u32 %r5, 0;\n"
        "L:\n"
        "    mov.u32 %r2, 0;\n"
        "    @%p1 bra A;\n"
        "    mov.u32 %r4, %r2;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r2, 1;\n"
        "    mov.u32 %r3, %r2;\n"
        "B:\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.lt.u32 %p2, %r5, 9;\n"
        "    @%p2 bra L;\n"
        "    ret;",
        "vvSvvvvvvSSSv");
}

// Lanes leave the loop one after the other; its counter is scalar if no lane needs it later.
static void test_varying_loop(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r1;\n"
        "    @%p1 bra L;\n"
        "    ret;",
        "vSSvvv");
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r1;\n"
        "    @%p1 bra L;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    ret;",
        "vvvvvvv");
    // The exit through F needs %r3, which the turns after it change. Nothing else needs it.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    mov.u32 %r3, %r2;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.eq.u32 %p1, %r2, %r1;\n"
        "    @%p1 bra F;\n"
        "    setp.lt.u32 %p2, %r2, 40;\n"
        "    @%p2 bra L;\n"
        "    bra X;\n"
        "F:\n"
        "    st.shared.u32 [0], %r3;\n"
        "X:\n"
        "    ret;",
        "vSvSvvSSvvv");
}

// A branch that does not vary, inside a side; a branch that varies, inside a uniform loop.
static void test_nested(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.param.u32 %r2, [n];\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p1 bra A;\n"
        "    @%p2 bra C;\n"
        "    mov.u32 %r3, 1;\n"
        "    bra D;\n"
        "C:\n"
        "    mov.u32 %r3, 2;\n"
        "D:\n"
        "    st.shared.u32 [0], %r3;\n"
        "    bra E;\n"
        "A:\n"
        "    mov.u32 %r3, 7;\n"
        "    st.shared.u32 [4], %r3;\n"
        "E:\n"
        "    ret;",
        "vSvSvSSvSSvSSv");
    // The inner branch: %r4 is written on its side A2 and needed on B2; %r5 by none of its sides.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 8;\n"
        "    setp.lt.u32 %p2, %r1, 4;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    mov.u32 %r4, %r2;\n"
        "    mov.u32 %r5, %r2;\n"
        "    @%p1 bra M;\n"
        "    @%p2 bra B2;\n"
        "    add.u32 %r4, %r5, 1;\n"
        "    st.shared.u32 [0], %r4;\n"
        "    bra M;\n"
        "B2:\n"
        "    st.shared.u32 [4], %r4;\n"
        "    st.shared.u32 [8], %r5;\n"
        "M:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p3, %r2, 9;\n"
        "    @%p3 bra L;\n"
        "    ret;",
        "vvvSvSvvvvvvSSSSv");
}

// if (a && b) X; else Y: the second branch is not walked, because it leads to Y as the first does.
// Y writes %r2, which X needs. %r3, written between the branches, is needed by X only.
static void test_shared_else(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 1;\n"
        "    setp.eq.u32 %p2, %r1, 2;\n"
        "    @%p1 bra Y;\n"
        "    mov.u32 %r2, 5;\n"
        "    mov.u32 %r3, 6;\n"
        "    @%p2 bra Y;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    st.shared.u32 [4], %r3;\n"
        "    bra E;\n"
        "Y:\n"
        "    mov.u32 %r2, 7;\n"
        "    st.shared.u32 [8], %r2;\n"
        "E:\n"
        "    ret;",
        "vvvvvSvvSvvvv");
}

// Of three sides, A and D write registers. %r2 is needed by C, %r5 only by A, %r6 by A and D.
static void test_many_ways(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "    mov.u32 %r3, 5;\n"
        "    mov.u32 %r5, 6;\n"
        "    mov.u32 %r6, 7;\n"
        "    rem.u32 %r4, %r1, 3;\n"
        "T: .branchtargets A, C, D;\n"
        "    brx.idx %r4, T;\n"
        "A:\n"
        "    mov.u32 %r2, 1;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    st.shared.u32 [4], %r5;\n"
        "    st.shared.u32 [8], %r6;\n"
        "    mov.u32 %r5, 2;\n"
        "    bra E;\n"
        "C:\n"
        "    st.shared.u32 [12], %r2;\n"
        "    st.shared.u32 [16], %r3;\n"
        "    bra E;\n"
        "D:\n"
        "    st.shared.u32 [20], %r6;\n"
        "    mov.u32 %r6, 3;\n"
        "E:\n"
        "    ret;",
        "vvSSvvvvvSvSvvSvvvv");
}

static void test_guard(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    ld.param.u32 %r2, [n];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    mov.u32 %r3, 1;\n"
        "    @%p1 mov.u32 %r3, 2;\n"
        "    mov.u32 %r4, 1;\n"
        "    @%p2 mov.u32 %r4, 2;\n"
        "    @%p2 st.shared.u32 [0], %r4;\n"
        "    @%p1 st.shared.u32 [0], %r4;\n"
        "    @!%p2 bra E;\n"
        "    add.u32 %r5, %r4, 1;\n"
        "E:\n"
        "    ret;",
        "vvSSvvSSSvSSv");
}

static void test_early_return(void **state)
{
    (void)state;
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.param.u32 %r2, [n];\n"
        "    setp.ge.u32 %p1, %r1, %r2;\n"
        "    @%p1 bra END;\n"
        "    ld.param.u64 %rd1, [p];\n"
        "    ld.global.u32 %r3, [%rd1];\n"
        "    @%p1 exit;\n"
        "    add.u32 %r3, %r3, 1;\n"
        "    st.global.u32 [%rd1], %r3;\n"
        "END:\n"
        "    ret;",
        "vSvvSSvSSv");
    // The sides end with returns of their own: one waits until all lanes of the other have left.
    expect_scalar(
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.param.u32 %r2, [n];\n"
        "    mov.u32 %r3, 1;\n"
        "    setp.ge.u32 %p1, %r1, %r2;\n"
        "    @%p1 bra A;\n"
        "    add.u32 %r3, %r3, 1;\n"
        "    st.shared.u32 [0], %r3;\n"
        "    st.shared.u32 [4], %r2;\n"
        "    ret;\n"
        "A:\n"
        "    st.shared.u32 [8], %r3;\n"
        "    st.shared.u32 [12], %r2;\n"
        "    ret;",
        "vSvvvvvSvvSv");
}

// One vector definition makes a vector register, and so a vector instruction of each other one.
static void test_definitions(void **state)
{
    (void)state;
    expect_scalar(
        "    ld.param.u32 %r2, [n];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra A;\n"
        "    activemask.b32 %r3;\n"
        "    bra B;\n"
        "A:\n"
        "    setp.eq.u32 %p3|%p4, %r2, 1;\n"
        "    mov.u32 %r3, 5;\n"
        "B:\n"
        "    add.u32 %r4, %r3, 1;\n"
        "    ret;",
        "SSSvvSvvv");
    // %p4 is a vector register by its other definition, %p3 by the one that it shares with %p4.
    expect_scalar(
        "    ld.param.u32 %r2, [n];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p3|%p4, %r2, 1;\n"
        "    setp.eq.u32 %p4, %r1, 1;\n"
        "    selp.u32 %r4, 1, 2, %p3;\n"
        "    selp.u32 %r5, 1, 2, %p4;\n"
        "    ret;",
        "Svvvvvv");
    expect_scalar(
        "    ld.param.u32 %r2, [n];\n"
        "    setp.eq.u32 %p3|%p4, %r2, 1;\n"
        "    selp.u32 %r4, 1, 2, %p3;\n"
        "    activemask.b32 %r3;\n"
        "    setp.eq.u32 %p4, %r3, 1;\n"
        "    selp.u32 %r5, 1, 2, %p4;\n"
        "    ret;",
        "Svvvvvv");
}

static void test_banks(void **state)
{
    static const char body[] =
        "    ld.param.u32 %r3, [n];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mad.lo.u32 %r2, %r1, %r3, %r3;\n"
        "    add.u32 %r4, %r3, %r3;\n"
        "    ret;";
    (void)state;
    for (int by_name = 0; by_name < 2; by_name++) {
        PtxModule *m;
        parse_options.banks_by_name = by_name;
        const PtxFunction *f = kernel_of_body(body, &m);
        const UOpTiming *t = f->timing;
        // By name each operand is read, else each register once.
        assert_int_equal(t[2].bank_read_count, by_name ? 3 : 2);
        assert_int_equal(t[2].scalar_bank_reads, by_name ? 6 : 2);
        assert_int_equal(t[2].scalar_bank_writes, 0);
        assert_int_equal(t[0].scalar_bank_writes, 1);
        assert_int_equal(t[1].scalar_bank_writes, 0);
        assert_int_equal(t[3].scalar_bank_reads, by_name ? 3 : 1);
        assert_int_equal(t[3].scalar_bank_writes, 1);
        ptx_free(m);
    }
    parse_options.banks_by_name = false;
}

// ---- marks ----

#define MARK "    .pragma \"heddle scalar\";\n"

static void expect_code(const char *body, uint32_t at, UopCode code)
{
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    assert_int_equal(f->ops[at].code, code);
    assert_int_equal(f->ops[at].class, CLASS_MOVE);
    ptx_free(m);
}

// A marked value is scalar even if it is read from a vector register.
static void test_marks(void **state)
{
    static const char body[] =
        "    mov.u32 %r1, %tid.x;\n"
        "    shr.u32 %r2, %r1, 5;\n" MARK
        "    mov.u32 %r3, %r2;\n"
        "    add.u32 %r4, %r3, 1;\n"
        "    activemask.b32 %r5;\n" MARK
        "    mov.b32 %r6, %r5;\n"
        "    setp.eq.u32 %p1, %r3, %r6;\n"
        "    @%p1 bra A;\n"
        "    add.u32 %r4, %r4, 1;\n"
        "A:\n"
        "    st.shared.u32 [0], %r4;\n"
        "    ret;";
    PtxModule *m;
    (void)state;
    expect_scalar(body, "vvSSvSSSSSv");
    expect_code(body, 2, UOP_SCALAR);
    expect_code(body, 5, UOP_SCALAR);
    const UOpTiming *t = kernel_of_body(body, &m)->timing;
    assert_int_equal(t[2].bank_read_count, 1);
    assert_int_equal(t[2].scalar_bank_reads, 0);
    assert_int_equal(t[2].scalar_bank_writes, 1);
    assert_int_equal(t[3].scalar_bank_reads, 1);
    ptx_free(m);
}

// What the analysis proves needs no check.
static void test_proved_marks(void **state)
{
    static const char body[] =
        "    ld.param.u64 %rd1, [p];\n" MARK
        "    .pragma \"nounroll\";\n"
        "    mov.u64 %rd2, %rd1;\n" MARK
        "    mov.f32 %f1, 0f3F800000;\n" MARK
        "    mov.f64 %fd1, 2.0;\n"
        "    ret;";
    (void)state;
    expect_scalar(body, "SSSSv");
    for (uint32_t i = 1; i < 4; i++) expect_code(body, i, UOP_MOV);
}

// The mark of %r3 holds for the lanes of its side. Those of the other side need the old value.
static void test_mark_on_a_side(void **state)
{
    static const char body[] =
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    mov.u32 %r3, 0;\n"
        "    @%p1 bra A;\n"
        "    st.shared.u32 [0], %r3;\n"
        "    bra B;\n"
        "A:\n" MARK
        "    mov.u32 %r3, %r1;\n"
        "    st.shared.u32 [4], %r3;\n"
        "B:\n"
        "    ret;";
    (void)state;
    expect_scalar(body, "vvvvvvvvv");
    expect_code(body, 6, UOP_SCALAR);
}

static void test_wrong_marks(void **state)
{
#define EXPECTED ": expected a mov of 32 or 64 bits from a register or number, without a guard"
    (void)state;
    expect_error(MARK "    add.u32 %r1, %r2, 1;\n    ret;", 13, 13,
                 "\"heddle scalar\" in front of 'add.u32 %r1, %r2, 1'" EXPECTED);
    expect_error("\n" MARK "    @%p1 mov.u32 %r1, %r2;\n    ret;", 14, 13,
                 "\"heddle scalar\" in front of '@%p1 mov.u32 %r1, %r2'" EXPECTED);
    expect_error(MARK "    mov.u32 %r1, %tid.x;\n    ret;", 13, 13,
                 "\"heddle scalar\" in front of 'mov.u32 %r1, %tid.x'" EXPECTED);
    expect_error(MARK "    mov.b16 %rs1, %rs2;\n    ret;", 13, 13,
                 "\"heddle scalar\" in front of 'mov.b16 %rs1, %rs2'" EXPECTED);
    expect_error(MARK "    mov.pred %p1, %p2;\n    ret;", 13, 13,
                 "\"heddle scalar\" in front of 'mov.pred %p1, %p2'" EXPECTED);
    expect_error(MARK "    mov.b64 %rd1, {%r1, %r2};\n    ret;", 13, 13,
                 "\"heddle scalar\" in front of 'mov.b64 %rd1, {%r1, %r2}'" EXPECTED);
    expect_error("\n" MARK MARK "    mov.u32 %r1, %r2;\n    ret;", 14, 13,
                 "\"heddle scalar\" in front of another mark" EXPECTED);
    expect_error(MARK "A:\n    mov.u32 %r1, %r2;\n    bra A;", 13, 13,
                 "\"heddle scalar\" in front of a label" EXPECTED);
    expect_error("    ret;\n" MARK, 14, 13,
                 "\"heddle scalar\" in front of the end of the function" EXPECTED);
    expect_module_error(".pragma \"heddle scalar\";\n.entry k() { ret; }", 5, 9,
                        "\"heddle scalar\" in front of no instruction" EXPECTED);
    expect_error("    .pragma \"heddle scaler\";\n    ret;", 13, 13,
                 "unknown pragma \"heddle scaler\": expected \"heddle scalar\"");
#undef EXPECTED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_collectives),  cmocka_unit_test(test_calls),
        cmocka_unit_test(test_sides),        cmocka_unit_test(test_sides_in_loop),
        cmocka_unit_test(test_varying_loop), cmocka_unit_test(test_nested),
        cmocka_unit_test(test_shared_else),  cmocka_unit_test(test_many_ways),
        cmocka_unit_test(test_guard),        cmocka_unit_test(test_early_return),
        cmocka_unit_test(test_definitions),  cmocka_unit_test(test_banks),
        cmocka_unit_test(test_marks),        cmocka_unit_test(test_proved_marks),
        cmocka_unit_test(test_mark_on_a_side), cmocka_unit_test(test_wrong_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
