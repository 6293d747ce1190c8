// Surface accesses and queries: surface, coordinates, errors.
#include "parse_text.h"

#include <string.h>

static const UOp *op_of(const char *text, PtxModule **module, PtxFunction **f)
{
    *f = kernel_of_body(text, module);
    return &(*f)->ops[0];
}

static void test_loads(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f;
    const UOp *op = op_of("suld.b.2d.v4.b8.clamp {%rs1, %rs2, %rs3, _}, [%rd2, {%r1, 7}];", &m, &f);
    assert_int_equal(op->code, UOP_SULD);
    assert_int_equal(op->class, CLASS_TEXTURE);
    assert_int_equal(op->type, PTX_B8);
    assert_int_equal(op->vec, 4);
    assert_int_equal(surface_shape(op), TEX_2D);
    assert_int_equal(surface_outside(op), OUTSIDE_CLAMP);
    assert_int_equal(constant32(f, surface_coordinate(op, 1)), 7);
    assert_int_equal(surface_coordinate(op, 2), OPERAND_NONE);
    assert_int_equal(f->timing[0].read_count, 2); // handle, x
    assert_int_equal(f->timing[0].write_count, 3);
    ptx_free(m);
    op = op_of("suld.b.1d.cg.b64.zero %rd1, [%rd2, %r1];", &m, &f);
    assert_int_equal(surface_shape(op), TEX_1D);
    assert_int_equal(surface_outside(op), OUTSIDE_ZERO);
    assert_int_equal(op->cache, CACHE_CG);
    ptx_free(m);
    op = op_of("suld.b.a1d.b32 %r1, [%rd2, {%r2, %r3}];", &m, &f);
    assert_int_equal(surface_shape(op), TEX_LAYERS_1D);
    assert_int_equal(surface_outside(op), OUTSIDE_TRAP);
    ptx_free(m);
}

// All that an instruction can read: guard, handle, three coordinates, four values.
static void test_stores(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f;
    const UOp *op = op_of("@%p1 sust.b.3d.v4.b32.trap [%rd2, {%r1, %r2, %r3, %r3}], "
                          "{%r4, %r5, %r6, %r7};", &m, &f);
    assert_int_equal(op->code, UOP_SUST);
    assert_int_equal(surface_shape(op), TEX_3D);
    assert_int_equal(f->timing[0].read_count, 9);
    assert_int_equal(f->timing[0].write_count, 0);
    ptx_free(m);
    op = op_of("sured.b.max.a2d.s32.clamp [%rd2, {%r1, %r2, %r3, %r3}], %r4;", &m, &f);
    assert_int_equal(op->code, UOP_SURED);
    assert_int_equal(op->modifier, ATOM_MAX);
    assert_int_equal(surface_shape(op), TEX_LAYERS_2D);
    assert_int_equal(surface_outside(op), OUTSIDE_CLAMP);
    ptx_free(m);
    op = op_of("suq.width.b32 %r1, [%rd2];", &m, &f);
    assert_int_equal(op->code, UOP_TXQ);
    ptx_free(m);
}

static void test_references(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".visible .global .surfref image;\n"
        ".entry k()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        "    sust.b.1d.b32.trap [image, {%r1}], %r1;\n"
        "    ret;\n"
        "}\n");
    assert_true(m->variables[0].texture);
    ptx_relocate(m, (const uint64_t[]){7});
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(constant64(f, f->ops[0].src[0]), 7);
    ptx_free(m);
}

static void test_refused(void **state)
{
    (void)state;
    expect_error("suld.b.b32.trap %r1, [%rd1, {%r1}];", 13, 1, "expected a geometry (.1d, .2d");
    expect_error("suld.b.cube.b32.trap %r1, [%rd1, {%r1, %r2, %r2}];", 13, 1,
                 "wrong geometry of a surface: expected .1d");
    expect_error("suld.p.1d.b32.trap %r1, [%rd1, {%r1}];", 13, 1, "'suld' does not have");
    expect_error("suld.b.2d.b32.trap %r1, [%rd1, {%r1}];", 13, 32, "1 coordinates: expected 2");
    expect_error("suld.b.1d.b32.trap %r1, [%rd1, {%f1}];", 13, 33, "expected .s32");
    expect_error("suld.b.1d.b32.mirror %r1, [%rd1, {%r1}];", 13, 14, "modifier '.mirror'");
    expect_error("sust.b.1d.v4.b64.trap [%rd1, {%r1}], {%rd1, %rd1, %rd1, %rd1};", 13, 1,
                 "expected at most 16");
    expect_error("sured.b.xor.1d.b32.trap [%rd1, {%r1}], %r1;", 13, 1, "expected .add");
    expect_error("suq.memory_layout.b32 %r1, [%rd1];", 13, 1, "'suq' does not have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
