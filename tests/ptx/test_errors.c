// Error messages: position, the line with a caret, what is wrong and what was expected.
#include "parse_text.h"

#include <string.h>

static void test_whole_message(void **state)
{
    (void)state;
    HdError err = {0};
    assert_null(ptx_parse(".version 7.5\n.entry k() {\n\t.reg .b32 %r<2>;\n"
                          "\tadd.u32\t%r1, %q, 1;\n}\n",
                          "dir/a.ptx", &err));
    assert_string_equal(err.text, "dir/a.ptx:4:15: '%q' is not declared\n"
                                  "\tadd.u32\t%r1, %q, 1;\n"
                                  "\t       \t     ^");
}

static void test_instructions(void **state)
{
    (void)state;
    expect_error("wmma.load.a.sync %r1;", 13, 1, "tensor cores");
    expect_error("cp.async.ca.shared.global [%r1], [%rd1], 16;", 13, 1, "compute_75");
    expect_error("frobnicate.u32 %r1;", 13, 1, "unknown instruction 'frobnicate'");
    expect_error("slelp.b32 %r1, %r1, %r1, %p1;", 13, 1, "did you mean 'selp'");
    expect_error("mul.s32 %r1, %r1, 2;", 13, 1, "mul.lo .u16");
    expect_error("add.b32 %r1, %r1, 2;", 13, 1,
                 "'add' does not have these modifiers and types: expected one of: add .u16");
    expect_error("add.rn.s32 %r1, %r1, 2;", 13, 4, "does not take the modifier '.rn'");
    expect_error("add.rn.rz.f32 %f1, %f1, %f1;", 13, 7,
                 "'.rz' contradicts '.rn': expected one of them");
    expect_error("setp.u32 %p1, %r1, 2;", 13, 1, "expected a comparison");
    expect_error("vadd.u32.u32 %r1, %r2, %r3;", 13, 1, "wrong types of 'vadd': expected 3");
    expect_error("vset4.u32.u32 %r1, %r2, %r3, %r4;", 13, 1, "expected a comparison");
    expect_error("vadd4.u32.u32.u32.min %r1, %r2, %r3, %r4;", 13, 18, "modifier '.min'");
    expect_error("vadd4.u32.u32.u32 %r1.h0, %r2, %r3, %r4;", 13, 22,
                 "'.h0': expected elements of the result, like .b3210");
    expect_error("vadd2.u32.u32.u32 %r1, %r2.h14, %r3, %r4;", 13, 27,
                 "'.h14': expected 2 elements of the sources, like .h32");
    expect_error("vadd.u32.u32.u32 %r1.h2, %r2, %r3, %r4;", 13, 21,
                 "expected .b0 to .b3, .h0 or .h1");
    expect_error("vadd.u32.u32.u32 %r1.h1, %r2, %r3;", 13, 34, "','");
    expect_error("vadd4.u32.u32.u32 %r1, %r2.b0, %r3, %r4;", 13, 27,
                 "'.b0': expected 4 elements of the sources, like .b7654");
    expect_error("vmad.u32.u32.u32.add %r1, %r2, %r3, %r4;", 13, 17, "modifier '.add'");
    expect_error("vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4;", 13, 1, "expected at most one of");
    expect_error("vshl.u32.u32.u32.shr7 %r1, %r2, %r3;", 13, 17, "modifier '.shr7'");
    expect_error("cvt.pack.sat.u8.s32 %r1, %r2, %r3;", 13, 1,
                 "wrong modifiers of cvt.pack: expected");
    expect_error("cvta.shared.u64 %rd1, p;", 13, 23,
                 "'p' is a parameter: expected a variable in .shared memory, the state space of "
                 "the instruction");
    expect_error("cvta.to.shared.u64 %rd1, p;", 13, 26,
                 "'p': expected a register; cvta.u64 without .to takes a variable's name");
    expect_error(".shared .b32 s; cvta.u64 %rd1, s;", 13, 17, "lacks a state space");
    expect_error("cvta.u64 %rd1, %rd2;", 13, 1, "lacks a state space: expected .global");
    expect_module_error(".func f() { .reg .b64 %rd<3>; cvta.param.u64 %rd1, %rd2; ret; }\n", 5, 31,
                        "parameters");
    expect_error("atom.global.cas.b32 %r1, [%rd1], 1;", 13, 1, "expected two for atom.cas");
    expect_error("red.global.exch.b32 [%rd1], %r1;", 13, 1,
                 "'red' with .cas or .exch: expected 'atom'");
    expect_error("atom.local.add.u32 %r1, [%rd1], 1;", 13, 1,
                 "an atomic in .local, .const or .param: expected .global or .shared");
    expect_error("st.const.u32 [%rd1], %r1;", 13, 1,
                 "a store to .const memory, which is read-only: expected .global, .shared or "
                 ".local");
}

static void test_combined(void **state)
{
    (void)state;
    expect_error("setp.eq.and.u32 %p1, %r1, 2;", 13, 1,
                 "a comparison with .and, .or or .xor: expected a predicate after the compared "
                 "values");
    expect_error("setp.eq.u32 %p1, %r1, 2, %p2;", 13, 1,
                 "a predicate after the compared values: expected .and, .or or .xor, which "
                 "combines the result with it");
    expect_error("bar.red.and.u32 %r1, 0, %p1;", 13, 1,
                 "wrong type: expected .u32 for bar.red.popc, .pred for bar.red.and and "
                 "bar.red.or");
    expect_error("barrier.red.popc.pred %p1, 0, %p1;", 13, 1,
                 "wrong type: expected .u32 for barrier.red.popc, .pred for barrier.red.and and "
                 "barrier.red.or");
    expect_error("vote.sync.all.pred %p1, %p2;", 13, 1,
                 "'vote' with .sync, but without lanes: expected a mask of the lanes that take "
                 "part as the last operand");
    expect_error("shfl.sync.idx.b32 %r1, %r2, 0, 31;", 13, 1,
                 "'shfl' with .sync, but without lanes: expected a mask of the lanes that take "
                 "part as the last operand");
    expect_error("vote.ballot.b32 %r1, %p2, -1;", 13, 1,
                 "'vote' with a mask of lanes, but without .sync: expected 'vote.sync'");
    expect_error("shfl.idx.b32 %r1, %r2, 0, 31, -1;", 13, 1,
                 "'shfl' with a mask of lanes, but without .sync: expected 'shfl.sync'");
}

static void test_syntax(void **state)
{
    (void)state;
    expect_error("add.u32 %r1, %r1, 2\nret;", 14, 1, "'ret': expected ';'");
    expect_error("add.u32 %r1 %r1, 2;", 13, 13, "expected ','");
    expect_error("add.u32 5, %r1, 2;", 13, 9, "'5': expected a register");
    expect_error("add.u32 %r1, %r1, 4294967296;", 13, 19, "expected a number of type .u32");
    expect_error("add.u16 %rs1, %rs1, -32769;", 13, 22, "-32769: expected a number of type .u16");
    expect_error("add.f32 %f1, %f1, 2;", 13, 19, "0f...");
    expect_error("add.u32 %r1, %r1, 0f3F800000;", 13, 19, "expected a number of type .u32");
    expect_error("mov.u32 %r1, 0x;", 13, 14, "expected a number of at most 64 bits");
    expect_error("mov.u32 %r1, 12abc;", 13, 14, "expected a number of at most 64 bits");
    expect_error("mov.u32 %r1, 0f3F80;", 13, 14, "expected a number of at most 64 bits");
    expect_error("mov.u32 %r1, 99999999999999999999;", 13, 14,
                 "expected a number of at most 64 bits");
    expect_error("mov.u32 %r1, `1;", 13, 14, "unexpected character '`': expected PTX");
    expect_error("/* ret;", 13, 1, "expected '*/'");
    expect_error("bra NOWHERE; ret;", 13, 5, "no label 'NOWHERE'");
    expect_error("L: ret;\nL: ret;", 14, 1, "already declared in line 13");
    expect_error("ld.global.u32 %r1, [n];", 13, 21,
                 "'n' is a parameter: expected a variable in .global memory, the state space of "
                 "the instruction");
    expect_error(".shared .b32 s; ld.param.u32 %r1, [s];", 13, 36,
                 "'s' is in .shared memory: expected a parameter, the state space of the "
                 "instruction");
    expect_error("ld.param.u32 %r1, [n+4];", 13, 20,
                 "an access outside of 'n': expected a range within its 4 bytes");
    expect_error("@%r1 ret;", 13, 2, "expected .pred");
    expect_error(".reg .b128 %x;", 13, 6, "'.b128'");
}

static void test_modules(void **state)
{
    (void)state;
    expect_module_error("hello\n", 5, 1, "'hello': expected a variable or a function");
    expect_module_error(".address_size 32\n", 5, 15, "-m64");
    expect_module_error(".entry k() {\nret;\n", 7, 1, "the file ends inside a function");
    expect_module_error(".entry k() .fast { ret; }", 5, 12,
                        "'.fast': expected .maxntid, .reqntid, .minnctapersm, .maxnreg, another "
                        "directive of functions up to PTX 9.0, or the function's body");
    expect_module_error(".entry k() .reqnctapercluster 4 { ret; }", 5, 12,
                        "'.reqnctapercluster': a kernel in clusters of 4 blocks: expected one "
                        "without, because clusters are not modelled");
    expect_module_error(".entry k() .maxnreg 70000 { ret; }", 5, 21,
                        "70000: expected a number of blocks or registers from 0 to 65535");
    expect_module_error(".tex .u32 t;", 5, 1,
                        "'.tex' is not supported: expected '.global .texref'");
    expect_module_error(".section .debug {\n", 5, 17, "expected '}'");
    expect_module_error(".entry k() .maxntid 0 { ret; }", 5, 21,
                        "0: expected a number of threads from 1 to 1024");
    HdError err = {0};
    assert_null(ptx_parse("", "empty.ptx", &err));
    assert_non_null(strstr(err.text, "no .version in the file: expected PTX, which begins with "
                                     "it"));
    assert_null(ptx_parse("\x7f" "ELF", "binary", &err));
    assert_non_null(strstr(err.text, "binary:1:1: unexpected character 0x7f: expected PTX text"));
}

// Nesting is limited, so that no text can overflow the stack.
static void test_deep(void **state)
{
    (void)state;
    static char body[1000];
    memset(body, '{', 900);
    expect_error(body, 13, 257, "nested");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_message), cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_combined),      cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_modules),       cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
