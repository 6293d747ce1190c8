// Uniformity: which instructions give all lanes the same result.
#include "parse_text.h"

#include <string.h>

// Compares with a string that has one letter per instruction: U uniform, v varying.
static void expect_uniform(const char *body, const char *letters)
{
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    assert_int_equal(f->op_count, strlen(letters));
    for (uint32_t i = 0; i < f->op_count; i++)
        if (f->timing[i].uniform != (letters[i] == 'U'))
            fail_msg("instruction %u (%s) is not %c", i, ptx_source_text(m, f, i), letters[i]);
    ptx_free(m);
}

static void test_sources(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %ctaid.x;\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mov.u32 %r3, %laneid;\n"
        "    mov.u32 %r4, %lanemask_lt;\n"
        "    mov.u32 %r5, %ntid.x;\n"
        "    mov.u32 %r6, %warpid;\n"
        "    add.u32 %r7, %r1, %r5;\n"
        "    add.u32 %r8, %r1, %r2;\n"
        "    ld.param.u32 %r9, [n];\n"
        "    ret;",
        "UvvvUUUvUU");
}

static void test_memory(void **state)
{
    (void)state;
    expect_uniform(
        "    ld.param.u64 %rd1, [p];\n"
        "    ld.global.u32 %r1, [%rd1];\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r2, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.global.u32 %r3, [%rd3];\n"
        "    ld.local.u32 %r4, [0];\n"
        "    ld.u32 %r5, [%rd1];\n"
        "    atom.global.add.u32 %r6, [%rd1], 1;\n"
        "    ld.shared.u32 %r7, [0];\n"
        "    st.global.u32 [%rd1], %r7;\n"
        "    st.global.u32 [%rd1], %r2;\n"
        "    ret;",
        "UUvvvvvvvUUvU");
}

static void test_collectives(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    vote.sync.ballot.b32 %r2, %p1, -1;\n"
        "    shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;\n"
        "    activemask.b32 %r4;\n"
        "    match.any.sync.b32 %r5, %r1, -1;\n"
        "    match.all.sync.b32 %r6, %r1, -1;\n"
        "    bar.red.popc.u32 %r7, 0, %p1;\n"
        "    ret;",
        "vvUvUvUUU");
    // Lanes that name other members have other results.
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 4;\n"
        "    selp.b32 %r2, 15, 240, %p1;\n"
        "    vote.sync.any.pred %p2, %p1, %r2;\n"
        "    vote.sync.ballot.b32 %r3, %p1, %r2;\n"
        "    match.all.sync.b32 %r4, 1, %r2;\n"
        "    ld.param.u32 %r5, [n];\n"
        "    vote.sync.ballot.b32 %r6, %p1, %r5;\n"
        "    @%p2 bra A;\n"
        "    mov.u32 %r7, 1;\n"
        "A:\n"
        "    ret;",
        "vvvvvvUUvUU");
}

// After a varying branch, values that its paths have written vary; other values do not.
static void test_join(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    @%p1 bra A;\n"
        "    mov.u32 %r2, 1;\n"
        "    mov.u32 %r3, 5;\n"
        "    st.shared.u32 [0], %r3;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r2, 2;\n"
        "B:\n"
        "    add.u32 %r4, %r2, 1;\n"
        "    mov.u32 %r5, 3;\n"
        "    ret;",
        "vvvvUUUvvUU");
    // The same with a uniform branch.
    expect_uniform(
        "    ld.param.u32 %r1, [n];\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    @%p1 bra A;\n"
        "    mov.u32 %r2, 1;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r2, 2;\n"
        "B:\n"
        "    add.u32 %r4, %r2, 1;\n"
        "    ret;",
        "UUUUUUUU");
}

// Lanes exit the loop in different iterations, so its counter varies after it.
static void test_loop(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    add.u32 %r3, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r1;\n"
        "    @%p1 bra L;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    ret;",
        "vvvvvvvU");
    expect_uniform(
        "    mov.u32 %r1, %ntid.x;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r1;\n"
        "    @%p1 bra L;\n"
        "    st.shared.u32 [0], %r2;\n"
        "    ret;",
        "UUUUUUU");
}

static void test_guard(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p1 mov.u32 %r2, 2;\n"
        "    add.u32 %r3, %r2, 1;\n"
        "    ret;",
        "vvvvvU");
}

// Lanes beyond n return early and never reconverge: results of the others stay uniform.
static void test_early_return(void **state)
{
    (void)state;
    expect_uniform(
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.param.u32 %r2, [n];\n"
        "    setp.ge.u32 %p1, %r1, %r2;\n"
        "    @%p1 bra END;\n"
        "    ld.param.u64 %rd1, [p];\n"
        "    ld.global.u32 %r3, [%rd1];\n"
        "END:\n"
        "    ret;",
        "vUvvUUU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_collectives), cmocka_unit_test(test_join),
        cmocka_unit_test(test_loop),    cmocka_unit_test(test_guard),
        cmocka_unit_test(test_early_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
