// Launches of `iru` by hand.
#include "rig.h"

EngineRig *iru_rig_new(unsigned slices)
{
    EngineRig *rig = engine_rig_new(&mechanism_iru, slices);
    engine_rig_set(rig, "entry", 4);
    return rig;
}

const char *iru_rig_configure(EngineRig *rig, uint64_t indices, uint64_t secondary, uint32_t count,
                              unsigned filter)
{
    uint64_t values[] = {0, 4, indices, secondary, count, filter};
    return engine_rig_call(rig, "configure", values, 6);
}

void iru_rig_begin(EngineRig *rig, const uint32_t *indices, const uint32_t *secondaries,
                   uint32_t count, unsigned filter, unsigned instruction)
{
    uint64_t at = engine_rig_words(rig, indices, count, 0);
    uint64_t secondary = secondaries ? engine_rig_words(rig, secondaries, count, 0) : 0;
    assert_null(iru_rig_configure(rig, at, secondary, count, filter));
    engine_rig_begin(rig, 1u << instruction, true);
}

void iru_rig_finish(EngineRig *rig)
{
    engine_rig_run(rig, 1000000);
    const char *fault = engine_rig_end(rig, true);
    if (fault) fail_msg("%s", fault);
    engine_rig_free(rig);
}

void iru_rig_has(const EngineRig *rig, uint32_t request, unsigned reg, unsigned count,
                 const uint32_t *values)
{
    const EngineRigRequest *r = &rig->requests[request];
    assert_true(r->answered != UINT64_MAX);
    assert_int_equal(r->reply.predicate, (UINT64_C(1) << count) - 1);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(r->reply.values[reg][lane], lane < count ? values[lane] : 0);
}
