// Liveness: register counts, shared register slots, reads and writes.
#include "parse_text.h"

enum { STACK_POINTER = 1 }; // always counted

static uint32_t registers_of(const char *body)
{
    PtxModule *m;
    uint32_t registers = kernel_of_body(body, &m)->registers;
    ptx_free(m);
    return registers - STACK_POINTER;
}

static void test_count(void **state)
{
    (void)state;
    // At the add both operands are live, and the result reuses the slot of one.
    assert_int_equal(registers_of(
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 2;\n"
        "    add.u32 %r3, %r1, %r2;\n"
        "    st.global.u32 [0], %r3;\n"
        "    ret;"), 2);
    // A 64-bit value is two words: %rd1 and %r1 at the store.
    assert_int_equal(registers_of(
        "    ld.param.u64 %rd1, [p];\n"
        "    mov.u32 %r1, 1;\n"
        "    st.global.u32 [%rd1], %r1;\n"
        "    ret;"), 3);
    // An unused result still needs a register when it is written.
    assert_int_equal(registers_of(
        "    mov.u32 %r1, 1;\n"
        "    mov.u64 %rd1, 2;\n"
        "    st.global.u32 [0], %r1;\n"
        "    ret;"), 3);
    // Predicates do not count.
    assert_int_equal(registers_of(
        "    setp.eq.u32 %p1, %r1, 1;\n"
        "    @%p1 exit;\n"
        "    ret;"), 1);
    assert_int_equal(registers_of("ret;"), 0);
}

// %r1 is live around the loop, although the text last names it at the top.
static void test_loop(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 0;\n"
        "L:\n"
        "    add.u32 %r2, %r2, %r1;\n"
        "    mov.u32 %r3, 7;\n"
        "    setp.lt.u32 %p1, %r3, %r2;\n"
        "    @%p1 bra L;\n"
        "    ret;", &m);
    assert_int_equal(f->registers, 3 + STACK_POINTER);
    assert_int_equal(f->frame_slots, 3); // %r3 may not take the slot of %r1
    assert_int_not_equal(f->ops[3].dst[0], f->ops[0].dst[0]);
    ptx_free(m);
}

// A guarded write keeps the old value in other lanes: %r1 stays live.
static void test_guarded_write(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 2;\n"
        "    st.global.u32 [0], %r2;\n"
        "    @%p1 mov.u32 %r1, 3;\n"
        "    st.global.u32 [0], %r1;\n"
        "    ret;", &m);
    assert_int_equal(f->frame_slots, 2);
    assert_int_equal(f->registers, 2 + STACK_POINTER);
    ptx_free(m);
    // Without the guard %r1 is dead while %r2 lives, but it is one register and so one interval.
    f = kernel_of_body(
        "    mov.u32 %r2, 2;\n"
        "    st.global.u32 [0], %r2;\n"
        "    mov.u32 %r1, 3;\n"
        "    st.global.u32 [0], %r1;\n"
        "    ret;", &m);
    assert_int_equal(f->frame_slots, 1);
    assert_int_equal(f->registers, 1 + STACK_POINTER);
    ptx_free(m);
}

// A destination never overlaps another source of its instruction.
static void test_no_overlap(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 1;\n"
        "    mul.wide.u32 %rd1, %r1, %r2;\n"
        "    st.global.u64 [0], %rd1;\n"
        "    add.u32 %r3, %r3, 1;\n"
        "    ret;", &m);
    unsigned low = f->ops[2].dst[0];
    for (int i = 0; i < 2; i++)
        assert_true(f->ops[2].src[i] != low && f->ops[2].src[i] != low + 1);
    assert_int_equal(f->ops[4].dst[0], f->ops[4].src[0]); // one register, one slot
    ptx_free(m);
}

// The result of an atomic may arrive late: its slot is not reused, even if the result is unused.
static void test_late_result(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    atom.global.add.u32 %r1, [0], 1;\n"
        "    mov.u32 %r2, 2;\n"
        "    st.global.u32 [0], %r2;\n"
        "    ret;", &m);
    assert_int_not_equal(f->ops[0].dst[0], f->ops[1].dst[0]);
    ptx_free(m);
    // A read waits for the result: after it the slot is free.
    f = kernel_of_body(
        "    atom.global.add.u32 %r1, [0], 1;\n"
        "    st.global.u32 [0], %r1;\n"
        "    mov.u32 %r2, 2;\n"
        "    st.global.u32 [0], %r2;\n"
        "    ret;", &m);
    assert_int_equal(f->ops[0].dst[0], f->ops[2].dst[0]);
    ptx_free(m);
}

static void test_reads_and_writes(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 st.global.v2.u32 [%rd1+8], {%r1, %r1};\n"
        "    add.cc.u32 %r2, %r1, %r3;\n"
        "    addc.u32 %r2, %r2, 0;\n"
        "    setp.eq.u32 %p1|%p2, %r2, 5;\n"
        "    ret;", &m);
    const UOpTiming *t = f->timing;
    assert_int_equal(t[0].read_count, 3); // guard, address, %r1 once
    assert_int_equal(t[0].write_count, 0);
    assert_int_equal(t[0].bank_read_count, 2); // the guard is not in the register file
    assert_int_equal(t[0].bank_reads[0], t[0].reads[1]);
    assert_int_equal(t[0].bank_reads[1], t[0].reads[2]);
    assert_int_equal(t[1].write_count, 2); // %r2 and the carry flag
    assert_int_equal(t[2].read_count, 2);
    assert_int_equal(t[2].reads[1], t[1].writes[1]);
    assert_int_equal(t[2].bank_read_count, 1); // nor is the carry flag
    assert_int_equal(t[3].write_count, 2);
    assert_int_equal(f->virtual_registers, 7); // p1 rd1 r1 r2 r3 p2 carry
    ptx_free(m);
}

static bool reads_unset(const char *body)
{
    PtxModule *m;
    bool reads = kernel_of_body(body, &m)->reads_unset;
    ptx_free(m);
    return reads;
}

// A register that a lane may read before it has written it, on some path.
static void test_unset(void **state)
{
    (void)state;
    assert_false(reads_unset("mov.u32 %r1, 1;\n st.global.u32 [0], %r1;\n ret;"));
    assert_true(reads_unset("st.global.u32 [0], %r1;\n ret;"));
    assert_true(reads_unset("ld.global.u64 %rd2, [%rd1];\n ret;"));
    // A guarded write leaves the value of other lanes.
    assert_true(reads_unset("setp.eq.u32 %p1, 1, 2;\n @%p1 mov.u32 %r1, 1;\n"
                            "st.global.u32 [0], %r1;\n ret;"));
    assert_true(reads_unset("setp.eq.u32 %p1, 1, 2;\n @%p1 bra L;\n mov.u32 %r1, 1;\n"
                            "L: st.global.u32 [0], %r1;\n ret;"));
    assert_false(reads_unset("mov.u32 %r1, 2;\n setp.eq.u32 %p1, 1, 2;\n @%p1 bra L;\n"
                             "mov.u32 %r1, 1;\n L: st.global.u32 [0], %r1;\n ret;"));
    // Predicates and the carry flag have no data slot.
    assert_false(reads_unset("mov.u32 %r1, 1;\n @%p1 st.global.u32 [0], %r1;\n ret;"));
    assert_false(reads_unset("mov.u32 %r1, 1;\n addc.u32 %r2, %r1, 0;\n ret;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),         cmocka_unit_test(test_loop),
        cmocka_unit_test(test_guarded_write), cmocka_unit_test(test_no_overlap),
        cmocka_unit_test(test_late_result),   cmocka_unit_test(test_reads_and_writes),
        cmocka_unit_test(test_unset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
