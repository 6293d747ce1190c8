// Variables: initialisers, addresses in shared and constant memory, relocation.
#include "parse_text.h"

#include <string.h>

static const PtxVariable *variable(const PtxModule *m, const char *name)
{
    for (size_t i = 0; i < m->variable_count; i++)
        if (!strcmp(m->variables[i].name, name)) return &m->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

static void test_initialisers(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".global .align 4 .u32 one = 1, two;\n"
        ".visible .global .align 1 .b8 text[4] = {72, 105, 0x21};\n"
        ".global .align 4 .f32 f[2] = {0f3F800000, -2.0};\n"
        ".const .align 8 .f64 d = 0d4000000000000000;\n"
        ".global .align 2 .s16 grid[2][2] = {{1, -1}, {2, -2}};\n"
        ".global .align 4 .b32 open[] = {1, 2, 3};\n"
        ".global .attribute(.managed) .align 8 .u64 managed;\n"
        ".weak .global .align 16 .v4 .f32 quad;\n");
    assert_int_equal(m->variable_count, 9);
    assert_memory_equal(variable(m, "one")->initial, "\1\0\0\0", 4);
    assert_null(variable(m, "two")->initial);
    assert_int_equal(variable(m, "two")->bytes, 4);
    assert_memory_equal(variable(m, "text")->initial, "Hi!\0", 4);
    assert_memory_equal(variable(m, "f")->initial, "\0\0\x80\x3f\0\0\0\xc0", 8);
    assert_memory_equal(variable(m, "d")->initial, "\0\0\0\0\0\0\0\x40", 8);
    assert_int_equal(variable(m, "d")->space, SPACE_CONST);
    assert_memory_equal(variable(m, "grid")->initial, "\1\0\xff\xff\2\0\xfe\xff", 8);
    assert_int_equal(variable(m, "open")->bytes, 12);
    assert_int_equal(variable(m, "quad")->bytes, 16);
    assert_int_equal(variable(m, "quad")->align, 16);
    ptx_free(m);
    expect_module_error(".global .u32 a = {1, 2};\n", 5, 14,
                        "the initialiser of 'a' has 8 bytes: expected at most 4");
    expect_module_error(".global .u32 a[];\n", 5, 14, "expected a number of elements");
    expect_module_error(".shared .u32 a = 1;\n", 5, 16, "an initialiser of .shared memory");
    expect_module_error(".global .f32 a = 1;\n", 5, 18, "expected a number of type .f32");
    expect_module_error(".global .align 3 .u32 a;\n", 5, 16, "expected a power of two");
    expect_module_error(".global .u32 a;\n.global .u32 a;\n", 6, 14, "already declared in line 5");
}

// Addresses in the constant bank, in the order of the text.
static void test_const(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".const .align 1 .b8 a[3];\n"
        ".const .align 8 .b64 b;\n"
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    .reg .b64 %rd<3>;\n"
        "    ld.const.u32 %r1, [b+4];\n"
        "    mov.u64 %rd1, b;\n"
        "    ret;\n"
        "}\n");
    assert_int_equal(m->const_bytes, 16);
    assert_true(variable(m, "b")->address == 8);
    assert_int_equal(m->functions[0].ops[0].imm, 12);
    assert_true(constant64(&m->functions[0], m->functions[0].ops[1].src[0]) == 8);
    ptx_free(m);
}

#define USE(name) "    st.shared.u8 [" name "], %r1;\n"

// Kernels that share no variable use the same bytes; variables of one kernel do not overlap.
static void test_shared_places(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".shared .align 4 .b8 a[100];\n"
        ".shared .align 16 .b8 b[64];\n"
        ".shared .align 4 .b8 c[40];\n"
        ".entry one()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("a") USE("c")
        "    ret;\n"
        "}\n"
        ".entry two()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("b")
        "    ret;\n"
        "}\n"
        ".entry both()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("b") USE("c")
        "    ret;\n"
        "}\n"
        ".entry none()\n"
        "{\n"
        "    ret;\n"
        "}\n");
    assert_true(variable(m, "a")->address == 0);
    assert_true(variable(m, "b")->address == 0);
    assert_true(variable(m, "c")->address == 100); // behind a, and b[64]
    assert_int_equal(m->functions[0].shared_bytes, 140);
    assert_int_equal(m->functions[1].shared_bytes, 64);
    assert_int_equal(m->functions[2].shared_bytes, 140);
    assert_int_equal(m->functions[3].shared_bytes, 0);
    ptx_free(m);
}

// Dynamic shared memory starts after the kernel's static variables, aligned.
static void test_shared_dynamic(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".extern .shared .align 16 .b8 dyn[];\n"
        ".shared .align 4 .b8 a[20];\n"
        ".entry one()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("a") USE("dyn")
        "    ret;\n"
        "}\n"
        ".entry two()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("dyn+4")
        "    ret;\n"
        "}\n"
        ".entry three()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("a")
        "    ret;\n"
        "}\n");
    assert_true(variable(m, "dyn")->external);
    assert_int_equal(m->functions[0].ops[1].imm, 32);
    assert_int_equal(m->functions[0].shared_bytes, 32);
    assert_int_equal(m->functions[1].ops[0].imm, 4);
    assert_int_equal(m->functions[1].shared_bytes, 0);
    assert_int_equal(m->functions[2].shared_bytes, 20);
    ptx_free(m);
}

// If a device function uses dynamic shared memory, it starts at the same offset in all callers: a
// multiple of 16 for any declared alignment.
static void test_shared_dynamic_called(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".extern .shared .align 4 .b8 dyn[];\n"
        ".shared .align 4 .b8 a[20];\n"
        ".func f()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("dyn")
        "    ret;\n"
        "}\n"
        ".entry one()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        USE("a")
        "    call f;\n"
        "    ret;\n"
        "}\n"
        ".entry two()\n"
        "{\n"
        "    call f;\n"
        "    ret;\n"
        "}\n");
    for (int i = 0; i < 3; i++) assert_int_equal(m->functions[i].shared_bytes, 32);
    assert_int_equal(m->functions[0].ops[0].imm, 32);
    ptx_free(m);
}

static void test_relocation(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".extern .global .align 4 .u32 later[4];\n"
        ".global .align 8 .u64 pointers[3] = {7, generic(later)+8, later+4};\n"
        ".global .align 4 .u32 later[4];\n"
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    .reg .b64 %rd<3>;\n"
        "    ld.global.u32 %r1, [later+4];\n"
        "    mov.u64 %rd1, pointers+16;\n"
        "    ret;\n"
        "}\n");
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(m->variable_count, 2);
    assert_int_equal(m->relocation_count, 4);
    uint64_t addresses[2];
    for (int i = 0; i < 2; i++)
        addresses[i] = strcmp(m->variables[i].name, "later") ? 0x200000000 : 0x100000000;
    ptx_relocate(m, addresses);
    assert_true(variable(m, "later")->address == 0x100000000);
    assert_true(constant64(f, f->ops[0].src[0]) == 0x100000000);
    assert_int_equal(f->ops[0].imm, 4);
    assert_true(constant64(f, f->ops[1].src[0]) == 0x200000010);
    uint64_t initial[3];
    memcpy(initial, variable(m, "pointers")->initial, sizeof initial);
    assert_true(initial[0] == 7 && initial[1] == 0x100000008 && initial[2] == 0x100000004);
    ptx_free(m);
    m = module_of(
        ".const .align 4 .b8 c[8];\n"
        ".const .u64 in = generic(c)+4;\n"
        ".global .u32 g;\n"
        ".func f()\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".global .align 1 .u8 packed[5] = {7, 0xFF(generic(g)), 0xFF00(generic(g)),\n"
        "                                  0XFF0000000000(g), 0xFF(f)};\n"
        ".global .u16 half = 0xFFFF0000(c);\n");
    ptx_relocate(m, (uint64_t[]){0, 0, 0x0000a1b2c3d4e5f6, 0, 0});
    uint64_t window;
    memcpy(&window, variable(m, "in")->initial, sizeof window);
    assert_int_equal(window, PTX_CONST_WINDOW + 4);
    static const uint8_t packed[] = {7, 0xf6, 0xe5, 0xa1, 0x10};
    assert_memory_equal(variable(m, "packed")->initial, packed, sizeof packed);
    ptx_free(m);
    expect_module_error(".global .u8 a = 0xF0(b);\n", 5, 17, "'0xF0': expected a mask");
    expect_module_error(".global .u64 a = b;\n", 5, 18, "'b': expected a variable");
    expect_module_error(".shared .u64 b;\n.global .u64 a = b;\n", 6, 18,
                        "expected a .global or .const");
    expect_module_error(".global .u32 b;\n.global .u32 a = b;\n", 6, 18, "expected 64 bits");
    expect_module_error(".extern .global .u32 x;\n.entry k() { .reg .b32 %r; "
                        "ld.global.u32 %r, [x]; ret; }",
                        5, 22, "'x' is declared extern, but not defined in this file: expected a "
                               "definition, or -rdc=true and a link with the file that has it\n");
    expect_module_error(".extern .const .u32 x;\n.entry k() { .reg .b32 %r; "
                        "ld.const.u32 %r, [x]; ret; }",
                        5, 21, "'x' is declared extern, but not defined in this file: expected");
    expect_module_error(".extern .global .u32 x;\n.global .u64 a = x;\n", 5, 22,
                        "'x' is declared extern, but not defined in this file: expected");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initialisers),   cmocka_unit_test(test_const),
        cmocka_unit_test(test_shared_places),  cmocka_unit_test(test_shared_dynamic),
        cmocka_unit_test(test_shared_dynamic_called), cmocka_unit_test(test_relocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
