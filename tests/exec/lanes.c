// Running single micro-ops on a warp made for the test.
#include "lanes.h"

#include "base/random.h"

#include <string.h>

enum {
    DESTINATION = 32, // slots; sources start at 0, 4, 8, 12
    TEST_LANE = 5
};

void lanes_init(Lanes *lanes)
{
    memset(lanes, 0, sizeof *lanes);
    lanes->block = (ExecBlock){.grid = {7, 5, 3}, .block = {64, 2, 2}, .index = {6, 4, 2},
                               .sm = 9, .sm_count = 15, .grid_id = 77, .width = 32};
    lanes->warp = (ExecWarp){.base = {lanes->slots, lanes->constants},
                             .predicates = lanes->predicates, .block = &lanes->block,
                             .active = ~(LaneMask)0};
}

uint64_t lanes_get(const Lanes *lanes, unsigned slot, unsigned bytes, unsigned lane)
{
    uint64_t value = 0;
    memcpy(&value, lanes->slots + slot * SLOT_BYTES + lane * bytes, bytes);
    return value;
}

void lanes_set(Lanes *lanes, unsigned slot, unsigned bytes, unsigned lane, uint64_t value)
{
    memcpy(lanes->slots + slot * SLOT_BYTES + lane * bytes, &value, bytes);
}

void lanes_fill(Lanes *lanes, unsigned slot, unsigned bytes, uint64_t value)
{
    for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes_set(lanes, slot, bytes, l, value);
}

void lanes_run(Lanes *lanes, UOp op, ExecIsa isa, LaneMask mask)
{
    if (!exec_select(&op, isa) || !op.run)
        fail_msg("%s.%s does not bind", uop_name(op.code), ptx_type_name(op.type));
    if (mask == lanes_all(HD_MAX_LANES))
        op.run_full(&op, &lanes->warp, mask);
    else
        op.run(&op, &lanes->warp, mask);
}

static void fill_sources(Lanes *lanes, const char *shape, const uint64_t *values)
{
    for (unsigned i = 0; shape[i + 1]; i++) {
        unsigned bytes = (unsigned)shape[i + 1] - '0';
        // Other lanes hold arbitrary values, which must not affect the tested lane.
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            lanes_set(lanes, 4 * i, bytes, l,
                      l == TEST_LANE ? values[i] : random_draw(1, i, l, values[i]));
    }
}

static void set_operands(UOp *op, const char *shape)
{
    op->guard = OPERAND_NONE;
    for (unsigned i = 0; i < 4; i++) op->dst[i] = OPERAND_NONE;
    for (unsigned i = 0; i < 5; i++) op->src[i] = OPERAND_NONE;
    op->dst[0] = DESTINATION;
    for (unsigned i = 0; shape[i + 1]; i++) op->src[i] = (Operand)(4 * i);
}

// Runs with the destination at `slot`; lanes outside the mask must keep their values.
static uint64_t run_once(UOp op, const char *shape, const uint64_t *values, ExecIsa isa,
                         LaneMask mask, unsigned slot)
{
    Lanes lanes, before;
    lanes_init(&lanes);
    lanes_fill(&lanes, DESTINATION, 8, UINT64_C(0xa5a5a5a5deadbeef));
    fill_sources(&lanes, shape, values);
    before = lanes;
    op.dst[0] = (Operand)slot;
    lanes_run(&lanes, op, isa, mask);
    unsigned bytes = (unsigned)shape[0] - '0';
    for (unsigned l = 0; l < HD_MAX_LANES; l++)
        if (!(mask >> l & 1))
            assert_int_equal(lanes_get(&lanes, slot, bytes, l), lanes_get(&before, slot, bytes, l));
    return lanes_get(&lanes, slot, bytes, TEST_LANE);
}

uint64_t lanes_compute(UOp op, const char *shape, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t values[] = {a, b, c, d};
    set_operands(&op, shape);
    uint64_t result = run_once(op, shape, values, EXEC_BASE, ~(LaneMask)0, DESTINATION);
    for (unsigned isa = 0; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available((ExecIsa)isa)) continue;
        LaneMask partial = 0x5a5a5a5a | 1 << TEST_LANE;
        unsigned slots[] = {DESTINATION, 0, 4}; // the latter two: only in a, only in b
        for (unsigned i = 0; i < TEST_SIZE(slots); i++) {
            assert_int_equal(run_once(op, shape, values, isa, ~(LaneMask)0, slots[i]), result);
            assert_int_equal(run_once(op, shape, values, isa, partial, slots[i]), result);
        }
        assert_int_equal(run_once(op, shape, values, isa, 1 << TEST_LANE, DESTINATION), result);
    }
    return result;
}
