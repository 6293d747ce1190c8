// Tests of `heddle run FILE.ptx`: arguments from the command line, dumps, faults.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// out[i] = in[i] * factor + (int)offset for i < n; i is the thread index.
static const char scale_ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry scale(.param .u64 in, .param .u64 out, .param .u32 factor,\n"
    "    .param .f32 offset, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<12>;\n"
    "    .reg .b64 %rd<8>;\n"
    "    .reg .f32 %f<2>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.param.u64 %rd2, [out];\n"
    "    ld.param.u32 %r1, [factor];\n"
    "    ld.param.f32 %f1, [offset];\n"
    "    ld.param.u32 %r2, [n];\n"
    "    mov.u32 %r3, %ctaid.x;\n"
    "    mov.u32 %r4, %ntid.x;\n"
    "    mov.u32 %r5, %tid.x;\n"
    "    mad.lo.s32 %r6, %r3, %r4, %r5;\n"
    "    setp.ge.s32 %p1, %r6, %r2;\n"
    "    @%p1 bra done;\n"
    "    mul.wide.s32 %rd3, %r6, 4;\n"
    "    add.s64 %rd4, %rd1, %rd3;\n"
    "    add.s64 %rd5, %rd2, %rd3;\n"
    "    ld.global.u32 %r7, [%rd4];\n"
    "    cvt.rzi.s32.f32 %r8, %f1;\n"
    "    mad.lo.s32 %r9, %r7, %r1, %r8;\n"
    "    st.global.u32 [%rd5], %r9;\n"
    "done:\n"
    "    ret;\n"
    "}\n";

#define SCALE "run $T/scale.ptx --entry scale --grid 2 --block 32 "

static int write_kernel(void **state)
{
    (void)state;
    write_text("scale.ptx", scale_ptx);
    return 0;
}

static void test_values(void **state)
{
    (void)state;
    char in[257];
    for (int i = 0; i < 64; i++) { // the integers 0x01010101 x (i + 1), without a zero byte
        memset(in + 4 * (size_t)i, i + 1, 4);
    }
    in[256] = 0;
    write_text("in.bin", in);
    const Command *c = heddle(SCALE "--arg buf:256B:in=file:$T/in.bin --arg buf:256:out=fill:255 "
                                    "--arg i32:-3 --arg f32:10.75 --arg u32:60 --dump 1=$T/out.bin "
                                    "--out $T/run.json");
    if (c->status != 0) fail_msg("%s", c->err);
    assert_non_null(strstr(c->out, "not checked"));
    const int32_t *out = (const int32_t *)(void *)read_text("out.bin");
    for (int i = 0; i < 60; i++)
        assert_int_equal(out[i], (int32_t)(0x01010101u * (uint32_t)(i + 1) * (uint32_t)-3 + 10));
    for (int i = 60; i < 64; i++) assert_int_equal(out[i], -1);
    free((void *)out);
    json_t *value = result_value("run.json");
    const json_t *result = json_object_get(value, "result");
    assert_true(json_is_null(json_object_get(result, "verified")));
    assert_non_null(json_object_get(json_object_get(result, "allocations"), "in"));
    assert_non_null(json_object_get(json_object_get(result, "allocations"), "out"));
    json_decref(value);
}

static void test_arguments(void **state)
{
    (void)state;
    assert_refused(SCALE "--arg buf:256 --arg buf:256 --arg i32:1 --arg f32:1",
                   "kernel scale: 4 arguments given: expected 5");
    assert_refused(SCALE "--arg buf:256 --arg buf:256 --arg f32:1 --arg f32:1 --arg i32:1",
                   "argument 2 is f32 (4 bytes): expected u32 (4 bytes), the type of parameter "
                   "factor");
    assert_refused(SCALE "--arg i32:5 --arg buf:256 --arg i32:1 --arg f32:1 --arg i32:1",
                   "argument 0 is i32 (4 bytes): expected u64 (8 bytes), the type of parameter in");
    assert_refused(SCALE "--arg int:5", "expected a type first");
    assert_refused(SCALE "--arg i32", "--arg i32: expected a value after the colon");
    assert_refused(SCALE "--arg i32:3000000000", "expected a 32-bit integer");
    assert_refused(SCALE "--arg f32:1.5x", "expected a number");
    assert_refused(SCALE "--arg buf:1MB", "--arg buf '1MB': expected a size such as");
    assert_refused(SCALE "--arg buf:256=zero", "expected fill:BYTE or file:PATH after the =");
    assert_refused(SCALE "--arg buf:256=fill:256",
                   "--arg ...=fill '256': expected a whole number from 0 to 255");
    assert_refused(SCALE "--arg i32:1 --dump 0=x", "expected a buffer, but argument 0 is none");
    assert_refused(SCALE "--arg i32:1 --dump x", "--dump x: expected N=FILE");
    assert_refused("run $T/scale.ptx --entry scael --grid 1 --block 1", "scale");
}

static void test_contents_too_long(void **state)
{
    (void)state;
    write_text("long.bin", "0123456789");
    assert_refused(SCALE "--arg buf:8:small=file:$T/long.bin",
                   "10 bytes do not fit into buffer 'small' of 8");
}

// A store beyond the end of its buffer: the message names kernel, PTX line, thread and allocation.
static void test_fault(void **state)
{
    (void)state;
    const char *line =
        SCALE "--arg buf:256:in --arg buf:128:out --arg i32:1 --arg f32:0 --arg i32:64";
    assert_refused(line, "scale");
    assert_refused(line, "28"); // the line of the store
    assert_refused(line, "out");
}

static void test_endless(void **state)
{
    (void)state;
    write_text("loop.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry loop()\n{\nagain:\n  bra.uni again;\n}\n");
    assert_refused("run $T/loop.ptx --entry loop --grid 1 --block 32 --max-cycles 5000",
                   "5000 cycles");
}

static const char head[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".const .b32 c = 1;\n"
    ".visible .entry k()\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    .shared .b32 s[16];\n"
    "    .local .b32 l;\n";

// Runs a kernel of this body, which starts on line 11, and expects an error that contains
// `expected`.
static void assert_stopped(const char *body, const char *expected)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    write_text("k.ptx", text);
    assert_refused("run $T/k.ptx --entry k --grid 1 --block 64", expected);
}

// Generic addresses in an address space that the instruction cannot access.
static void test_spaces(void **state)
{
    (void)state;
    assert_stopped(
        "    ld.shared.u32 %r1, [s];\n"
        "    mov.u64 %rd1, l;\n"
        "    cvta.local.u64 %rd2, %rd1;\n"
        "    atom.add.u32 %r1, [%rd2], 1;",
        "k.ptx:14: k, block (0,0,0), thread");
    assert_stopped(
        "    ld.shared.u32 %r1, [s];\n"
        "    mov.u64 %rd1, l;\n"
        "    cvta.local.u64 %rd2, %rd1;\n"
        "    atom.add.u32 %r1, [%rd2], 1;",
        "atomic on local memory");
    assert_stopped(
        "    mov.u64 %rd1, c;\n"
        "    cvta.const.u64 %rd2, %rd1;\n"
        "    red.add.u32 [%rd2], 1;",
        "atomic on constant memory");
    assert_stopped(
        "    mov.u64 %rd1, c;\n"
        "    cvta.const.u64 %rd2, %rd1;\n"
        "    st.u32 [%rd2], 1;",
        "store to constant memory");
    assert_stopped("ld.shared.u32 %r1, [s+64];", "offset 0x40 of shared memory is outside it");
    assert_stopped("ld.shared.u32 %r1, [s+2];", "offset 0x2 of shared memory is not aligned");
}

static void test_barriers(void **state)
{
    (void)state;
    assert_stopped("bar.sync 0, 128;", "k: deadlock");
    assert_stopped("bar.sync 0, 128;", "warp 1: blocked at a barrier or fence at line 11");
    assert_stopped("bar.sync 0, 33;", "expected a multiple of 32 threads, found 33");
}

static void test_buffers_and_dumps(void **state)
{
    (void)state;
    assert_refused(SCALE "--arg buf:8:x --arg buf:8:x", "buffers 0 and 1 are both named 'x'");
    assert_refused(SCALE "--arg buf:8 --dump 0=$T/a --dump 0=$T/b", "is already written to");
    assert_refused(SCALE "--arg buf:8 --dump 0=$T", "is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_contents_too_long),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_buffers_and_dumps),
    };
    return cmocka_run_group_tests_name("kernel", tests, write_kernel, NULL);
}
