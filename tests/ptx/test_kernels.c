// A loop in each compiler's style, instruction by instruction; and the reference kernels, if their
// folder exists.
#include "parse_text.h"

#include "base/file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

// As clang 14 generates it: the latch in front of the body, two branches at the end of the loop.
static const char clang_style[] =
    "    ld.param.u32 %r9, [n];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    setp.ge.s32 %p1, %r1, %r9;\n"
    "    @%p1 bra LBB0_7;\n"
    "    ld.param.u64 %rd1, [p];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n"
    "    bra.uni LBB0_4;\n"
    "LBB0_6:\n"
    "    add.s32 %r1, %r1, 32;\n"
    "    setp.lt.s32 %p2, %r1, %r9;\n"
    "    @%p2 bra LBB0_4;\n"
    "    bra.uni LBB0_7;\n"
    "LBB0_4:\n"
    "    mul.wide.s32 %rd3, %r1, 4;\n"
    "    add.s64 %rd4, %rd2, %rd3;\n"
    "    ld.global.u32 %r3, [%rd4];\n"
    "    setp.gt.s32 %p3, %r3, -1;\n"
    "    @%p3 bra LBB0_6;\n"
    "    st.global.u32 [%rd4], %r1;\n"
    "    bra.uni LBB0_6;\n"
    "LBB0_7:\n"
    "    ret;\n";

static void test_clang_style(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(clang_style, &m);
    static const uint8_t codes[] = {
        UOP_LD, UOP_SREG, UOP_SETP, UOP_BRA, UOP_LD, UOP_CVTA, UOP_BRA,
        UOP_ADD, UOP_SETP, UOP_BRA, UOP_BRA,
        UOP_MUL_WIDE, UOP_ADD, UOP_LD, UOP_SETP, UOP_BRA, UOP_ST, UOP_BRA, UOP_RET};
    assert_int_equal(f->op_count, sizeof codes);
    for (uint32_t i = 0; i < sizeof codes; i++) assert_int_equal(f->ops[i].code, codes[i]);
    assert_int_equal(f->ops[3].target, 18);
    assert_int_equal(f->timing[3].reconverge, 18);
    assert_int_equal(f->ops[9].target, 11);
    assert_int_equal(f->timing[9].reconverge, 10); // the only way out of the loop
    assert_int_equal(f->ops[15].target, 7);
    assert_int_equal(f->timing[15].reconverge, 7);
    assert_true(f->ops[6].flags & UF_UNIFORM_BRANCH);
    assert_int_equal(f->block_count, 7);
    // The maximum is after the load: %r9, %r1, %rd2 (2), %rd4 (2), %r3; and the stack pointer.
    assert_int_equal(f->registers, 1 + 1 + 2 + 2 + 1 + 1);
    ptx_free(m);
}

// As nvcc 13 generates it: loops end in one branch, labels begin with $L__.
static const char nvcc_style[] =
    "    ld.param.u64 %rd1, [p];\n"
    "    ld.param.u32 %r2, [n];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    setp.ge.s32 %p1, %r1, %r2;\n"
    "    @%p1 bra $L__BB0_4;\n"
    "$L__BB0_1:\n"
    "    .pragma \"nounroll\";\n"
    "    mul.wide.s32 %rd3, %r1, 4;\n"
    "    add.s64 %rd4, %rd2, %rd3;\n"
    "    ld.global.u32 %r3, [%rd4];\n"
    "    setp.gt.s32 %p2, %r3, -1;\n"
    "    @%p2 bra $L__BB0_3;\n"
    "    st.global.u32 [%rd4], %r1;\n"
    "$L__BB0_3:\n"
    "    add.s32 %r1, %r1, 32;\n"
    "    setp.lt.s32 %p3, %r1, %r2;\n"
    "    @%p3 bra $L__BB0_1;\n"
    "$L__BB0_4:\n"
    "    ret;\n";

static void test_nvcc_style(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(nvcc_style, &m);
    assert_int_equal(f->op_count, 16);
    assert_int_equal(f->timing[5].reconverge, 15);
    assert_int_equal(f->timing[10].reconverge, 12);
    assert_int_equal(f->ops[14].target, 6);
    assert_int_equal(f->timing[14].reconverge, 15);
    assert_string_equal(ptx_source_text(m, f, 14), "@%p3 bra $L__BB0_1");
    ptx_free(m);
}

static void test_reference(void **state)
{
    (void)state;
    glob_t found;
    if (glob(SHARED_DATA "/reference/gpgpusim/*.ptx", 0, NULL, &found)) {
        print_message("the reference kernels are not here: not tested\n");
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        HdError err = {0};
        char *text = file_read(found.gl_pathv[i], &(size_t){0}, &err);
        PtxModule *m = text ? ptx_parse(text, found.gl_pathv[i], &err) : NULL;
        free(text);
        if (!m) fail_msg("%s", err.text);
        for (size_t k = 0; k < m->function_count; k++)
            print_message("%s: %u instructions, %u registers\n", m->functions[k].name,
                          m->functions[k].op_count, m->functions[k].registers);
        ptx_free(m);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clang_style),
        cmocka_unit_test(test_nvcc_style),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
