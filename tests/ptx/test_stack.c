// alloca, variadic functions, and aliases of functions.
#include "parse_text.h"

#include <stdio.h>
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
        ".func f()\n"
        "{\n"
        "    .reg .b64 %rd<3>;\n"
        "    .reg .pred %p;\n"
        "    @!%p ret;\n"
        "    alloca.u64 %rd1, %rd2, 32;\n"
        "    ret;\n"
        "}\n"
        ".func allocator()\n"
        "{\n"
        "    call f;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b64 %rd<3>;\n"
        "    alloca.u64 %rd1, %rd2;\n"
        "    call allocator;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry plain()\n"
        "{\n"
        "    ret;\n"
        "}\n");
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

// The stack is found however its instructions are written, and not in other words. A function that
// only reads the stack pointer has a stack too.
static void test_alloca_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool allocates, saves;
    } cases[] = {
        {"alloca.u64 %rd1, %rd2;", true, true},
        {"// }\n    alloca.u64 %rd1, %rd2;", true, true},
        {"/* } */ alloca /**/ .u64 %rd1, %rd2;", true, true},
        {".pragma \"}\"; alloca\n.u64 %rd1, %rd2;", true, true},
        {"{ mov.b64 %rd1, %rd2; } alloca.u64 %rd1, %rd2;", true, true},
        {"stacksave.u64 %rd1;", true, false},
        {"stackrestore.u64 %rd1;", true, false},
        {"ld.global.L1::no_allocate.u64 %rd1, [%rd2];", false, false},
        {"/* alloca.u64 %rd1, %rd2; */", false, false},
        {"// alloca", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".func f()\n"
                 "{\n"
                 "    .reg .b64 %%rd<3>;\n"
                 "    %s\n"
                 "    ret;\n"
                 "}\n"
                 ".visible .entry k()\n"
                 "{\n"
                 "    call f;\n"
                 "    ret;\n"
                 "}\n", cases[i].body);
        PtxModule *m = module_of(text);
        assert_int_equal(find(m, "f")->allocates, cases[i].allocates);
        assert_int_equal(find(m, "k")->allocates, cases[i].allocates);
        bool saves = strstr(ptx_source_text(m, find(m, "f"), 0), "implied by alloca");
        assert_int_equal(saves, cases[i].saves);
        ptx_free(m);
    }
}

static const char variadic[] =
    ".func f(.param .b32 n, .param .align 8 .b8 list[])\n"
    "{\n"
    "    .reg .b64 %rd<3>;\n"
    "    .reg .b32 %r<3>;\n"
    "    .local .b32 own;\n"
    "    mov.u64 %rd1, list;\n"
    "    ld.local.u32 %r1, [%rd1+4];\n"
    "    ld.param.u32 %r1, [list+8];\n"
    "    st.local.u32 [own], %r1;\n"
    "    ret;\n"
    "}\n"
    ".func g(.param .b32 n)\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry k()\n"
    "{\n"
    "    .reg .b64 %rd<3>;\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        .param .align 8 .b8 b[12];\n"
    "        call f, (a, b);\n"
    "    }\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        call f, (a);\n"
    "    }\n"
    "    mov.u64 %rd1, f;\n"
    "    mov.u64 %rd2, g;\n"
    "P: .callprototype _ (.param .b32 _, .param .align 8 .b8 _[]);\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        .param .align 8 .b8 b[16];\n"
    "        call %rd1, (a, b), P;\n"
    "    }\n"
    "    ret;\n"
    "}\n";

// Variadic arguments, of which there may be none, go to the start of the callee's local memory. A
// variadic prototype reaches only variadic functions.
static void test_variable_arguments(void **state)
{
    (void)state;
    PtxModule *m = module_of(variadic);
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
        ".func f()\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".func g()\n"
        "{\n"
        "    trap;\n"
        "}\n"
        ".func other();\n"
        ".entry before()\n"
        "{\n"
        "    .reg .b64 %rd<2>;\n"
        "    call other;\n"
        "    mov.u64 %rd1, other;\n"
        "    ret;\n"
        "}\n"
        ".alias other, g;\n"
        ".global .u64 table[1] = {other};\n"
        ".entry behind()\n"
        "{\n"
        "    call other;\n"
        "    call f;\n"
        "    ret;\n"
        "}\n");
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
    PtxModule *m = module_of(
        ".extern .shared .align 4 .b8 a[64];\n"
        ".extern .shared .b8 rest[];\n"
        ".extern .shared .align 8 .f64 more[];\n"
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    mov.u32 %r1, a;\n"
        "    mov.u32 %r2, rest;\n"
        "    mov.u32 %r3, more;\n"
        "    ret;\n"
        "}\n");
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
        cmocka_unit_test(test_alloca_as_written),
        cmocka_unit_test(test_variable_arguments),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_extern_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
