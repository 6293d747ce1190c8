// Calls: layout of arguments and results, the call graph, tables of branch targets.
#include "parse_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char two_functions[] =
    ".func (.param .b64 ret0) add(.param .b32 a, .param .b64 b);\n"
    ".visible .entry k(.param .u64 p)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<3>;\n"
    "    mov.u32 %r1, 5;\n"
    "    mov.u64 %rd1, 6;\n"
    "    {\n"
    "        .param .b32 param0;\n"
    "        st.param.b32 [param0+0], %r1;\n"
    "        .param .b64 param1;\n"
    "        st.param.b64 [param1+0], %rd1;\n"
    "        .param .b64 retval0;\n"
    "        call.uni (retval0), add, (param0, param1);\n"
    "        ld.param.b64 %rd2, [retval0+0];\n"
    "    }\n"
    "    {\n"
    "        .param .b32 param0;\n"
    "        st.param.b32 [param0+0], %r1;\n"
    "    }\n"
    "    ret;\n"
    "}\n"
    ".func (.param .b64 ret0) add(.param .b32 a, .param .b64 b)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u32 %r1, [a];\n"
    "    ld.param.u64 %rd1, [b];\n"
    "    cvt.u64.u32 %rd2, %r1;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    st.param.b64 [ret0+0], %rd3;\n"
    "    ret;\n"
    "}\n";

static void test_areas(void **state)
{
    (void)state;
    PtxModule *m = module_of(two_functions);
    assert_int_equal(m->function_count, 2);
    // Functions are in the order of their first declarations.
    const PtxFunction *add = &m->functions[0], *k = &m->functions[1];
    assert_false(add->entry);
    assert_int_equal(add->op_count, 6);
    // add: a at 0, b at 8, ret0 at 16; k: param0 at 0, param1 at 8, retval0 at 16.
    assert_int_equal(add->ops[0].space, SPACE_FRAME_PARAM);
    assert_int_equal(add->ops[1].imm, 8);
    assert_int_equal(add->ops[4].imm, 16);
    assert_int_equal(add->params[1].offset, 8);
    assert_int_equal(add->param_bytes, 16);
    assert_int_equal(add->frame_param_bytes, 32); // 24, in whole 16
    assert_int_equal(k->frame_param_bytes, 32);
    assert_int_equal(k->ops[2].space, SPACE_FRAME_PARAM);
    assert_int_equal(k->ops[3].imm, 8);
    assert_int_equal(k->ops[5].imm, 16);
    assert_int_equal(k->ops[6].imm, 0); // areas of calls that follow each other overlap
    assert_int_equal(k->ops[4].code, UOP_CALL);
    assert_int_equal(k->ops[4].target, 0);
    const PtxCall *call = &m->calls[k->ops[4].imm];
    assert_int_equal(call->callee, 0);
    assert_int_equal(call->argument_count, 2);
    assert_int_equal(call->arguments[1].from, 8);
    assert_int_equal(call->arguments[1].to, 8);
    assert_int_equal(call->arguments[1].bytes, 8);
    assert_int_equal(call->result_count, 1);
    assert_int_equal(call->results[0].from, 16);
    assert_int_equal(call->results[0].to, 16);
    ptx_free(m);
}

static void test_sums(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func leaf()\n"
        "{\n"
        "    .local .align 16 .b8 a[32];\n"
        "    ret;\n"
        "}\n"
        ".func other()\n"
        "{\n"
        "    .local .align 4 .b8 a[4];\n"
        "    ret;\n"
        "}\n"
        ".func middle()\n"
        "{\n"
        "    .local .align 4 .b8 a[16];\n"
        "    call leaf;\n"
        "    call other;\n"
        "    ret;\n"
        "}\n"
        ".entry k()\n"
        "{\n"
        "    .local .align 4 .b8 a[16];\n"
        "    call middle;\n"
        "    call leaf;\n"
        "    ret;\n"
        "}\n");
    assert_int_equal(m->functions[0].max_call_depth, 1);
    assert_int_equal(m->functions[2].max_call_depth, 2);
    assert_int_equal(m->functions[2].max_call_local, 48);
    assert_int_equal(m->functions[3].max_call_depth, 3);
    assert_int_equal(m->functions[3].max_call_local, 64);
    assert_false(m->functions[3].recursive);
    ptx_free(m);
}

static void test_recursion(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func even();\n"
        ".func odd()\n"
        "{\n"
        "    .local .b32 a;\n"
        "    call even;\n"
        "    ret;\n"
        "}\n"
        ".func even()\n"
        "{\n"
        "    call odd;\n"
        "    ret;\n"
        "}\n"
        ".func alone()\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".entry k()\n"
        "{\n"
        "    call alone;\n"
        "    call odd;\n"
        "    ret;\n"
        "}\n");
    assert_true(m->functions[0].recursive); // even
    assert_true(m->functions[1].recursive); // odd
    assert_int_equal(m->functions[1].max_call_local, 16);
    assert_int_equal(m->functions[1].max_call_depth, 0);
    assert_false(m->functions[2].recursive);
    assert_false(m->functions[3].recursive);
    assert_int_equal(m->functions[3].max_call_depth, 0); // reaches recursion
    ptx_free(m);
}

// f, g and h may be called through pointers; same_places has equal parameters, but its address is
// not taken.
static const char pointers[] =
    ".func (.param .b32 r) f(.param .b32 a);\n"
    ".func (.param .b32 r) same_places(.param .b32 a);\n"
    ".func g(.param .b64 a)\n"
    "{\n"
    "    .local .align 8 .b8 x[96];\n"
    "    ret;\n"
    "}\n"
    ".extern .func nowhere();\n"
    ".global .u64 table[4] = {0, f, g, nowhere};\n"
    ".func (.param .b32 r) h(.param .b32 a)\n"
    "{\n"
    "    .local .align 8 .b8 x[32];\n"
    "    ret;\n"
    "}\n"
    ".func (.param .b32 r) same_places(.param .b32 a)\n"
    "{\n"
    "    .local .align 8 .b8 x[64];\n"
    "    ret;\n"
    "}\n"
    ".func (.param .b32 r) f(.param .b32 a)\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".entry k()\n"
    "{\n"
    "    .reg .b64 %rd<3>;\n"
    "    mov.u64 %rd1, h;\n"
    "    .param .b32 in;\n"
    "    .param .b32 out;\n"
    "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "    call (out), %rd1, (in), p;\n"
    "t: .calltargets f, h;\n"
    "    call (out), %rd1, (in), t;\n"
    "n: .callprototype (.param .b64 _) _ () .noreturn;\n"
    "    .param .b64 wide;\n"
    "    call (wide), %rd1, n;\n"
    "    ret;\n"
    "}\n";

static void test_pointers(void **state)
{
    (void)state;
    PtxModule *m = module_of(pointers);
    enum { F, SAME_PLACES, G, H, K }; // nowhere has no body
    const PtxFunction *f = m->functions, *k = &f[K];
    assert_int_equal(m->function_count, 5);
    assert_int_equal(f[F].signature, f[H].signature);
    assert_int_not_equal(f[F].signature, f[G].signature);
    assert_true(f[F].signature && f[G].signature);
    assert_int_equal(f[SAME_PLACES].signature, 0);
    assert_int_equal(constant64(k, k->ops[0].src[0]), ptx_function_address(H));
    uint64_t table[4];
    memcpy(table, m->variables[0].initial, sizeof table);
    assert_int_equal(table[0], 0);
    assert_int_equal(table[1], PTX_CODE_BASE + 16);
    assert_int_equal(table[2], PTX_CODE_BASE + 48);
    assert_int_equal(table[3], PTX_CODE_BASE); // nowhere is not defined
    for (int i = 1; i <= 2; i++) {
        const PtxCall *call = &m->calls[k->ops[i].imm];
        assert_int_equal(k->ops[i].code, UOP_CALL_POINTER);
        assert_int_equal(call->callee, PTX_NO_FUNCTION);
        assert_int_equal(call->signature, f[F].signature);
        assert_int_equal(call->arguments[0].to, 0);
        assert_int_equal(call->results[0].from, 4);
        assert_ptr_equal(ptx_function_at(m, table[1], call->signature), &f[F]);
        assert_null(ptx_function_at(m, table[2], call->signature));
        assert_null(ptx_function_at(m, table[1] + 1, call->signature));
        assert_null(ptx_function_at(m, table[3], call->signature));
        assert_null(ptx_function_at(m, 0, call->signature));
        assert_null(ptx_function_at(m, ptx_function_address(5), call->signature));
    }
    assert_int_equal(m->calls[k->ops[3].imm].signature, 0); // no function can be called
    assert_null(ptx_function_at(m, table[1], 0));
    assert_int_equal(k->max_call_local, 32); // of h, the largest function that pointers reach
    assert_int_equal(k->max_call_depth, 2);
    ptx_free(m);
}

// A function that may call itself through a pointer is recursive.
static void test_recursive_pointer(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func f()\n"
        "{\n"
        "    .reg .b64 %rd<2>;\n"
        "    mov.u64 %rd1, f;\n"
        "p: .callprototype _ ();\n"
        "    call %rd1, (), p;\n"
        "    ret;\n"
        "}\n"
        ".entry k()\n"
        "{\n"
        "    call f;\n"
        "    ret;\n"
        "}\n");
    assert_true(m->functions[0].recursive);
    assert_int_equal(m->functions[1].max_call_depth, 0);
    ptx_free(m);
}

static void test_errors(void **state)
{
    (void)state;
    expect_module_error(".extern .func vprintf();\n.entry k() { call vprintf; ret; }\n", 6, 19,
                        "printf");
    expect_module_error(".extern .func far();\n.entry k() { call far; ret; }\n", 6, 19,
                        "function 'far' is not defined in this file: expected a definition, or "
                        "-rdc=true and a link with the file that has it\n");
    expect_module_error(".entry k() { call far; ret; }\n", 5, 19,
                        "'far': expected a function declared");
    expect_module_error(".entry a() { ret; }\n.entry k() { call a; ret; }\n", 6, 19, "kernel");
    expect_module_error(".func f(.param .b32 a) { ret; }\n.entry k() { call f; ret; }\n", 6, 19,
                        "a call of 'f' with 0 arguments: expected 1");
    expect_module_error(".func f(.param .b32 a) { ret; }\n"
                        ".entry k() { .param .b64 x; call f, (x); ret; }\n", 6, 34,
                        "'x' has 8 bytes: expected 4, as 'a' of 'f' has");
    expect_module_error(".func f(.reg .u32 a) { ret; }\n", 5, 9, "a parameter in a register");
    expect_module_error(".func f() { ret; }\n.func f() { ret; }\n", 6, 7,
                        "already defined in line 5");
    expect_module_error(".func f();\n.func f(.param .b32 a) { ret; }\n", 6, 7, "other parameters");
    expect_error("call %rd1, (); ret;", 13, 14, "','");
    expect_error("t: .callprototype _ ();\ncall %rd1, (), q; ret;", 14, 16,
                 "'q': expected the name of a .callprototype");
    expect_error("t: .callprototype _ ();\ncall %r1, (), t; ret;", 14, 6, "expected .u64");
    expect_error("t: .callprototype _ (.param .b32 _);\ncall %rd1, (), t; ret;", 14, 6,
                 "with 0 arguments: expected 1");
    expect_error("t: .callprototype x ();\nret;", 13, 19,
                 "'x': expected '_' in place of a function's name");
}

// A chain of 10,001 calls: each function calls the next one.
static void test_chain(void **state)
{
    (void)state;
    enum { FUNCTIONS = 10001, LINE = 48 };
    char *text = malloc((size_t)2 * (FUNCTIONS + 1) * LINE), *end = text;
    assert_non_null(text);
    for (int i = 0; i <= FUNCTIONS; i++) end += sprintf(end, ".func f%d();\n", i);
    for (int i = 0; i < FUNCTIONS; i++)
        end += sprintf(end, ".func f%d() { call f%d; ret; }\n", i, i + 1);
    sprintf(end, ".func f%d() { ret; }\n", FUNCTIONS);
    expect_module_error(text, 5 + FUNCTIONS + 1 + 1, 7,
                        "a deeper chain of calls in 'f1': expected at most 10000 calls");
    free(text);
}

static void expect_words(const char *text, const char *words)
{
    if (!text || !strstr(text, words)) fail_msg("'%s' is not in: %s", words, text ? text : "NULL");
}

static const char unusable_parts[] =
    ".version 7.5\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".extern .func far(.param .b32 a);\n"
    ".extern .global .u32 there;\n"
    ".func bad()\n"
    "{\n"
    "    .reg .b32 %r<2>;\n"
    "    {\n"
    "L:\n"
    "        frobnicate.u32 %r1;\n"
    "        bra L;\n"
    "    }\n"
    "}\n"
    ".entry calls_bad()\n"
    "{\n"
    "    call bad;\n"
    "    ret;\n"
    "}\n"
    ".entry calls_far()\n"
    "{\n"
    "    .param .b32 x;\n"
    "    call far, (x);\n"
    "    ret;\n"
    "}\n"
    ".entry uses()\n"
    "{\n"
    "    .reg .b64 %rd<2>;\n"
    "    mov.u64 %rd1, there;\n"
    "    ret;\n"
    "}\n"
    ".entry good(.param .u32 n)\n"
    "{\n"
    "    .reg .b32 %r<2>;\n"
    "    ld.param.u32 %r1, [n];\n"
    "    ret;\n"
    "}\n";

static PtxModule *parse_lenient(const char *text, HdError *err)
{
    return ptx_parse_with(text, "test.ptx", (PtxOptions){.lenient = true}, err);
}

// An error inside a function makes the function and its callers unusable.
static void test_parts(void **state)
{
    (void)state;
    HdError err = {0};
    assert_null(ptx_parse(unusable_parts, "test.ptx", &err));
    PtxModule *m = parse_lenient(unusable_parts, &err);
    assert_non_null(m);
    assert_int_equal(m->function_count, 5);
    expect_words(m->functions[0].unusable, "test.ptx:11:9: unknown instruction 'frobnicate'");
    assert_int_equal(m->functions[0].op_count, 1);
    assert_int_equal(m->functions[0].ops[0].code, UOP_TRAP);
    expect_words(m->functions[2].unusable, "test.ptx:23:10: function 'far' is not defined");
    expect_words(m->functions[3].unusable, "'there' is declared extern");
    assert_null(m->functions[4].unusable);
    assert_int_equal(m->functions[4].op_count, 2);
    assert_null(m->functions[1].unusable);
    assert_true(ptx_propagate_unusable(m));
    assert_ptr_equal(m->functions[1].unusable, m->functions[0].unusable);
    assert_null(m->functions[4].unusable);
    ptx_free(m);
    // An error outside of functions still fails.
    assert_null(parse_lenient(".version 7.5\n.target sm_70\n.nonsense\n", &err));
    assert_null(parse_lenient(".version 7.5\n.target sm_70\n.entry k() { {\n", &err));
}

static void test_branch_table(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "table: .branchtargets A, B, A;\n"
        "    brx.idx %r1, table;\n"
        "A:\n"
        "    mov.u32 %r2, 1;\n"
        "    bra C;\n"
        "B:\n"
        "    mov.u32 %r2, 2;\n"
        "C:\n"
        "    ret;", &m);
    assert_int_equal(m->table_count, 1);
    assert_int_equal(f->ops[0].code, UOP_BRX);
    const PtxBranchTable *table = &m->tables[f->ops[0].imm];
    assert_int_equal(table->count, 3);
    assert_int_equal(table->targets[0], 1);
    assert_int_equal(table->targets[1], 3);
    assert_int_equal(table->targets[2], 1);
    assert_int_equal(f->timing[0].reconverge, 4);
    ptx_free(m);
    expect_error("brx.idx %r1, nothing; ret;", 13, 14, "'nothing'");
    expect_error("t: .branchtargets A; brx.idx %r1, t; ret;", 13, 19, "no label 'A'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_areas),  cmocka_unit_test(test_sums),
        cmocka_unit_test(test_recursion), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_pointers), cmocka_unit_test(test_recursive_pointer),
        cmocka_unit_test(test_branch_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
