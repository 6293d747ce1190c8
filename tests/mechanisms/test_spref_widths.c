// spref with loads of 8, 16 and 64 bits by hand: how many are prefetched and moved, the values of
// the moves, and the spare registers that they take. lakshminarayana2014, section 3.3.
#include "support/bench.h"

#include "mechanisms/mechanism_registry.h"
#include "hooks/cache_hooks.h"

enum { LANES = 32, ROW = 16, ELEMENTS = LANES * ROW, VALUES = 256 };

// Lane l of one warp adds up to %d5, for the elements i from l * 16 on: the lanes below 16 in 4
// turns, the others in 10. %d4 is the address of the element, whose bytes are `step`.
#define LOOP(name, step, turn)                                                                     \
    ".visible .entry " name "(.param .u64 a, .param .u64 b, .param .u64 out)\n"                    \
    "{\n"                                                                                          \
    "    .reg .pred %p<3>;\n"                                                                      \
    "    .reg .b16 %h<3>;\n"                                                                       \
    "    .reg .b32 %r<7>;\n"                                                                       \
    "    .reg .b64 %d<10>;\n"                                                                      \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    ld.param.u64 %d1, [a];\n"                                                                 \
    "    ld.param.u64 %d2, [b];\n"                                                                 \
    "    ld.param.u64 %d3, [out];\n"                                                               \
    "    mul.wide.u32 %d4, %r1, " step ";\n"                                                       \
    "    shl.b64 %d4, %d4, 4;\n"                                                                   \
    "    add.u64 %d4, %d1, %d4;\n"                                                                 \
    "    setp.lt.u32 %p1, %r1, 16;\n"                                                              \
    "    selp.b32 %r2, 4, 10, %p1;\n"                                                              \
    "    mov.u32 %r3, 0;\n"                                                                        \
    "    mov.u64 %d5, 0;\n"                                                                        \
    "LOOP:\n"                                                                                      \
    "    " turn "\n"                                                                               \
    "    add.u64 %d4, %d4, " step ";\n"                                                            \
    "    add.u32 %r3, %r3, 1;\n"                                                                   \
    "    setp.lt.s32 %p2, %r3, %r2;\n"                                                             \
    "    @%p2 bra LOOP;\n"                                                                         \
    "    mul.wide.u32 %d7, %r1, 8;\n"                                                              \
    "    add.u64 %d8, %d3, %d7;\n"                                                                 \
    "    st.global.u64 [%d8], %d5;\n"                                                              \
    "    ret;\n"                                                                                   \
    "}\n"
#define WORD_HEAD "ld.global.nc.u32 %r5, [%d4]; cvt.u64.u32 %d6, %r5; "
#define AT(bytes) "mul.lo.u64 %d6, %d6, " bytes "; add.u64 %d6, %d2, %d6; "
#define ADD " add.u64 %d5, %d5, %d9;"

static const char loops_ptx[] =
    PTX_HEAD
    // As in H-BFS: a flag of one byte for each edge.
    LOOP("bytes", "4",
         WORD_HEAD AT("1") "ld.global.nc.u8 %h1, [%d6]; cvt.u64.u16 %d9, %h1;" ADD)
    LOOP("signed_bytes", "4",
         WORD_HEAD AT("1") "ld.global.nc.s8 %r6, [%d6]; cvt.s64.s32 %d9, %r6;" ADD)
    // As in H-SSSP: a weight of two bytes for each edge.
    LOOP("shorts", "2", "ld.global.nc.s16 %h1, [%d4]; cvt.s64.s16 %d9, %h1;" ADD)
    // Addresses of tails are computed from narrow heads.
    LOOP("by_byte", "1",
         "ld.global.nc.u8 %h1, [%d4]; cvt.u64.u16 %d6, %h1; " AT("4")
         "ld.global.nc.u32 %r6, [%d6]; cvt.u64.u32 %d9, %r6;" ADD)
    LOOP("by_short", "2",
         "ld.global.nc.u16 %h1, [%d4]; mul.wide.u16 %r5, %h1, 2; cvt.u64.u32 %d6, %r5; " AT("1")
         "ld.global.nc.u16 %h2, [%d6]; cvt.u64.u16 %d9, %h2;" ADD)
    // As in GraphBIG: lists of 64 bits.
    LOOP("by_long", "8", "ld.global.nc.u64 %d6, [%d4]; " AT("8") "ld.global.nc.u64 %d9, [%d6];" ADD)
    LOOP("longs", "4", WORD_HEAD AT("8") "ld.global.nc.u64 %d9, [%d6];" ADD)
    // A register of 64 bits that a narrow load extends.
    LOOP("extended", "4", WORD_HEAD AT("4") "ld.global.nc.s32 %d9, [%d6];" ADD);

// A kernel: the bytes and signs of its heads and tails, and the spare registers of a turn.
typedef struct Kernel {
    const char *name;
    unsigned head, tail; // bytes; tail 0: none
    bool head_signed, tail_signed;
    unsigned registers;
} Kernel;
static const Kernel kernels[] = {
    {"bytes", 4, 1, false, false, 1 + 1},       {"signed_bytes", 4, 1, false, true, 1 + 1},
    {"shorts", 2, 0, true, false, 1},           {"by_byte", 1, 4, false, false, 1 + 1},
    {"by_short", 2, 2, false, false, 1 + 1},    {"by_long", 8, 8, false, false, 2 + 2},
    {"longs", 4, 8, false, false, 1 + 2},       {"extended", 4, 4, false, true, 1 + 2},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static uint8_t heads[8 * ELEMENTS], values[8 * VALUES];

// Indices below VALUES, or without tails values of both signs; values with all their bits.
static void fill(const Kernel *k)
{
    for (unsigned i = 0; i < ELEMENTS; i++) {
        uint64_t mixed = i * UINT64_C(0x9e3779b97f4a7c15) >> 17,
                 head = k->tail ? mixed % VALUES : mixed;
        memcpy(heads + i * k->head, &head, k->head);
    }
    for (unsigned i = 0; i < VALUES; i++) {
        uint64_t value = (i + 3) * UINT64_C(0xc2b2ae3d27d4eb4f);
        memcpy(values + 8 * i, &value, sizeof value);
    }
}

static int64_t read_at(const uint8_t *from, unsigned bytes, bool is_signed)
{
    int64_t value = 0;
    memcpy(&value, from, bytes);
    unsigned shift = 64 - 8 * bytes;
    return is_signed ? (int64_t)((uint64_t)value << shift) >> shift : value;
}

static int64_t element(const Kernel *k, unsigned i)
{
    int64_t head = read_at(heads + i * k->head, k->head, k->head_signed);
    return k->tail ? read_at(values + head * k->tail, k->tail, k->tail_signed) : head;
}

// ---- runs ----

typedef struct Sums {
    uint64_t heads, tails, head_prefetches, head_lanes, tail_lanes, moves, missed, wrong;
} Sums;

static uint64_t counted(const Bench *b, const char *name)
{
    const HookPlan *plan = gpu_mechanisms(b->gpu);
    const HdMechanism *m = plan->items[0].mechanism;
    uint64_t sum = 0;
    size_t i = 0;
    while (m->counters[i].name && strcmp(m->counters[i].name, name)) i++;
    if (!m->counters[i].name) fail_msg("there is no counter %s", name);
    for (unsigned sm = 0; sm < gpu_mechanism_places(b->gpu, HOOK_L1); sm++)
        sum += cache_hooks_counter(gpu_hooks(b->gpu, HOOK_L1, sm), &plan->items[0], i);
    return sum;
}

// Runs the kernel and checks what it has added up. spare: as many registers as a thread can have
// more than the kernel takes; 0: more than it needs.
static Sums run(const Kernel *k, const char *mechanism, unsigned spare)
{
    char registers[64];
    snprintf(registers, sizeof registers, "%s=%u", k->name, spare ? 63 - spare : 32);
    HookPlan plan;
    GpuOptions options = {.registers = (const char *const[]){registers, NULL}};
    Bench *b = bench_with(&plan, mechanism, mechanism_find, "fermi-macsim", NULL, options,
                          loops_ptx);
    fill(k);
    uint64_t of = bench_array(b, "b", values, sizeof values),
             out = bench_array(b, "out", NULL, LANES * sizeof(int64_t)),
             in = bench_array(b, "a", heads, sizeof heads);
    bench_run(b, &(BenchLaunch){k->name, {1}, {LANES}, .args = {in, of, out}});
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t sum = 0;
        for (unsigned i = 0; i < (lane < 16 ? 4 : 10); i++) sum += element(k, lane * ROW + i);
        if ((int64_t)bench_long(b, out, lane) != sum)
            fail_msg("%s: lane %u has %llx: expected %llx", k->name, lane,
                     (unsigned long long)bench_long(b, out, lane), (unsigned long long)sum);
    }
    Sums s = {counted(b, "heads"), counted(b, "tails"), counted(b, "head_prefetches"),
              counted(b, "head_lanes"), counted(b, "tail_lanes"), counted(b, "moves"),
              counted(b, "missed"), counted(b, "wrong")};
    bench_free(b);
    plan_free(&plan);
    return s;
}

// Each head and tail is prefetched in these turns and lanes, and moved as often.
static void assert_prefetches(const Kernel *k, const Sums *s, unsigned turns, unsigned lanes)
{
    assert_int_equal(s->heads, 1);
    assert_int_equal(s->tails, k->tail != 0);
    assert_int_equal(s->head_prefetches, turns);
    assert_int_equal(s->head_lanes, lanes);
    assert_int_equal(s->tail_lanes, k->tail ? lanes : 0);
    assert_int_equal(s->moves, turns * (1 + (k->tail != 0)));
    assert_int_equal(s->missed + s->wrong, 0);
}

// ---- tests ----

// As with 32 bits (test_spref.c): distance 1 prefetches in turns 1 to 3 with 32 lanes and 4 to 9
// with 16, by hardware in the latter alone.
static void test_turns(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KERNELS; i++) {
        Sums s = run(&kernels[i], "spref:detect=compiler", 0);
        assert_prefetches(&kernels[i], &s, 9, 3 * 32 + 6 * 16);
        s = run(&kernels[i], "spref", 0);
        assert_prefetches(&kernels[i], &s, 6, 6 * 16);
        s = run(&kernels[i], "spref:detect=compiler,distance=3", 0);
        assert_prefetches(&kernels[i], &s, 7, 32 + 6 * 16);
    }
}

// 3.3.2.3: "the prefetch distance is reduced until the required number of spare registers are
// available". A turn takes one register for each load, and two if it has 64 bits.
static void test_registers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KERNELS; i++) {
        const Kernel *k = &kernels[i];
        Sums s = run(k, "spref:detect=compiler,distance=3", k->registers);
        assert_prefetches(k, &s, 9, 3 * 32 + 6 * 16);
        s = run(k, "spref:detect=compiler,distance=3", 3 * k->registers - 1);
        assert_prefetches(k, &s, 8, 2 * 32 + 6 * 16);
        s = run(k, "spref:detect=compiler,distance=3", 3 * k->registers);
        assert_prefetches(k, &s, 7, 32 + 6 * 16);
        if (k->registers == 1) continue;
        s = run(k, "spref:detect=compiler", k->registers - 1);
        assert_prefetches(k, &s, 0, 0);
    }
}

// Tails in the cache take no registers: those of heads remain.
static void test_cache(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KERNELS; i++) {
        const Kernel *k = &kernels[i];
        if (!k->tail) continue;
        unsigned of_head = k->head == 8 ? 2 : 1;
        Sums s = run(k, "spref:detect=compiler,tails=cache", of_head);
        assert_int_equal(s.head_lanes, 192);
        assert_int_equal(s.tail_lanes, 192);
        assert_int_equal(s.moves, 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_cache),
    };
    return cmocka_run_group_tests_name("spref-widths", tests, NULL, NULL);
}
