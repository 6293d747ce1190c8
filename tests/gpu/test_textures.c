// Texture fetches on the whole GPU: values, the cache that they go through with its exact hits and
// misses, latencies, arrays' statistics, launches without time, and faults.
#include "support/bench.h"

#include "gpu/textures.h"

// out[thread] = fetch(texture, a * thread + b), a 1D fetch by whole numbers.
static const char linear[] =
    PTX_HEAD ".visible .entry fetch(.param .u64 out, .param .u64 tex, .param .u32 a,"
             " .param .u32 b)\n{\n"
             ".reg .b32 %r<9>; .reg .f32 %f<5>; .reg .b64 %rd<5>;\n"
             "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [tex];\nld.param.u32 %r2, [a];\n"
             "ld.param.u32 %r3, [b];\nmov.u32 %r1, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
             "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r4}];\n"
             "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd4, %rd1, %rd3;\n"
             "st.global.f32 [%rd4], %f1;\nret;\n}\n";

static const char *const readonly[] = {"gpu.sms=1", "frontend.perfect=true",
                                       "memory.texture_path=readonly", NULL};
static const char *const unified[] = {"gpu.sms=1", "frontend.perfect=true",
                                      "memory.texture_path=l1d", NULL};

enum { FLOATS = 1024 };

static uint64_t new_floats(Bench *b)
{
    float values[FLOATS];
    for (unsigned i = 0; i < FLOATS; i++) values[i] = (float)i + 0.5f;
    return bench_array(b, "texels", values, sizeof values);
}

static uint64_t new_texture(Bench *b, const GpuTexture *texture)
{
    uint64_t handle = 0;
    if (!gpu_texture_create(b->gpu, texture, &handle, &b->err)) fail_msg("%s", b->err.text);
    return handle;
}

static GpuTexture floats_at(uint64_t address, uint32_t width)
{
    return (GpuTexture){.address = address, .kind = TEXTURE_LINEAR, .width = width,
                        .bits = {32}, .channel = CHANNEL_FLOAT};
}

static float float_at(Bench *b, uint64_t array, size_t i)
{
    float value;
    bench_read(b, &value, array + 4 * i, 4);
    return value;
}

// 32 lanes, 4 bytes each, 128 bytes: one line; a second launch's lane 3 on finds the end of the
// texture, behind which is 0.
static void test_linear(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", readonly, NULL, linear);
    GpuTexture t = floats_at(new_floats(b), FLOATS);
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    const LaunchRecord *r =
        bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, 0}});
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == (float)i + 0.5f);
    assert_int_equal(r->sm.sm.texture_fetches, 1);
    assert_int_equal(r->sm.sm.memory_requests, 2); // and the store
    assert_int_equal(r->sm.l1r.accesses, 1);
    assert_int_equal(r->sm.l1r.misses, 1);
    bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, FLOATS - 3}});
    for (unsigned i = 0; i < 32; i++)
        assert_true(float_at(b, out, i) == (i < 3 ? FLOATS - 3 + (float)i + 0.5f : 0));
    bench_free(b);
}

// The same through the L1D, by sectors: four of them.
static void test_unified(void **state)
{
    (void)state;
    Bench *b = bench_new("volta-v100", unified, NULL, linear);
    GpuTexture t = floats_at(new_floats(b), FLOATS);
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    const LaunchRecord *r =
        bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, 0}});
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == (float)i + 0.5f);
    assert_int_equal(r->sm.l1r.accesses, 0);
    assert_int_equal(r->sm.l1d.load_accesses, 4);
    assert_int_equal(r->sm.l1d.load_misses, 4);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_unified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
