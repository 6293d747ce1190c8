// Names: kernels by base name, scopes, files and lines, module headers.
#include "parse_text.h"

#include <string.h>

static void expect_base(const char *name, const char *base)
{
    char text[64];
    ptx_base_name(name, text, sizeof text);
    assert_string_equal(text, base);
}

static void test_base_name(void **state)
{
    (void)state;
    expect_base("_Z11topo_expandPKiS0_S0_PiS0_S1_i", "topo_expand");
    expect_base("_ZN5graph3bfsEPi", "bfs");
    expect_base("_ZL4helpi", "help");
    expect_base("plain", "plain");
    expect_base("_Z99short", "_Z99short");
    expect_base("__nv_static_20__f896d6ee_4_a_cu_man__Z1kPi", "k");
    expect_base("_ZL5weighPiPKi__intern__93ee27474c71fce2", "weigh");
    assert_string_equal(ptx_source_name("__nv_static_20__f896d6ee_4_a_cu_man_mine"), "mine");
    assert_string_equal(ptx_source_name("__nv_static_21__f896d6ee_4_a_cu_man_mine"),
                        "__nv_static_21__f896d6ee_4_a_cu_man_mine");
    assert_string_equal(ptx_source_name("__nv_static_99_"), "__nv_static_99_");
    char text[4];
    ptx_base_name("plain", text, sizeof text);
    assert_string_equal(text, "pla");
}

static void test_find(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".entry _Z6expandPi(.param .u64 a)\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".entry _Z4copyPi(.param .u64 a)\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".entry _Z4copyPf(.param .u64 a)\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".func _Z4helpv()\n"
        "{\n"
        "    ret;\n"
        "}\n");
    HdError err = {0};
    assert_ptr_equal(ptx_find_kernel(m, "expand", &err), &m->functions[0]);
    assert_ptr_equal(ptx_find_kernel(m, "_Z4copyPf", &err), &m->functions[2]);
    assert_null(ptx_find_kernel(m, "copy", &err));
    assert_non_null(strstr(err.text, "_Z4copyPi"));
    assert_null(ptx_find_kernel(m, "expnad", &err));
    assert_non_null(strstr(err.text, "did you mean 'expand'"));
    assert_null(ptx_find_kernel(m, "help", &err)); // a device function
    ptx_free(m);
}

// Inner names hide outer ones; each scope's registers and labels are its own.
static void test_scopes(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, 1;\n"
        "    {\n"
        "        .reg .b32 %r1;\n"
        "        mov.u32 %r1, 2;\n"
        "        bra L;\n"
        "L:\n"
        "        mov.u32 %r2, %r1;\n"
        "    }\n"
        "    {\n"
        "        bra L;\n"
        "L:\n"
        "    }\n"
        "    mov.u32 %r3, %r1;\n"
        "    bra M;\n"
        "M:\n"
        "    ret;", &m);
    assert_int_equal(f->virtual_registers, 4); // two %r1, %r2, %r3
    assert_int_equal(f->ops[2].target, 3);
    assert_int_equal(f->ops[4].target, 5);
    assert_int_equal(f->timing[5].reads[0], f->timing[0].writes[0]);
    assert_int_not_equal(f->timing[3].reads[0], f->timing[0].writes[0]);
    ptx_free(m);
    expect_error("{ L: mov.u32 %r1, 1; } bra L; ret;", 13, 28, "no label 'L'");
    expect_error("mov.u32 %r1, %r99; ret;", 13, 14, "line 9 declares %r<99>");
    expect_error("mov.u32 %rl, 1; ret;", 13, 9, "'%rl' is not declared");
    expect_error(".reg .b32 %sum; mov.u32 %smu, 1; ret;", 13, 25, "did you mean '%sum'");
    expect_error("mov.u32 %r1, %r01; ret;", 13, 14, "'%r01' is not declared");
}

static void test_header(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".visible .entry k(.param .u32 a, .param .u64 .ptr .global .align 4 b,\n"
        "                  .param .align 8 .b8 c[12], .param .u8 d)\n"
        ".maxntid 256, 1, 1\n"
        ".minnctapersm 2\n"
        ".reqntid 64\n"
        ".maxnreg 32\n"
        "{\n"
        "    ret;\n"
        "}\n");
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(m->version_major, 7);
    assert_int_equal(m->version_minor, 5);
    assert_string_equal(m->target, "sm_75");
    assert_true(f->entry);
    assert_int_equal(f->line, 5);
    assert_int_equal(f->param_count, 4);
    assert_int_equal(f->params[1].offset, 8);
    assert_true(f->params[1].pointer);
    assert_int_equal(f->params[2].offset, 16);
    assert_int_equal(f->params[2].bytes, 12);
    assert_int_equal(f->params[3].offset, 28);
    assert_int_equal(f->param_bytes, 29);
    assert_int_equal(f->max_threads[0], 256);
    assert_int_equal(f->required_threads[0], 64);
    assert_int_equal(f->min_blocks, 2);
    assert_int_equal(f->max_registers, 32);
    ptx_free(m);
}

// All forms of .loc; the table of files may follow the code.
static void test_lines(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    .loc 7 41 3\n"
        "    mov.u32 %r1, 1;\n"
        "    .loc 3 12 5, function_name $L__info0, inlined_at 7 41 3\n"
        "    mov.u32 %r1, 2;\n"
        "    .loc 3 13 5, function_name $L__info0+4, inlined_at 7 41 3\n"
        "    mov.u32 %r1, 3;\n"
        "    .loc 9 1 1\n"
        "    .pragma \"nounroll\";\n"
        "    ret;\n"
        "}\n"
        ".file 3 \"inner.h\"\n"
        ".file 7 \"/a/./b/././outer.cu\", 123, 456\n"
        ".section .debug_info { .b8 1 .b32 .debug_abbrev { .b8 2 } }\n"
        "@@DWARF .b8 1\n");
    const UOpTiming *t = m->functions[0].timing;
    assert_int_equal(m->functions[0].op_count, 4); // .loc and .pragma are none
    assert_int_equal(t[0].source_line, 41);
    assert_string_equal(m->files[t[0].source_file], "/a/b/outer.cu");
    assert_int_equal(t[1].source_line, 12);
    assert_string_equal(m->files[t[1].source_file], "inner.h");
    assert_int_equal(t[2].source_line, 13);
    assert_int_equal(t[3].source_line, 0); // a file that is not in the table
    ptx_free(m);
}

// Inlined code of a toolkit's header is reported at the call in the program; code of the program's
// own headers at its own lines.
static void test_inlined(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".file 1 \"/a/main.cu\"\n"
        ".file 2 \"/b/targets/x86_64-linux/include/fetch.h\"\n"
        ".file 3 \"/a/own.cuh\"\n"
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    .loc 2 122 3, function_name $L__info0, inlined_at 1 32 13\n"
        "    .loc 2 115 4, function_name $L__info1, inlined_at 2 122 3\n"
        "    mov.u32 %r1, 1;\n"
        "    .loc 1 33 3\n"
        "    mov.u32 %r1, 2;\n"
        "    .loc 2 115 4, function_name $L__info1, inlined_at 2 122 3\n"
        "    mov.u32 %r1, 3;\n"
        "    .loc 2 122 3, function_name $L__info0, inlined_at 1 40 13\n"
        "    .loc 2 115 4, function_name $L__info1, inlined_at 2 122 3\n"
        "    mov.u32 %r1, 4;\n"
        "    .loc 3 7 1, function_name $L__info2, inlined_at 1 50 1\n"
        "    mov.u32 %r1, 5;\n"
        "    .loc 2 9 1, function_name $L__info3, inlined_at 3 7 1\n"
        "    mov.u32 %r1, 6;\n"
        "    .loc 2 200 1\n"
        "    mov.u32 %r1, 7;\n"
        "    .loc 2 201 1, function_name $L__info3, inlined_at 2 200 1\n"
        "    ret;\n"
        "}\n");
    static const struct {
        unsigned line;
        const char *file;
    } wanted[] = {{32, "main.cu"}, {33, "main.cu"}, {32, "main.cu"}, {40, "main.cu"},
                  {7, "own.cuh"},  {7, "own.cuh"},  {200, "fetch.h"}, {201, "fetch.h"}};
    assert_int_equal(m->functions[0].op_count, 8);
    for (unsigned i = 0; i < 8; i++) {
        const UOpTiming *t = &m->functions[0].timing[i];
        assert_int_equal(t->source_line, wanted[i].line);
        assert_string_equal(strrchr(m->files[t->source_file], '/') + 1, wanted[i].file);
    }
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_name), cmocka_unit_test(test_find),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_header),    cmocka_unit_test(test_lines),
        cmocka_unit_test(test_inlined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
