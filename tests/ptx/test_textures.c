// Texture fetches and queries: texture, coordinates, errors.
#include "parse_text.h"

#include <string.h>

static const UOp *op_of(const char *text, PtxModule **module, PtxFunction **f)
{
    *f = kernel_of_body(text, module);
    return &(*f)->ops[0];
}

// An object's handle is a 64-bit register; coordinates follow it in src.
static void test_objects(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f;
    const UOp *op = op_of("tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r5}];", &m, &f);
    assert_int_equal(op->code, UOP_TEX);
    assert_int_equal(op->class, CLASS_TEXTURE);
    assert_int_equal(op->modifier, TEX_1D);
    assert_int_equal(op->type, PTX_S32);
    assert_int_equal(op->type2, PTX_S32);
    assert_int_equal(op->space, SPACE_GLOBAL);
    assert_int_equal(op->src[2], OPERAND_NONE);
    assert_int_equal(f->timing[0].read_count, 2); // handle, coordinate
    assert_int_equal(f->timing[0].write_count, 4);
    assert_int_equal(f->timing[0].bank_read_count, 2);
    ptx_free(m);
    // Elements after the coordinates are ignored, and not read.
    op = op_of("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6, %f7, %f8}];", &m, &f);
    assert_int_equal(op->modifier, TEX_3D);
    assert_int_equal(f->timing[0].read_count, 4);
    ptx_free(m);
    // A layer is an integer in front; constants may replace registers.
    op = op_of("tex.a2d.v4.u32.f32 {%r1, %r2, _, _}, [%rd2, {%r5, 0f3F000000, %f6, %f6}];", &m, &f);
    assert_int_equal(op->modifier, TEX_LAYERS_2D);
    assert_int_equal(constant32(f, op->src[2]), 0x3f000000);
    assert_int_equal(op->dst[2], OPERAND_NONE);
    assert_int_equal(f->timing[0].read_count, 3);
    assert_int_equal(f->timing[0].write_count, 2);
    ptx_free(m);
    op = op_of("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}], %f7;", &m, &f);
    assert_int_equal(op->src[3], OPERAND_NONE);
    assert_int_not_equal(op->src[4], OPERAND_NONE);
    assert_int_equal(f->timing[0].read_count, 4);
    ptx_free(m);
    op = op_of("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, %f5];", &m, &f);
    assert_int_equal(op->type2, PTX_F32);
    ptx_free(m);
}

static void test_gathers_and_queries(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f;
    const UOp *op = op_of("tld4.b.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];", &m, &f);
    assert_int_equal(op->code, UOP_TEX);
    assert_true(op->flags & UF_GATHER);
    assert_int_equal((op->flags & UF_SELECT_MASK) >> UF_SELECT_SHIFT, 2);
    ptx_free(m);
    op = op_of("txq.height.b32 %r1, [%rd2];", &m, &f);
    assert_int_equal(op->code, UOP_TXQ);
    assert_int_equal((op->flags & UF_SELECT_MASK) >> UF_SELECT_SHIFT, QUERY_HEIGHT);
    assert_int_equal(op->class, CLASS_MOVE);
    ptx_free(m);
}

// A reference is a variable without bytes; the loader sets its address, which is the handle.
static void test_references(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".visible .global .texref image;\n"
        ".global .u32 other;\n"
        ".entry k()\n"
        "{\n"
        "    .reg .f32 %f<5>;\n"
        "    .reg .b32 %r<2>;\n"
        "    .reg .b64 %rd<2>;\n"
        "    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];\n"
        "    mov.u64 %rd1, image;\n"
        "    ret;\n"
        "}\n");
    assert_int_equal(m->variable_count, 2);
    assert_true(m->variables[0].texture);
    assert_int_equal(m->variables[0].bytes, 0);
    assert_false(m->variables[1].texture);
    ptx_relocate(m, (const uint64_t[]){7, UINT64_C(0x100000000)});
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(constant64(f, f->ops[0].src[0]), 7);
    assert_int_equal(constant64(f, f->ops[1].src[0]), 7);
    assert_int_equal(m->variables[0].address, 7);
    ptx_free(m);
}

#define VALUES "{%f1, %f2, %f3, %f4}"

static void test_refused(void **state)
{
    (void)state;
    expect_error("tex.v4.f32.s32 " VALUES ", [%rd1, {%r1}];", 13, 1,
                 "expected a geometry (.1d, .2d");
    expect_error("tex.1d.f32.s32 %f1, [%rd1, {%r1}];", 13, 1, ".v4 {a, b, c, d}");
    expect_error("tex.1d.v4.f16.s32 " VALUES ", [%rd1, {%r1}];", 13, 1, "'tex' does not have");
    expect_error("tex.2d.v4.f32.f32 " VALUES ", [%rd1, {%f1}];", 13, 48,
                 "1 coordinates: expected 2");
    expect_error("tex.2d.v4.f32.f32 " VALUES ", [%rd1, {%rs1, %rs2}];", 13, 49, "expected .f32");
    expect_error("tex.2d.v4.f32.f32 " VALUES ", [%r1, {%f1, %f2}];", 13, 42, "expected .u64");
    expect_error("tex.2d.v4.f32.f32 " VALUES ", [p, {%f1, %f2}];", 13, 42,
                 "'p': expected a register");
    expect_error("tex.cube.v4.f32.s32 " VALUES ", [%rd1, {%r1, %r2, %r3}];", 13, 1,
                 "coordinates of type .s32: expected .f32");
    expect_error("tex.2dms.v4.f32.s32 " VALUES ", [%rd1, {%r1, %r2, %r3}];", 13, 4,
                 "modifier '.2dms'");
    expect_error("tld4.r.3d.v4.f32.f32 " VALUES ", [%rd1, {%f1, %f2, %f3}];", 13, 1,
                 "wrong geometry of tld4: expected .2d");
    expect_error("txq.channel_order.b32 %r1, [%rd1];", 13, 1, "'txq' does not have");
    expect_module_error(".global .texref t[2];\n", 5, 17, "expected a single .global variable");
    expect_module_error(".const .texref t;\n", 5, 16, "expected a single .global variable");
    expect_module_error(".global .texref t;\n.entry k() { .reg .b32 %r<2>; "
                        "ld.global.u32 %r1, [t]; ret; }\n", 6, 51, "expected tex to read it");
    expect_module_error(".global .samplerref s;\n", 5, 9, "samplers");
    static const char parameter[] =
        "a texture or surface reference as a parameter: expected its object, of type .u64, or a "
        "'.global .texref' variable";
    expect_module_error(".entry k(.param .texref t) { ret; }\n", 5, 17, parameter);
    expect_module_error(".func f(.param .surfref s) { ret; }\n", 5, 16, parameter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_gathers_and_queries),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
