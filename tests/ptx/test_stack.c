// alloca, variadic functions, and aliases of functions.
#include "parse_text.h"

#include <string.h>

static const PtxFunction *find(const PtxModule *m, const char *name)
{
    for (size_t i = 0; i < m->function_count; i++)
        if (!strcmp(m->functions[i].name, name)) return &m->functions[i];
    fail_msg("there is no %s", name);
    return NULL;
}

// A function that uses alloca saves the stack pointer at its start and restores it in front of each
// return. A kernel does not, and neither does a function that only calls such a function.
static void test_alloca(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func f() {\n.reg .b64 %rd<3>; .reg .pred %p;\n"
        "@!%p ret;\nalloca.u64 %rd1, %rd2, 32;\nret;\n}\n"
        ".func allocator() { call f; ret; }\n"
        ".visible .entry k() {\n.reg .b64 %rd<3>;\nalloca.u64 %rd1, %rd2; call allocator; ret; }\n"
        ".visible .entry plain() { ret; }\n");
    const PtxFunction *f = find(m, "f"), *k = find(m, "k"), *through = find(m, "allocator");
    static const UopCode codes[] = {UOP_STACKSAVE, UOP_STACKRESTORE, UOP_RET,
                                    UOP_ALLOCA,    UOP_STACKRESTORE, UOP_RET};
    assert_int_equal(f->op_count, 6);
    for (unsigned i = 0; i < 6; i++) assert_int_equal(f->ops[i].code, codes[i]);
    assert_int_equal(f->ops[1].guard, f->ops[2].guard);
    assert_true(f->ops[1].guard_negated);
    assert_int_equal(f->ops[4].guard, OPERAND_NONE);
    assert_int_equal(f->ops[4].src[0], f->ops[0].dst[0]);
    assert_int_equal(f->ops[3].imm, 32);
    assert_int_equal(k->op_count, 3);
    assert_int_equal(k->ops[0].imm, 0);
    assert_int_equal(through->op_count, 2);
    assert_true(f->allocates && through->allocates && k->allocates);
    assert_false(find(m, "plain")->allocates);
    ptx_free(m);
    expect_error("alloca.u64 %rd1, %rd2, 24;", 13, 1,
                 "an alignment of 24: expected a power of two");
    expect_error("alloca.u32 %r1, %r2;", 13, 1, "'alloca' does not have");
}

// Variadic arguments, of which there may be none, go to the start of the callee's local memory. A
// variadic prototype reaches only variadic functions.
static void test_variable_arguments(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func f(.param .b32 n, .param .align 8 .b8 list[]) {\n"
        ".reg .b64 %rd<3>; .reg .b32 %r<3>; .local .b32 own;\n"
        "mov.u64 %rd1, list; ld.local.u32 %r1, [%rd1+4]; ld.param.u32 %r1, [list+8];\n"
        "st.local.u32 [own], %r1; ret; }\n"
        ".func g(.param .b32 n) { ret; }\n"
        ".visible .entry k() {\n.reg .b64 %rd<3>;\n"
        "{ .param .b32 a; .param .align 8 .b8 b[12]; call f, (a, b); }\n"
        "{ .param .b32 a; call f, (a); }\n"
        "mov.u64 %rd1, f; mov.u64 %rd2, g;\n"
        "P: .callprototype _ (.param .b32 _, .param .align 8 .b8 _[]);\n"
        "{ .param .b32 a; .param .align 8 .b8 b[16]; call %rd1, (a, b), P; }\n"
        "ret; }\n");
    const PtxFunction *f = find(m, "f"), *g = find(m, "g"), *k = find(m, "k");
    assert_int_equal(f->local_bytes, 528); // 512 and 4, in whole 16
    assert_int_equal(f->ops[0].code, UOP_SREG);
    assert_int_equal(f->ops[0].imm, SREG_LOCAL_BASE);
    assert_int_equal(constant64(f, f->ops[0].src[0]), 0);
    assert_int_equal(f->ops[2].space, SPACE_LOCAL);
    assert_int_equal(f->ops[2].imm, 8);
    assert_int_equal(f->ops[3].imm, 512);
    const PtxCall *calls[3] = {&m->calls[k->ops[0].imm], &m->calls[k->ops[1].imm],
                               &m->calls[k->ops[4].imm]};
    assert_int_equal(calls[0]->argument_count, 1);
    assert_int_equal(calls[0]->variable.from, 8);
    assert_int_equal(calls[0]->variable.bytes, 12);
    assert_int_equal(calls[1]->argument_count, 1);
    assert_int_equal(calls[1]->variable.bytes, 0);
    assert_int_equal(calls[2]->variable.bytes, 16);
    assert_int_equal(calls[2]->signature, f->signature);
    assert_int_not_equal(f->signature, g->signature);
    ptx_free(m);
    expect_module_error(".func f(.param .b8 list[]) { ret; }\n"
                        ".entry k() { .param .b8 b[513]; call f, (b); ret; }\n", 6, 38,
                        "variadic arguments of 513 bytes: expected at most 512");
    expect_module_error(".func f(.param .b32 n, .param .b8 list[]) { ret; }\n"
                        ".entry k() { call f; ret; }\n",
                        6, 19, "with 0 arguments: expected 1");
}

// Calls and addresses of an alias are those of the function, even in front of the directive.
static void test_aliases(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func f() { ret; }\n.func g() { trap; }\n.func other();\n"
        ".entry before() { .reg .b64 %rd<2>; call other; mov.u64 %rd1, other; ret; }\n"
        ".alias other, g;\n"
        ".global .u64 table[1] = {other};\n"
        ".entry behind() { call other; call f; ret; }\n");
    const PtxFunction *before = find(m, "before"), *behind = find(m, "behind");
    uint32_t g = (uint32_t)(find(m, "g") - m->functions);
    assert_int_equal(m->calls[before->ops[0].imm].callee, g);
    assert_int_equal(m->calls[behind->ops[0].imm].callee, g);
    assert_int_not_equal(m->calls[behind->ops[1].imm].callee, g);
    uint64_t pointer = constant64(before, before->ops[1].src[0]);
    assert_ptr_equal(ptx_function_at(m, pointer, find(m, "g")->signature), find(m, "g"));
    assert_memory_equal(m->variables[0].initial, &pointer, 8);
    ptx_free(m);
    expect_module_error(".func f() { ret; }\n.alias g, f;\n", 6, 8, "'g': expected a function");
    expect_module_error(".func f() { ret; }\n.func g() { ret; }\n.alias g, f;\n", 7, 8,
                        "with a body: expected a declaration only");
}

// ptxas ignores "extern" of a shared array that has a size.
static void test_extern_shared(void **state)
{
    (void)state;
    PtxModule *m = module_of(".extern .shared .align 4 .b8 a[64];\n.extern .shared .b8 rest[];\n"
                             ".extern .shared .align 8 .f64 more[];\n"
                             ".entry k() { .reg .b32 %r<4>; mov.u32 %r1, a; mov.u32 %r2, rest;"
                             " mov.u32 %r3, more; ret; }\n");
    const PtxFunction *k = find(m, "k");
    assert_int_equal(k->shared_bytes, 64);
    assert_int_equal(constant32(k, k->ops[0].src[0]), 0);
    assert_int_equal(constant32(k, k->ops[1].src[0]), 64);
    assert_int_equal(constant32(k, k->ops[2].src[0]), 64);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloca),
        cmocka_unit_test(test_variable_arguments),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_extern_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
