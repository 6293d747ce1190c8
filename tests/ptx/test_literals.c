// Numbers in all their spellings, comments, and the constant pool.
#include "parse_text.h"

#include <stdio.h>

static uint32_t number32(const char *text)
{
    char body[200];
    PtxModule *m;
    snprintf(body, sizeof body, "mov.b32 %%r1, %s;", text);
    const PtxFunction *f = kernel_of_body(body, &m);
    uint32_t value = constant32(f, f->ops[0].src[0]);
    ptx_free(m);
    return value;
}

static uint64_t number64(const char *type, const char *reg, const char *text)
{
    char body[200];
    PtxModule *m;
    snprintf(body, sizeof body, "mov.%s %s, %s;", type, reg, text);
    const PtxFunction *f = kernel_of_body(body, &m);
    uint64_t value = constant64(f, f->ops[0].src[0]);
    ptx_free(m);
    return value;
}

static void test_integers(void **state)
{
    (void)state;
    assert_int_equal(number32("0"), 0);
    assert_int_equal(number32("123"), 123);
    assert_int_equal(number32("123U"), 123);
    assert_int_equal(number32("0xff"), 255);
    assert_int_equal(number32("0XFFU"), 255);
    assert_int_equal(number32("017"), 15);
    assert_int_equal(number32("0b101"), 5);
    assert_true(number32("-1") == 0xffffffff);
    assert_true(number32("-2147483648") == 0x80000000);
    assert_true(number32("4294967295") == 0xffffffff);
    assert_true(number64("u64", "%rd1", "-1") == UINT64_MAX);
    assert_true(number64("s64", "%rd1", "0x8000000000000001") == 0x8000000000000001);
}

static void test_floats(void **state)
{
    (void)state;
    assert_true(number32("0f3F800000") == 0x3f800000);
    assert_true(number32("0F3f800000") == 0x3f800000);
    assert_true(number32("-0f3F800000") == 0xbf800000);
    assert_true(number32("1.5") == 0x3fc00000);
    assert_true(number64("f64", "%fd1", "0d3FF8000000000000") == 0x3ff8000000000000);
    assert_true(number64("f64", "%fd1", "-0D3FF8000000000000") == 0xbff8000000000000);
    assert_true(number64("f64", "%fd1", "0f3FC00000") == 0x3ff8000000000000); // widened: exact
    assert_true(number64("f64", "%fd1", "1.5") == 0x3ff8000000000000);
    assert_true(number64("f64", "%fd1", "1e3") == 0x408f400000000000);
}

// 8- and 16-bit values are in 32-bit lanes, sign-extended for signed types, else zero-extended.
static void test_narrow(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u16 %rs1, -1;\n"
        "    add.s16 %rs2, %rs1, -2;\n"
        "    ret;", &m);
    assert_true(constant32(f, f->ops[0].src[0]) == 0x0000ffff);
    assert_true(constant32(f, f->ops[1].src[1]) == 0xfffffffe);
    ptx_free(m);
}

// Each value and width is in the pool once: 7 (32 bits), 7 (64 bits, two slots), 8.
static void test_pool(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    add.u32 %r1, %r2, 7;\n"
        "    sub.u32 %r3, 7, %r1;\n"
        "    add.u64 %rd1, %rd2, 7;\n"
        "    mov.b32 %r4, 8;\n"
        "    and.b64 %rd1, %rd1, 7;\n"
        "    ret;", &m);
    assert_int_equal(f->constant_slots, 4);
    assert_int_equal(f->ops[0].src[1], f->ops[1].src[0]);
    assert_int_equal(f->ops[2].src[1], f->ops[4].src[1]);
    assert_int_not_equal(f->ops[0].src[1], f->ops[2].src[1]);
    assert_true(constant64(f, f->ops[2].src[1]) == 7);
    assert_int_equal(constant32(f, f->ops[3].src[0]), 8);
    ptx_free(m);
}

// The whole pool of a longer kernel: more values than the hash table starts with.
static void test_many(void **state)
{
    (void)state;
    static char body[16384];
    size_t used = 0;
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(body + used, sizeof body - used, "mov.u32 %%r1, %d;\n", i % 150);
    snprintf(body + used, sizeof body - used, "ret;");
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    assert_int_equal(f->op_count, 301);
    assert_int_equal(f->constant_slots, 150);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(constant32(f, f->ops[i].src[0]), i % 150);
    ptx_free(m);
}

static void test_comments(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body("// add\n/* mov.u32 %r1, 1;\n"
                                          " * */ mov.u32 /* in */ %r1,\n"
                                          "  2 ; // behind\nret;", &m);
    assert_int_equal(f->op_count, 2);
    assert_int_equal(f->timing[0].line, 15); // the body starts in line 13
    assert_int_equal(f->timing[1].line, 17);
    assert_string_equal(ptx_source_text(m, f, 1), "ret");
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_narrow),   cmocka_unit_test(test_pool),
        cmocka_unit_test(test_many),     cmocka_unit_test(test_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
