// Binding of whole modules from the front end, and instructions that it must reject.
#include "lanes.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 6.5\n.target sm_75\n.address_size 64\n"

// Parses a kernel with one instruction per line; the registers are declared here.
static PtxModule *parse(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
        HEAD
        ".visible .entry k(.param .u64 p)\n"
        "{\n"
        "    .reg .pred %%p<9>;\n"
        "    .reg .b16 %%h<9>;\n"
        "    .reg .b32 %%r<9>;\n"
        "    .reg .b64 %%d<9>;\n"
        "    .reg .f32 %%f<9>;\n"
        "    .reg .f64 %%g<9>;\n"
        "%s\n"
        "    ret;\n"
        "}\n", body);
    HdError err = {0};
    PtxModule *module = ptx_parse(text, "test.ptx", &err);
    if (!module) fail_msg("%s", err.text);
    return module;
}

static void bind(const char *body)
{
    PtxModule *module = parse(body);
    HdError err = {0};
    if (!exec_bind(module, &err)) fail_msg("%s", err.text);
    const PtxFunction *f = &module->functions[0];
    for (uint32_t i = 0; i < f->op_count; i++) {
        UopCode code = f->ops[i].code;
        bool by_core = code == UOP_LD || code == UOP_ST || code == UOP_ATOM || code == UOP_RED ||
                       (code >= UOP_BAR && code != UOP_BAR_WARP);
        assert_int_equal(f->ops[i].run != NULL, !by_core);
        assert_int_equal(f->ops[i].run_full != NULL, !by_core);
    }
    ptx_free(module);
}

static bool waits_for_more(UopCode code)
{
    return code == UOP_BAR || code == UOP_MEMBAR || code == UOP_CALL || code == UOP_RET;
}

// What delays each instruction: the registers that it reads and writes, as bits of words. And its
// results, if they lie in one word.
static void check_needs(const PtxFunction *f)
{
    for (uint32_t i = 0; i < f->op_count; i++) {
        const UOpTiming *t = &f->timing[i];
        uint64_t words[1024] = {0}, written[1024] = {0}; // of all registers' numbers: 16 bits
        unsigned used = 0, results = 0;
        for (unsigned k = 0; k < t->read_count; k++)
            words[t->reads[k] / 64] |= UINT64_C(1) << t->reads[k] % 64;
        for (unsigned k = 0; k < t->write_count; k++)
            written[t->writes[k] / 64] |= UINT64_C(1) << t->writes[k] % 64;
        for (unsigned w = 0; w < 1024; w++) {
            words[w] |= written[w];
            used += words[w] != 0;
            results += written[w] != 0;
        }
        unsigned needed = used > UOP_NEED_WORDS ? 0 : used ? used : 1;
        if (waits_for_more((UopCode)f->ops[i].code)) needed = 0;
        assert_int_equal(t->need_words, needed);
        for (unsigned k = 0; k < t->need_words; k++)
            assert_true(t->needs[k] == words[t->need_word[k]]);
        assert_int_equal(t->one_word, results <= 1);
        if (results == 1) assert_true(t->result == written[t->result_word]);
        if (!results) assert_true(t->result == 0);
        assert_int_equal(t->row, f->ops[i].class);
    }
}

// Registers far apart: an instruction needs up to four words, which is one too many.
static void test_needs(void **state)
{
    (void)state;
    char text[65536];
    int at = snprintf(text, sizeof text, HEAD ".visible .entry k()\n{\n    .reg .b32 %%r<400>;\n");
    for (int i = 0; i < 400; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "    mov.u32 %%r%d, %d;\n", i, i);
    for (int i = 0; i < 400; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "    mad.lo.u32 %%r%d, %%r%d, %%r%d, %%r%d;\n"
                       "    add.u32 %%r%d, %%r%d, %%r%d;\n",
                       i, (i + 70) % 400, (i + 140) % 400, (i + 280) % 400, i, (i + 70) % 400,
                       (i + 140) % 400);
    // Results in two words; what needs no register; and what waits for more than registers.
    snprintf(text + at, sizeof text - (size_t)at,
             "    ld.shared.v2.u32 {%%r0, %%r390}, [16];\n"
             "    bra END;\nEND:\n    bar.sync 0;\n    ret;\n}\n");
    HdError err = {0};
    PtxModule *module = ptx_parse(text, "test.ptx", &err);
    if (!module || !exec_bind(module, &err)) fail_msg("%s", err.text);
    const PtxFunction *f = &module->functions[0];
    check_needs(f);
    const UOpTiming *last = &f->timing[f->op_count - 4];
    assert_int_equal(last[0].write_count, 2);
    assert_false(last[0].one_word);
    assert_int_equal(last[1].need_words, 1);
    assert_int_equal(last[2].need_words, 0);
    assert_int_equal(last[3].need_words, 0);
    unsigned most = 0, more = 0;
    for (uint32_t i = 0; i < f->op_count; i++) {
        most += f->timing[i].need_words == UOP_NEED_WORDS;
        more += f->timing[i].read_count && !f->timing[i].need_words;
    }
    assert_true(most && more);
    ptx_free(module);
}

// Accesses to the parameters of a device function have a row of their own.
static void test_rows(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 out) twice(.param .b32 in)\n{\n    .reg .b32 %r<3>;\n"
        "    ld.param.u32 %r1, [in];\n    add.u32 %r2, %r1, %r1;\n"
        "    st.param.b32 [out], %r2;\n    ret;\n}\n";
    HdError err = {0};
    PtxModule *module = ptx_parse(text, "test.ptx", &err);
    if (!module || !exec_bind(module, &err)) fail_msg("%s", err.text);
    const UOpTiming *t = module->functions[0].timing;
    assert_int_equal(t[0].row, UOP_ROW_FRAME_PARAM);
    assert_int_equal(t[1].row, CLASS_INT_ADD);
    assert_int_equal(t[2].row, UOP_ROW_FRAME_PARAM);
    ptx_free(module);
}

static void refuse(const char *body, const char *where)
{
    PtxModule *module = parse(body);
    HdError err = {0};
    assert_false(exec_bind(module, &err));
    if (!strstr(err.text, where)) fail_msg("no '%s' in: %s", where, err.text);
    ptx_free(module);
}

static void test_instructions_bind(void **state)
{
    (void)state;
    bind(
        "    ld.param.u64 %d1, [p];\n"
        "    cvta.to.global.u64 %d1, %d1;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mul.wide.u32 %d2, %r1, 4;\n"
        "    add.s64 %d3, %d1, %d2;\n"
        "    ld.global.f32 %f1, [%d3+4];\n"
        "    fma.rn.ftz.f32 %f2, %f1, %f1, 0f3F800000;\n"
        "    setp.lt.f32 %p1, %f2, %f1;\n"
        "    selp.f32 %f3, %f1, %f2, %p1;\n"
        "    st.global.f32 [%d3], %f3;\n"
        "    atom.global.add.u32 %r2, [%d3], 1;\n"
        "    red.global.max.s32 [%d3], %r2;\n"
        "    shfl.sync.down.b32 %r3|%p2, %r2, 1, 31, -1;\n"
        "    vote.sync.ballot.b32 %r4, %p2, -1;\n"
        "    bar.sync 0;\n"
        "    bar.warp.sync -1;\n"
        "    membar.gl;");
    bind(
        "    add.cc.u32 %r1, %r2, %r3;\n"
        "    addc.u32 %r4, %r5, %r6;\n"
        "    lop3.b32 %r1, %r2, %r3, %r4, 0x96;\n"
        "    bfe.u32 %r1, %r2, 3, 5;\n"
        "    prmt.b32 %r1, %r2, %r3, 0x5410;\n"
        "    shf.l.wrap.b32 %r1, %r2, %r3, 7;\n"
        "    cvt.rni.f32.f32 %f1, %f2;\n"
        "    cvt.sat.u8.s32 %r1, %r2;\n"
        "    cvt.rn.f16.f32 %h1, %f1;\n"
        "    cvt.s64.s8 %d1, %d2;\n"
        "    mov.b64 {%r1, %r2}, %d1;\n"
        "    mov.b64 %d1, {%r1, %r2};\n"
        "    min.f64 %g1, %g2, %g3;\n"
        "    div.rz.f32 %f1, %f2, %f3;\n"
        "    sqrt.approx.ftz.f32 %f1, %f2;\n"
        "    ex2.approx.ftz.f32 %f1, %f2;\n"
        "    rcp.approx.ftz.f64 %g1, %g2;\n"
        "    slct.f32.s32 %f1, %f2, %f3, %r1;\n"
        "    set.gt.ftz.u32.f32 %r1, %f1, %f2;\n"
        "    and.pred %p1, %p2, %p3;\n"
        "    activemask.b32 %r1;");
}

// Forms that CUDA's headers and programs use, and each kind of micro-op.
static void test_files_bind(void **state)
{
    (void)state;
    static const char *const files[] = {PTX_DATA "/forms.ptx", PTX_DATA "/opcodes.ptx",
                                        PTX_DATA "/every_uop.ptx"};
    for (unsigned i = 0; i < TEST_SIZE(files); i++) {
        HdError err = {0};
        char *text = file_read(files[i], &(size_t){0}, &err);
        PtxModule *module = text ? ptx_parse(text, files[i], &err) : NULL;
        if (!module || !exec_bind(module, &err)) fail_msg("%s", err.text);
        ptx_free(module);
        free(text);
    }
}

// Well-formed instructions that no version of the PTX ISA defines.
static void test_undefined_is_refused(void **state)
{
    (void)state;
    refuse(
        "    add.s32 %r1, %r1, %r2;\n"
        "    add.sat.s64 %d1, %d2, %d3;",
        "test.ptx:13: 'add' with type .s64 and these modifiers is not supported");
    refuse("setp.lo.s32 %p1, %r1, %r2;", "setp.lo.s32");
    refuse("atom.global.inc.s32 %r1, [%d1], %r2;", "'atom'");
    refuse("atom.global.min.f16x2 %r1, [%d1], %r2;", "'atom'");
    refuse("redux.sync.or.s32 %r1, %r2, -1;", "'redux'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_needs),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_instructions_bind),
                                       cmocka_unit_test(test_files_bind),
                                       cmocka_unit_test(test_undefined_is_refused)};
    return cmocka_run_group_tests_name("exec bind", tests, NULL, NULL);
}
