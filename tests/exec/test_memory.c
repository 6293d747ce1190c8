// Loads and stores: addresses, spaces, bounds, widths, vectors, global memory through the log,
// atomics, and parameters of calls.
#include "lanes.h"

#include "exec/float_bits.h"

#include <string.h>

static Lanes lanes;
static uint64_t addresses[HD_MAX_LANES];

static uint8_t shared[256], local[HD_MAX_LANES * 64];

static void start(void)
{
    lanes_init(&lanes);
    memset(addresses, 0, sizeof addresses);
    for (unsigned i = 0; i < sizeof shared; i++) shared[i] = (uint8_t)i;
    memset(local, 0, sizeof local);
    lanes.block.shared = shared;
    lanes.block.total_shared = sizeof shared;
    lanes.block.constants = shared;
    lanes.block.const_bytes = 128;
    lanes.warp.local = local;
    lanes.warp.local_stride = 64;
}

static void test_addresses(void **state)
{
    (void)state;
    start();
    for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes_set(&lanes, 0, 8, l, 1000 * l);
    lanes_fill(&lanes, 2, 4, 0xfffffffc);
    UOp op = {.code = UOP_LD, .type = PTX_U32, .space = SPACE_GLOBAL, .imm = -8};
    exec_addresses(&op, &lanes.warp, addresses);
    assert_int_equal(addresses[31], 30992);
    assert_int_equal(addresses[4], 3992);
    op.flags = UF_ADDRESS32;
    op.src[0] = 2;
    op.imm = 12; // wraps in 32 bits
    exec_addresses(&op, &lanes.warp, addresses);
    assert_int_equal(addresses[4], 8);
    op = (UOp){.space = SPACE_LOCAL, .src = {OPERAND_NONE}, .imm = 24, .flags = UF_FRAME_RELATIVE};
    lanes.warp.local_base = 100;
    exec_addresses(&op, &lanes.warp, addresses);
    assert_int_equal(addresses[7], 124);
    op.flags = 0;
    exec_addresses(&op, &lanes.warp, addresses);
    assert_int_equal(addresses[7], 24);
}

static void test_generic_windows(void **state)
{
    (void)state;
    addresses[0] = GUEST_SHARED_BASE + 4;
    addresses[1] = GUEST_SHARED_BASE + 8;
    addresses[2] = GUEST_LOCAL_BASE;
    addresses[3] = GUEST_GLOBAL_BASE;
    LaneMask first;
    assert_int_equal(exec_generic_space(0x3, addresses, &first), SPACE_SHARED);
    assert_int_equal(exec_generic_space(0xf, addresses, &first), SPACE_SHARED);
    assert_int_equal(first, 0x3);
    assert_int_equal(exec_generic_space(0x4, addresses, &first), SPACE_LOCAL);
    assert_int_equal(exec_generic_space(0x8, addresses, &first), SPACE_GLOBAL);
    exec_generic_offset(SPACE_SHARED, 0x1, addresses);
    assert_int_equal(addresses[0], 4);
    assert_int_equal(addresses[1], GUEST_SHARED_BASE + 8);
}

static void test_loads_extend(void **state)
{
    (void)state;
    start();
    shared[8] = 0x80;
    shared[9] = 0xff;
    addresses[5] = 8;
    static const struct {
        PtxType type;
        uint32_t flags;
        unsigned bytes;
        uint64_t expected;
    } cases[] = {{PTX_U8, 0, 4, 0x80},
                 {PTX_S8, 0, 4, 0xffffff80},
                 {PTX_B16, 0, 4, 0xff80},
                 {PTX_S16, 0, 4, 0xffffff80},
                 {PTX_U32, 0, 4, 0x0b0aff80},
                 {PTX_B64, 0, 8, UINT64_C(0x0f0e0d0c0b0aff80)},
                 {PTX_F32, 0, 4, 0x0b0aff80},
                 {PTX_S8, UF_WIDE_DST, 8, UINT64_C(0xffffffffffffff80)},
                 {PTX_U32, UF_WIDE_DST, 8, 0x0b0aff80}};
    for (unsigned i = 0; i < TEST_SIZE(cases); i++) {
        lanes_fill(&lanes, 8, 8, UINT64_C(0x5555555555555555));
        UOp op = {
            .code = UOP_LD, .type = cases[i].type, .vec = 1, .flags = cases[i].flags, .dst = {8}};
        assert_int_equal(exec_private_load(&op, &lanes.warp, SPACE_SHARED, 1 << 5, addresses), -1);
        assert_int_equal(lanes_get(&lanes, 8, cases[i].bytes, 5), cases[i].expected);
        assert_int_equal(lanes_get(&lanes, 8, cases[i].bytes, 6) & 0xff, 0x55);
    }
}

static void test_private_vectors_and_faults(void **state)
{
    (void)state;
    start();
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = 16;
        lanes_set(&lanes, 0, 4, l, l);
        lanes_set(&lanes, 1, 4, l, 100 + l);
    }
    UOp st = {.code = UOP_ST, .type = PTX_U32, .vec = 2, .src = {OPERAND_NONE, 0, 1}};
    assert_int_equal(exec_private_store(&st, &lanes.warp, SPACE_LOCAL, ~0u, addresses), -1);
    UOp ld = {.code = UOP_LD, .type = PTX_U32, .vec = 2, .dst = {8, 9}};
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_LOCAL, ~0u, addresses), -1);
    assert_int_equal(lanes_get(&lanes, 8, 4, 17), 17); // each thread's own
    assert_int_equal(lanes_get(&lanes, 9, 4, 17), 117);
    // if several lanes store to one address, the highest lane wins, in all elements
    assert_int_equal(exec_private_store(&st, &lanes.warp, SPACE_SHARED, 0xff, addresses), -1);
    assert_int_equal(shared[16], 7);
    assert_int_equal(shared[20], 107);

    ld.dst[0] = OPERAND_NONE;
    addresses[3] = 60; // 64 bytes per thread
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_LOCAL, ~0u, addresses), 3);
    addresses[3] = UINT64_MAX - 3;
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_LOCAL, ~0u, addresses), 3);
    addresses[3] = 20; // not a multiple of 8
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_LOCAL, ~0u, addresses), 3);
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_LOCAL, ~0u ^ 8, addresses), -1);
    addresses[0] = 128;
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_CONST, 1, addresses), 0);
    assert_int_equal(exec_private_store(&st, &lanes.warp, SPACE_CONST, 2, addresses), 1);
}

static void test_global_memory(void **state)
{
    (void)state;
    start();
    GuestMemory memory;
    assert_true(guest_init(&memory, NULL));
    StoreLog *log = store_log_new(NULL);
    assert_non_null(log);
    uint64_t array = guest_allocate(&memory, 4096, "a", NULL);
    for (uint32_t i = 0; i < 1024; i++) memcpy(guest_host(&memory, array + 4 * i), &i, 4);
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = array + 16 * (31 - l);
        lanes_set(&lanes, 0, 4, l, 1000 + l);
        lanes_set(&lanes, 2, 8, l, 2000 + l);
    }
    UOp ld = {.code = UOP_LD, .type = PTX_U32, .vec = 4, .dst = {8, 9, OPERAND_NONE, 11}};
    exec_global_load(&ld, &lanes.warp, ~0u, addresses, &memory, log);
    assert_int_equal(lanes_get(&lanes, 8, 4, 31), 0);
    assert_int_equal(lanes_get(&lanes, 9, 4, 30), 5);
    assert_int_equal(lanes_get(&lanes, 11, 4, 0), 31 * 4 + 3);

    UOp st = {.code = UOP_ST, .type = PTX_U32, .vec = 2, .src = {0, 0, 0}};
    assert_true(exec_global_store(&st, &lanes.warp, 1 << 30, addresses, log, 1));
    UOp wide = {.code = UOP_ST, .type = PTX_U16, .vec = 1, .flags = UF_WIDE_SRC, .src = {0, 2}};
    assert_true(exec_global_store(&wide, &lanes.warp, 1 << 29, addresses, log, 1));
    exec_global_load(&ld, &lanes.warp, ~0u, addresses, &memory, log);
    assert_int_equal(lanes_get(&lanes, 8, 4, 30), 1030); // its own log is seen,
    assert_int_equal(lanes_get(&lanes, 9, 4, 30), 1030);
    assert_int_equal(lanes_get(&lanes, 8, 4, 29), 2029);
    assert_int_equal(lanes_get(&lanes, 8, 4, 28), 12);   // beside it memory
    assert_int_equal(*guest_host(&memory, array + 16), 4); // memory is not written yet
    guest_commit(&memory, &log, 1);
    uint32_t value;
    memcpy(&value, guest_host(&memory, array + 20), 4);
    assert_int_equal(value, 1030);
    store_log_free(log);
    guest_free(&memory);
}

static void test_atomic_operations(void **state)
{
    (void)state;
    static const struct {
        AtomOp operation;
        PtxType type;
        uint64_t old, b, c, expected;
    } cases[] = {{ATOM_ADD, PTX_U32, 0xffffffff, 2, 0, 1},
                 {ATOM_ADD, PTX_U64, UINT64_C(0xffffffff), 2, 0, UINT64_C(0x100000001)},
                 {ATOM_MIN, PTX_S32, 5, 0xffffffff, 0, 0xffffffff},
                 {ATOM_MIN, PTX_U32, 5, 0xffffffff, 0, 5},
                 {ATOM_MAX, PTX_S64, 5, UINT64_MAX, 0, 5},
                 {ATOM_MAX, PTX_U64, 5, UINT64_MAX, 0, UINT64_MAX},
                 {ATOM_INC, PTX_U32, 7, 7, 0, 0},
                 {ATOM_INC, PTX_U32, 6, 7, 0, 7},
                 {ATOM_DEC, PTX_U32, 0, 7, 0, 7},
                 {ATOM_DEC, PTX_U32, 9, 7, 0, 7},
                 {ATOM_DEC, PTX_U32, 3, 7, 0, 2},
                 {ATOM_AND, PTX_B32, 0xc, 0xa, 0, 0x8},
                 {ATOM_OR, PTX_B32, 0xc, 0xa, 0, 0xe},
                 {ATOM_XOR, PTX_B64, 0xc, 0xa, 0, 0x6},
                 {ATOM_EXCH, PTX_B32, 1, 2, 0, 2},
                 {ATOM_CAS, PTX_B32, 1, 1, 9, 9},
                 {ATOM_CAS, PTX_B32, 1, 2, 9, 1},
                 {ATOM_CAS, PTX_B16, 0x1234, 0xffff1234, 9, 9},
                 {ATOM_CAS, PTX_U64, 1, 1, UINT64_MAX, UINT64_MAX}};
    uint64_t changes = 0;
    for (unsigned i = 0; i < TEST_SIZE(cases); i++) {
        uint64_t place[2] = {cases[i].old, 0};
        changes = 0;
        uint64_t old =
            exec_atomic(cases[i].operation, cases[i].type, place, cases[i].b, cases[i].c, &changes);
        assert_int_equal(old, cases[i].old);
        assert_int_equal(place[0], cases[i].expected);
        assert_int_equal(changes, cases[i].old != cases[i].expected);
    }
    uint32_t f = f32_bits(1.5f);
    exec_atomic(ATOM_ADD, PTX_F32, &f, f32_bits(2), 0, &changes);
    assert_int_equal(f, f32_bits(3.5f));
    exec_atomic(ATOM_ADD, PTX_F32, &f, 0xffc12345, 0, &changes);
    assert_int_equal(f, F32_NAN);
    uint64_t d = f64_bits(1);
    exec_atomic(ATOM_ADD, PTX_F64, &d, f64_bits(0x1p-53), 0, &changes);
    assert_int_equal(d, f64_bits(1));
}

static void test_shared_atomics(void **state)
{
    (void)state;
    start();
    memset(shared, 0, sizeof shared);
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = 8;
        lanes_set(&lanes, 2, 4, l, l);
    }
    UOp op = {.code = UOP_ATOM,
              .type = PTX_U32,
              .modifier = ATOM_ADD,
              .vec = 1,
              .dst = {4},
              .src = {0, 2}};
    uint64_t changes = 0;
    assert_int_equal(exec_shared_atomic(&op, &lanes.warp, 0xf0, addresses, &changes), -1);
    assert_int_equal(changes, 4);
    assert_int_equal(shared[8], 4 + 5 + 6 + 7);
    assert_int_equal(lanes_get(&lanes, 4, 4, 6), 4 + 5); // lanes in ascending order
    op.code = UOP_RED;
    op.dst[0] = OPERAND_NONE;
    assert_int_equal(exec_shared_atomic(&op, &lanes.warp, 1u << 31, addresses, &changes), -1);
    assert_int_equal(shared[8], 22 + 31);
    addresses[9] = 254;
    assert_int_equal(exec_shared_atomic(&op, &lanes.warp, ~0u, addresses, &changes), 9);
    assert_int_equal(shared[8], 22 + 31); // nothing done
}

static void test_call_parameters(void **state)
{
    (void)state;
    static const PtxCopy arguments[] = {{.from = 8, .to = 0, .bytes = 4},
                                        {.from = 12, .to = 8, .bytes = 2}};
    static const PtxCopy results[] = {{.from = 4, .to = 0, .bytes = 4}};
    PtxCall call = {
        .arguments = arguments, .argument_count = 2, .results = results, .result_count = 1};
    uint8_t caller[HD_MAX_LANES][16], callee[HD_MAX_LANES][24] = {{0}};
    for (unsigned l = 0; l < HD_MAX_LANES; l++)
        for (unsigned i = 0; i < 16; i++) caller[l][i] = (uint8_t)(16 * l + i);
    exec_call_arguments(&call, 0x6, caller[0], 16, callee[0], 24);
    assert_int_equal(callee[2][0], 40);
    assert_int_equal(callee[2][3], 43);
    assert_int_equal(callee[2][8], 44);
    assert_int_equal(callee[2][10], 0);
    assert_int_equal(callee[3][0], 0);
    callee[1][4] = 99;
    exec_call_results(&call, 0x2, callee[0], 24, caller[0], 16);
    assert_int_equal(caller[1][0], 99);
    assert_int_equal(caller[2][0], 32);
}

// The value that lane l loads from byte `at` of a buffer in which byte i is i * 7 + i / 256.
static uint64_t value_at(uint64_t at, unsigned bytes)
{
    uint64_t value = 0;
    for (uint64_t i = at + bytes; i-- > at;) value = value << 8 | (uint8_t)(i * 7 + i / 256);
    return value;
}

// All lanes load from evenly spaced addresses, as neighbours, from one place, further apart, with
// descending addresses; then one lane, the first, the last or another, is out of the row. Also with
// some lanes only.
static void test_evenly_spaced(void **state)
{
    (void)state;
    static const int strides[] = {0, 4, 8, 16, 120, -8};
    static const unsigned odd[] = {HD_MAX_LANES, 0, 1, 2, 17, 30, 31}; // HD_MAX_LANES: none
    start();
    GuestMemory memory;
    assert_true(guest_init(&memory, NULL));
    uint64_t array = guest_allocate(&memory, 8192, "a", NULL);
    for (unsigned i = 0; i < 8192; i++)
        *guest_host(&memory, array + i) = (uint8_t)(i * 7 + i / 256);
    lanes.block.shared = guest_host(&memory, array);
    lanes.block.total_shared = 8192;
    for (unsigned s = 0; s < 6; s++)
        for (unsigned o = 0; o < 7; o++)
            for (unsigned kind = 0; kind < 8; kind++) {
                unsigned bytes = kind & 1 ? 8 : 4;
                LaneMask mask = kind & 2 ? 0x7ffffffe : ~(LaneMask)0;
                uint64_t at[HD_MAX_LANES];
                for (unsigned l = 0; l < HD_MAX_LANES; l++)
                    at[l] = (uint64_t)(4096 + (int)l * strides[s]) / bytes * bytes;
                if (odd[o] < HD_MAX_LANES) at[odd[o]] = 64;
                for (unsigned l = 0; l < HD_MAX_LANES; l++) addresses[l] = array + at[l];
                UOp ld = {.code = UOP_LD, .type = bytes == 8 ? PTX_U64 : PTX_U32, .vec = 1,
                          .dst = {8}};
                lanes_fill(&lanes, 8, bytes, 1);
                if (kind & 4)
                    assert_int_equal(
                        exec_private_load(&ld, &lanes.warp, SPACE_SHARED, mask, at), -1);
                else
                    exec_global_load(&ld, &lanes.warp, mask, addresses, &memory, NULL);
                for (unsigned l = 0; l < HD_MAX_LANES; l++)
                    assert_int_equal(lanes_get(&lanes, 8, bytes, l),
                                     mask >> l & 1 ? value_at(at[l], bytes) : 1);
            }
    // The first lane beyond the end, or with a misaligned address, and addresses that wrap.
    UOp ld = {.code = UOP_LD, .type = PTX_U32, .vec = 1, .dst = {8}};
    uint64_t at[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) at[l] = 8192 - 20 * 4 + l * 4;
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_SHARED, ~(LaneMask)0, at), 20);
    for (unsigned l = 0; l < HD_MAX_LANES; l++) at[l] = l * 6;
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_SHARED, ~(LaneMask)0, at), 1);
    // 31 times this is 2^64 + 108.
    for (unsigned l = 0; l < HD_MAX_LANES; l++) at[l] = l * UINT64_C(0x0842108421084214);
    assert_int_equal(exec_private_load(&ld, &lanes.warp, SPACE_SHARED, ~(LaneMask)0, at), 1);
    guest_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),         cmocka_unit_test(test_generic_windows),
        cmocka_unit_test(test_loads_extend),      cmocka_unit_test(test_private_vectors_and_faults),
        cmocka_unit_test(test_global_memory),     cmocka_unit_test(test_atomic_operations),
        cmocka_unit_test(test_shared_atomics),    cmocka_unit_test(test_call_parameters),
        cmocka_unit_test(test_evenly_spaced),
    };
    return cmocka_run_group_tests_name("exec memory", tests, NULL, NULL);
}
