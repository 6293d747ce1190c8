// Rounds of functional launches: the stores and atomics of three SMs, applied at the round's end in
// the order (SM, sequence).
#include "lanes.h"

#include "base/memory.h"
#include "exec/round_log.h"
#include "exec/store_log.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESSES = 0, VALUES = 8, WIDE = 16, COMPARE = 24, RESULTS = 32 }; // slots of registers
enum { BYTES = 64 << 10 };

typedef struct Fixture {
    GuestMemory memory;
    uint64_t array;
    StoreLog *logs[3];
    Lanes lanes;
    bool by_shares; // rounds end share by share
} Fixture;

static Fixture *fixture_new(void **state)
{
    Fixture *f = hd_new_aligned(1, sizeof *f, 64);
    assert_non_null(f);
    f->by_shares = *state != NULL;
    assert_true(guest_init(&f->memory, NULL));
    f->array = guest_allocate(&f->memory, BYTES, "a", NULL);
    for (unsigned i = 0; i < 3; i++) {
        assert_non_null(f->logs[i] = store_log_new(NULL));
        assert_true(round_log_prepare(f->logs[i]));
    }
    lanes_init(&f->lanes);
    return f;
}

static void fixture_free(Fixture *f)
{
    for (unsigned i = 0; i < 3; i++) store_log_free(f->logs[i]);
    guest_free(&f->memory);
    free(f);
}

static UOp store_op(PtxType type)
{
    return (UOp){.code = UOP_ST, .type = (uint8_t)type, .vec = 1, .space = SPACE_GLOBAL,
                 .src = {ADDRESSES, ptx_type_bytes(type) == 8 ? WIDE : VALUES}};
}

static UOp atomic_op(UopCode code, AtomOp operation)
{
    return (UOp){.code = (uint8_t)code, .type = PTX_U32, .vec = 1, .space = SPACE_GLOBAL,
                 .modifier = (uint8_t)operation, .dst = {RESULTS},
                 .src = {ADDRESSES, VALUES, COMPARE}};
}

// Lane 9 of SM `sm` stores a value.
static void store(Fixture *f, unsigned sm, uint64_t offset, PtxType type, uint64_t value)
{
    UOp op = store_op(type);
    uint64_t addresses[HD_MAX_LANES] = {[9] = f->array + offset};
    bool wide = ptx_type_bytes(type) == 8;
    lanes_set(&f->lanes, wide ? WIDE : VALUES, wide ? 8 : 4, 9, value);
    assert_true(round_log_store(f->logs[sm], &op, &f->lanes.warp, 1 << 9, addresses, 0));
}

// These lanes of SM `sm` add 1 to a word, 2 to the next one if `apart`, and so on.
static void add(Fixture *f, unsigned sm, UopCode code, uint64_t offset, LaneMask lanes, bool apart)
{
    UOp op = atomic_op(code, ATOM_ADD);
    uint64_t addresses[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = f->array + offset + (apart ? 4 * l : 0);
        lanes_set(&f->lanes, VALUES, 4, l, apart ? l + 1 : 1);
    }
    assert_true(round_log_atomic(f->logs[sm], &op, &f->lanes.warp, lanes, addresses, 0));
}

static uint64_t in_memory(const Fixture *f, uint64_t offset, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, guest_host(&f->memory, f->array + offset), bytes);
    return value;
}

static uint64_t seen(const Fixture *f, unsigned sm, uint64_t offset, unsigned bytes)
{
    return store_log_read(f->logs[sm], &f->memory, f->array + offset, bytes);
}

// Applies the logs: all at once, or the shares in descending order, which does not matter. Returns
// the changes of SM 0.
static uint64_t end_round(Fixture *f)
{
    if (!f->by_shares) round_commit(&f->memory, f->logs, 3);
    for (unsigned share = ROUND_SHARES; f->by_shares && share-- > 0;)
        round_commit_share(&f->memory, f->logs, 3, share);
    uint64_t changes = round_log_clear(f->logs[0]);
    round_log_clear(f->logs[1]);
    round_log_clear(f->logs[2]);
    return changes;
}

static void test_own_stores_are_seen(void **state)
{
    Fixture *f = fixture_new(state);
    assert_true(round_log_unwritten(f->logs[0], 0));
    store(f, 0, 8, PTX_U64, UINT64_C(0x1122334455667788));
    store(f, 0, 10, PTX_U16, 0xffabcd); // the upper bits are of no element
    store(f, 0, 15, PTX_U8, 0xee);
    assert_false(round_log_unwritten(f->logs[0], 0));
    assert_false(round_log_unwritten(f->logs[0], 64)); // 64 numbers are distinguished
    assert_true(round_log_unwritten(f->logs[0], 1));
    assert_false(round_log_unwritten(f->logs[0], GUEST_NO_ALLOCATION));
    assert_int_equal(seen(f, 0, 8, 8), UINT64_C(0xee223344abcd7788));
    assert_int_equal(seen(f, 1, 8, 8), 0);
    assert_int_equal(in_memory(f, 8, 8), 0);
    assert_int_equal(end_round(f), 0);
    assert_int_equal(in_memory(f, 8, 8), UINT64_C(0xee223344abcd7788));
    assert_true(store_log_empty(f->logs[0]));
    assert_true(round_log_unwritten(f->logs[0], 0));
    // The next round begins with memory alone.
    *guest_host(&f->memory, f->array + 8) = 1;
    assert_int_equal(seen(f, 0, 8, 1), 1);
    fixture_free(f);
}

// By hand: SM 0 comes before SM 1, and that before SM 2, whatever was logged first.
static void test_order(void **state)
{
    Fixture *f = fixture_new(state);
    store(f, 2, 0, PTX_U32, 20);
    store(f, 0, 0, PTX_U32, 5);
    store(f, 1, 0, PTX_U32, 10);
    store(f, 1, 0, PTX_U32, 11);
    // Word 4: SM 0 adds 1 three times (0, 1, 2), SM 1 stores 100, SM 2 adds 1 twice (100, 101).
    add(f, 2, UOP_ATOM, 4, 0x80000001, false);
    uint64_t high[2] = {lanes_get(&f->lanes, RESULTS, 4, 0), lanes_get(&f->lanes, RESULTS, 4, 31)};
    assert_int_equal(high[0] + high[1], 0); // not known yet
    store(f, 1, 4, PTX_U32, 100);
    add(f, 0, UOP_ATOM, 4, 0x00000e00, false);
    assert_int_equal(round_log_lanes(f->logs[0]), 4);
    assert_int_equal(end_round(f), 3);
    assert_int_equal(in_memory(f, 0, 4), 20);
    assert_int_equal(in_memory(f, 4, 4), 102);
    static const unsigned lanes[] = {9, 10, 11, 0, 31}, old[] = {0, 1, 2, 100, 101};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(lanes_get(&f->lanes, RESULTS, 4, lanes[i]), old[i]);
    fixture_free(f);
}

// A store behind a reduction of the same SM, and one in front of it.
static void test_sequence(void **state)
{
    Fixture *f = fixture_new(state);
    add(f, 0, UOP_RED, 0, 1, false);
    store(f, 0, 0, PTX_U32, 7);
    store(f, 0, 8, PTX_U32, 7);
    add(f, 0, UOP_RED, 8, 3, false);
    end_round(f);
    assert_int_equal(in_memory(f, 0, 4), 7);
    assert_int_equal(in_memory(f, 8, 4), 9);
    assert_int_equal(lanes_get(&f->lanes, RESULTS, 4, 0), 0); // RED has no result
    fixture_free(f);
}

// Compare-and-swap: the first lane in order wins; an old value of 8 bytes keeps its upper half.
static void test_results(void **state)
{
    Fixture *f = fixture_new(state);
    UOp op = atomic_op(UOP_ATOM, ATOM_CAS);
    uint64_t addresses[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = f->array + 4;
        lanes_set(&f->lanes, VALUES, 4, l, 0);        // expected
        lanes_set(&f->lanes, COMPARE, 4, l, 40 + l);  // new
    }
    for (unsigned sm = 3; sm-- > 0;) {
        LaneMask lane = (LaneMask)1 << (8 + sm);
        assert_true(round_log_atomic(f->logs[sm], &op, &f->lanes.warp, lane, addresses, 0));
    }
    assert_int_equal(end_round(f), 1); // SM 0's lane has changed memory
    assert_int_equal(in_memory(f, 4, 4), 48);
    assert_int_equal(lanes_get(&f->lanes, RESULTS, 4, 8), 0);
    assert_int_equal(lanes_get(&f->lanes, RESULTS, 4, 9), 48);
    assert_int_equal(lanes_get(&f->lanes, RESULTS, 4, 10), 48);

    store(f, 0, 16, PTX_U64, UINT64_C(0x123456789));
    UOp wide = op;
    wide.type = PTX_U64;
    wide.modifier = ATOM_EXCH;
    wide.src[1] = WIDE;
    lanes_set(&f->lanes, WIDE, 8, 2, 6);
    addresses[2] = f->array + 16;
    assert_true(round_log_atomic(f->logs[0], &wide, &f->lanes.warp, 1 << 2, addresses, 0));
    end_round(f);
    assert_int_equal(lanes_get(&f->lanes, RESULTS, 8, 2), UINT64_C(0x123456789));
    assert_int_equal(in_memory(f, 16, 8), 6);
    fixture_free(f);
}

// A load waits for reductions of its sectors, but not for atomics whose warp waits itself.
static void test_reductions_hold_loads(void **state)
{
    Fixture *f = fixture_new(state);
    uint64_t addresses[HD_MAX_LANES] = {f->array + 64, f->array + 32};
    add(f, 0, UOP_ATOM, 32, 1, false);
    assert_false(round_log_reduces(f->logs[0], 3, addresses, 0));
    add(f, 0, UOP_RED, 60, 1, false); // the sector of bytes 32 to 63
    assert_true(round_log_reduces(f->logs[0], 3, addresses, 0));
    assert_true(round_log_reduces(f->logs[0], 2, addresses, GUEST_NO_ALLOCATION));
    assert_false(round_log_reduces(f->logs[0], 1, addresses, 0));
    assert_false(round_log_reduces(f->logs[0], 2, addresses, 5)); // of another allocation
    assert_false(round_log_reduces(f->logs[1], 2, addresses, 0));
    end_round(f);
    assert_false(round_log_reduces(f->logs[0], 3, addresses, 0));
    fixture_free(f);
}

// All lanes store to neighbouring words, over the end of a share and not from the start of a
// sector; then a lane stores into the middle.
static void test_neighbouring_lanes(void **state)
{
    static const uint64_t starts[] = {0, 4, 1024 - 60, 4096 - 128 + 8};
    Fixture *f = fixture_new(state);
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned s = 0; s < 4; s++) {
            PtxType type = wide ? PTX_U64 : PTX_U32;
            unsigned bytes = wide ? 8 : 4;
            uint64_t start = wide ? starts[s] / 8 * 8 : starts[s], addresses[HD_MAX_LANES];
            UOp op = store_op(type);
            for (unsigned l = 0; l < HD_MAX_LANES; l++) {
                addresses[l] = f->array + start + l * bytes;
                lanes_set(&f->lanes, wide ? WIDE : VALUES, bytes, l, 1000 * (s + 1) + l);
            }
            memset(guest_host(&f->memory, f->array), 0x55, BYTES);
            assert_true(round_log_store(f->logs[1], &op, &f->lanes.warp, ~(LaneMask)0, addresses,
                                        0));
            store(f, 1, start + 5 * bytes, PTX_U16, 0xbeef);
            for (unsigned k = 0; k < 2; k++) { // through the log, then from memory
                for (unsigned l = 0; l < HD_MAX_LANES; l++)
                    assert_int_equal(seen(f, 1, start + l * bytes, bytes),
                                     l == 5 ? 0xbeef : 1000 * (s + 1) + l);
                if (start) assert_int_equal(seen(f, 1, start - 1, 1), 0x55);
                assert_int_equal(seen(f, 1, start + HD_MAX_LANES * bytes, 1), 0x55);
                if (!k) assert_int_equal(in_memory(f, start + bytes, 1), 0x55);
                if (!k) end_round(f);
            }
        }
    fixture_free(f);
}

// Elements of vectors, and lanes that store to one address: the highest wins.
static void test_vectors(void **state)
{
    Fixture *f = fixture_new(state);
    UOp op = store_op(PTX_U32);
    op.vec = 2;
    op.src[2] = COMPARE;
    uint64_t addresses[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        addresses[l] = f->array + l / 2 * 8;
        lanes_set(&f->lanes, VALUES, 4, l, l);
        lanes_set(&f->lanes, COMPARE, 4, l, 100 + l);
    }
    assert_true(round_log_store(f->logs[0], &op, &f->lanes.warp, ~(LaneMask)0, addresses, 0));
    end_round(f);
    for (unsigned i = 0; i < HD_MAX_LANES / 2; i++) {
        assert_int_equal(in_memory(f, 8 * i, 4), 2 * i + 1);
        assert_int_equal(in_memory(f, 8 * i + 4, 4), 101 + 2 * i);
    }
    fixture_free(f);
}

// A table is lent to an SM that runs, and is empty for the next one. The log waits for the end of
// the round. The index that the log has of its own, for timed launches, comes back.
static void test_lent_tables(void **state)
{
    Fixture *f = fixture_new(state);
    RoundTables *tables = round_tables_new(1);
    assert_non_null(tables);
    store(f, 0, 0, PTX_U32, 1);
    end_round(f);
    *guest_host(&f->memory, f->array) = 0;
    const StoredSector *own = f->logs[0]->table.sectors;
    round_log_lend(f->logs[0], tables);
    assert_ptr_not_equal(f->logs[0]->table.sectors, own);
    for (unsigned i = 0; i < 100; i++) store(f, 0, 32 * i, PTX_U32, 0x70007); // over 64
    assert_int_equal(seen(f, 0, 0, 4), 0x70007);
    const StoredSector *lent = f->logs[0]->table.sectors;
    round_log_return(f->logs[0], tables);
    assert_ptr_equal(f->logs[0]->table.sectors, own);
    assert_int_equal(seen(f, 0, 0, 4), 0);
    assert_false(store_log_empty(f->logs[0]));
    assert_int_equal(round_log_lanes(f->logs[0]), 100);

    round_log_lend(f->logs[1], tables);
    assert_ptr_equal(f->logs[1]->table.sectors, lent);
    assert_int_equal(seen(f, 1, 0, 4), 0);
    store(f, 1, 0, PTX_U16, 9);
    assert_int_equal(seen(f, 1, 0, 4), 9);
    round_log_return(f->logs[1], tables);
    end_round(f);
    assert_int_equal(in_memory(f, 0, 4), 0x70009);
    assert_int_equal(in_memory(f, 32 * 99, 4), 0x70007);
    assert_true(store_log_empty(f->logs[0]));
    store_log_free(f->logs[1]); // its own table is its own again
    assert_non_null(f->logs[1] = store_log_new(NULL));
    round_tables_free(tables);
    fixture_free(f);
}

#define BOTH_WAYS(test) cmocka_unit_test(test), cmocka_unit_test_prestate(test, &shares)

int main(void)
{
    static bool shares; // its address: Fixture.by_shares
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(test_own_stores_are_seen),
        BOTH_WAYS(test_order),
        BOTH_WAYS(test_sequence),
        BOTH_WAYS(test_results),
        BOTH_WAYS(test_reductions_hold_loads),
        BOTH_WAYS(test_neighbouring_lanes),
        BOTH_WAYS(test_vectors),
        BOTH_WAYS(test_lent_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
