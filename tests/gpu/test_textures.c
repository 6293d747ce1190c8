// Texture fetches on the whole GPU: values, the cache that they use with its exact hits and misses,
// latencies, counters by allocation, functional launches, and faults.
#include "compare.h"

#include "gpu/texture_handles.h"

// out[thread] = fetch(texture, a * thread + b), a 1D fetch by integer coordinates.
static const char linear[] =
    PTX_HEAD
    ".visible .entry fetch(.param .u64 out, .param .u64 tex, .param .u32 a, .param .u32 b)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .f32 %f<5>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u64 %rd2, [tex];\n"
    "    ld.param.u32 %r2, [a];\n"
    "    ld.param.u32 %r3, [b];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    "    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r4}];\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    st.global.f32 [%rd4], %f1;\n"
    "    ret;\n"
    "}\n";

// out[thread] = fetch(texture, thread + x, y), a 2D fetch between texels; done twice.
static const char plane[] =
    PTX_HEAD
    ".visible .entry fetch(.param .u64 out, .param .u64 tex, .param .f32 x, .param .f32 y)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .f32 %f<9>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u64 %rd2, [tex];\n"
    "    ld.param.f32 %f5, [x];\n"
    "    ld.param.f32 %f6, [y];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    cvt.rn.f32.u32 %f7, %r1;\n"
    "    add.f32 %f5, %f5, %f7;\n"
    "    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    st.global.f32 [%rd4], %f1;\n"
    "    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];\n"
    "    add.f32 %f1, %f1, %f1;\n"
    "    st.global.f32 [%rd4], %f1;\n"
    "    ret;\n"
    "}\n";

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

static uint64_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// ---- accesses ----

// 32 lanes of 4 bytes access one line of 128 bytes. Texels after the end of the texture read as 0.
static void test_readonly(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", readonly, NULL, linear);
    uint64_t texels = new_floats(b);
    GpuTexture t = floats_at(texels, FLOATS);
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, 0}});
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == (float)i + 0.5f);
    assert_int_equal(r->sm.sm.texture_fetches, 1);
    assert_int_equal(r->sm.sm.global_loads, 0);
    assert_int_equal(r->sm.sm.memory_instructions, 2); // and the store
    assert_int_equal(r->sm.sm.memory_requests, 2);
    assert_int_equal(r->sm.l1r.accesses, 1);
    assert_int_equal(r->sm.l1r.misses, 1);
    assert_int_equal(r->sm.l1d.load_accesses, 0);
    assert_int_equal(r->sm.by_class[CLASS_TEXTURE], 1);
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned array = guest_find(gpu_memory(b->gpu), texels, 4, &hint);
    assert_int_equal(r->l2_allocations[array].accesses, 4); // the line's sectors
    // One line for each lane.
    r = bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 32, 0}});
    assert_true(float_at(b, out, 31) == 31 * 32 + 0.5f);
    assert_int_equal(r->sm.l1r.accesses, 32);
    assert_int_equal(r->sm.l1r.misses, 32);
    // Three lanes are inside.
    r = bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, FLOATS - 3}});
    for (unsigned i = 0; i < 32; i++)
        assert_true(float_at(b, out, i) == (i < 3 ? FLOATS - 3 + (float)i + 0.5f : 0));
    assert_int_equal(r->sm.l1r.accesses, 1);
    // No lane is inside: no request is made.
    r = bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, FLOATS}});
    assert_true(float_at(b, out, 0) == 0);
    assert_int_equal(r->sm.l1r.accesses, 0);
    assert_int_equal(r->sm.sm.texture_fetches, 1);
    assert_int_equal(r->sm.sm.memory_requests, 1);
    bench_free(b);
}

// With a unified L1D, fetches access it by sectors: four of them, counted by allocation and
// instruction.
static void test_unified(void **state)
{
    (void)state;
    Bench *b = bench_new("volta-v100", unified, NULL, linear);
    uint64_t texels = new_floats(b);
    GpuTexture t = floats_at(texels, FLOATS);
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, 0}});
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == (float)i + 0.5f);
    assert_int_equal(r->sm.l1r.accesses, 0);
    assert_int_equal(r->sm.l1d.load_accesses, 4);
    assert_int_equal(r->sm.l1d.load_misses, 4);
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned array = guest_find(gpu_memory(b->gpu), texels, 4, &hint);
    assert_int_equal(r->sm.l1d_allocations[array].accesses, 4);
    assert_int_equal(r->l2_allocations[array].accesses, 4);
    assert_int_equal(bench_at(b, r, "tex.1d").l1_misses, 4);
    assert_int_equal(bench_at(b, r, "tex.1d").requests, 4);
    bench_free(b);
}

// With the texture cache off, fetches go to the L2.
static void test_no_cache(void **state)
{
    (void)state;
    static const char *const off[][4] = {
        {"gpu.sms=1", "memory.texture_path=readonly", "l1r.mode=off", NULL},
        {"gpu.sms=1", "memory.texture_path=l1d", "l1d.mode=off", NULL}};
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new("fermi-gtx480", off[i], NULL, linear);
        GpuTexture t = floats_at(new_floats(b), FLOATS);
        uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 2, 0}});
        assert_true(float_at(b, out, 31) == 62.5f);
        assert_int_equal(r->sm.l1r.accesses + r->sm.l1d.load_accesses, 0);
        assert_int_equal(bench_at(b, r, "tex.1d").requests, 8); // sectors
        bench_free(b);
    }
}

static GpuTexture filtered(uint64_t address)
{
    return (GpuTexture){.address = address, .kind = TEXTURE_PITCH2D, .width = 64, .height = 16,
                        .pitch = 256, .bits = {32}, .channel = CHANNEL_FLOAT,
                        .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}, .linear = true};
}

// At (lane + 1, 1) a linear filter weights texels (lane, 0), (lane + 1, 0), (lane, 1) and (lane +
// 1, 1) equally: i + 0.5, i + 1.5, i + 64.5, i + 65.5. Each row needs 33 texels, 132 bytes: two
// lines, or five sectors. The second fetch hits them.
static void test_filter(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", readonly, NULL, plane);
    GpuTexture t = filtered(new_floats(b));
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    BenchLaunch launch = {"fetch", .block = {32}, .args = {out, handle, bits_of(1), bits_of(1)}};
    const LaunchResult *r = bench_run(b, &launch);
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == 2 * ((float)i + 33));
    assert_int_equal(r->sm.l1r.accesses, 8);
    assert_int_equal(r->sm.l1r.misses, 4);
    assert_int_equal(r->sm.l1r.hits, 4);
    bench_free(b);
    b = bench_new("volta-v100", unified, NULL, plane);
    t = filtered(new_floats(b));
    launch.args[0] = out = bench_array(b, "out", NULL, 128);
    launch.args[1] = new_texture(b, &t);
    r = bench_run(b, &launch);
    for (unsigned i = 0; i < 32; i++) assert_true(float_at(b, out, i) == 2 * ((float)i + 33));
    assert_int_equal(r->sm.l1d.load_accesses, 20);
    assert_int_equal(r->sm.l1d.load_misses, 10);
    assert_int_equal(r->sm.l1d.load_hits, 10);
    // In the middle of a texel no other is needed: 32 texels of one row.
    launch.args[2] = launch.args[3] = bits_of(0.5f);
    r = bench_run(b, &launch);
    assert_true(float_at(b, out, 31) == 2 * 31.5f);
    assert_int_equal(r->sm.l1d.load_accesses, 8);
    bench_free(b);
}

// out[thread] = fetch(texture, 32, 2 thread + 1, 1), between eight texels.
static const char volume[] =
    PTX_HEAD
    ".visible .entry fetch(.param .u64 out, .param .u64 tex)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .f32 %f<9>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u64 %rd2, [tex];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mad.lo.s32 %r2, %r1, 2, 1;\n"
    "    cvt.rn.f32.u32 %f6, %r2;\n"
    "    tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {0f42000000, %f6, 0f3F800000, %f6}];\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    st.global.f32 [%rd4], %f1;\n"
    "    ret;\n"
    "}\n";

// The most accesses of one fetch: 64 rows in each of two slices, and in each row texels 31 and 32,
// which are in two lines. Texel (x, y, z) is x + 64 y + 4096 z.
static void test_most_accesses(void **state)
{
    (void)state;
    enum { WIDE = 64, TEXELS = WIDE * WIDE * 2 };
    static float values[TEXELS];
    for (unsigned i = 0; i < TEXELS; i++) values[i] = (float)i;
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new(i ? "volta-v100" : "fermi-gtx480", i ? unified : readonly, NULL,
                             volume);
        GpuTexture t = {.address = bench_array(b, "texels", values, sizeof values),
                        .kind = TEXTURE_3D, .width = WIDE, .height = WIDE, .depth = 2,
                        .bits = {32}, .channel = CHANNEL_FLOAT, .linear = true,
                        .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP}};
        uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle}});
        for (unsigned l = 0; l < 32; l++)
            assert_true(float_at(b, out, l) == 31.5f + WIDE * (2 * (float)l + 0.5f) + 2048);
        assert_int_equal(i ? r->sm.l1d.load_accesses : r->sm.l1r.accesses, 256);
        assert_int_equal(bench_at(b, r, "tex.3d").requests, 256);
        bench_free(b);
    }
}

// ---- time ----

// From issue to the data of a hit: collector, reads, dispatch, the units' stage, the cache.
static void test_latency(void **state)
{
    (void)state;
    static const char *const settings[2][6] = {
        {"gpu.sms=1", "frontend.perfect=true", "memory.texture_path=readonly", "l1r.latency=20",
         "latency.texture=7", NULL},
        {"gpu.sms=1", "frontend.perfect=true", "memory.texture_path=l1d", "l1d.latency=20",
         "latency.texture=7", NULL}};
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new("fermi-gtx480", settings[i], NULL, plane);
        const OperandConfig *o = &b->machine->operand;
        GpuTexture t = filtered(new_floats(b));
        uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
        const LaunchResult *r = bench_run(
            b, &(BenchLaunch){"fetch", .args = {out, handle, bits_of(0.5f), bits_of(0.5f)}});
        assert_int_equal(r->sm.sm.loads_l1, 1);
        // Three registers: the handle's bank is not that of another operand (3 of 16).
        assert_int_equal(r->sm.sm.latency_l1, o->stages + 1 + o->dispatch + (7 - 1) + 20);
        bench_free(b);
    }
}

// Fetches of 32 warps, each 64 times, all of the same line: the units take 8 (or 2) cycles each,
// and the time before them and to the first data is the same.
static void test_throughput(void **state)
{
    (void)state;
    enum { FETCHES = 64, WARPS = 32 };
    static const char *const rates[] = {"initiation.texture=8", "initiation.texture=2"};
    char *many = bench_repeat("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1}];\n", FETCHES);
    static char ptx[8192];
    snprintf(ptx, sizeof ptx,
        PTX_HEAD
        ".visible .entry fetch(.param .u64 tex)\n"
        "{\n"
        "    .reg .b32 %%r<9>;\n"
        "    .reg .f32 %%f<5>;\n"
        "    .reg .b64 %%rd<5>;\n"
        "    ld.param.u64 %%rd2, [tex];\n"
        "    mov.u32 %%r1, %%laneid;\n"
        "%s"
        "    ret;\n"
        "}\n", many);
    free(many);
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true",
                                        "l1r.mshr_merges=64", rates[i], NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
        GpuTexture t = floats_at(new_floats(b), FLOATS);
        uint64_t handle = new_texture(b, &t);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"fetch", .block = {32 * WARPS}, .args = {handle}});
        assert_int_equal(r->sm.sm.texture_fetches, FETCHES * WARPS);
        cycles[i] = r->cycles;
        bench_free(b);
    }
    assert_true(cycles[0] > FETCHES * WARPS * 8);
    assert_in_range(cycles[0] - cycles[1], FETCHES * WARPS * 6 - 100, FETCHES * WARPS * 6 + 100);
}

// ---- functional launches, and runs with several host threads ----

static Bench *run_plane(const char *machine, const GpuOptions *options)
{
    static const char *const four[] = {"gpu.sms=4", NULL};
    Bench *b = bench_new(machine, four, options, plane);
    GpuTexture t = filtered(new_floats(b));
    uint64_t out = bench_array(b, "out", NULL, 4 * 64), handle = new_texture(b, &t);
    bench_run(b, &(BenchLaunch){"fetch", .grid = {8}, .block = {64},
                                .args = {out, handle, bits_of(0.75f), bits_of(1.25f)}});
    for (unsigned i = 0; i < 63; i++) // 0.25 to the right, 0.75 down
        assert_true(float_at(b, out, i) == 2 * ((float)i + 0.5f + 0.25f + 48));
    assert_true(float_at(b, out, 63) == 2 * (63.5f + 48));
    return b;
}

static void test_sameness(void **state)
{
    (void)state;
    static const char *const machines[] = {"kepler-k40c", "hopper-h200"};
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = run_plane(machines[i], NULL);
        Bench *every = run_plane(machines[i], &(GpuOptions){.no_skip = true, .shuffle = 3});
        Bench *threads = run_plane(machines[i], &(GpuOptions){.threads = 3});
        Bench *functional = run_plane(machines[i], &(GpuOptions){.functional = true});
        compare_records(b, every);
        compare_records(b, threads);
        assert_int_equal(gpu_functional(functional->gpu)->sm.sm.warp_instructions,
                         gpu_total(b->gpu)->sm.sm.warp_instructions);
        bench_free(b);
        bench_free(every);
        bench_free(threads);
        bench_free(functional);
    }
}

// A functional launch leaves its lines in the caches. If the L1s are not invalidated, the next
// launch hits them.
static void test_warm(void **state)
{
    (void)state;
    static const char *const kept[] = {"gpu.sms=1", "memory.invalidate_l1=false", NULL};
    static const char *const machines[] = {"fermi-gtx480", "volta-v100"};
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new(machines[i], kept, &(GpuOptions){.detail_first = 2}, linear);
        GpuTexture t = floats_at(new_floats(b), FLOATS);
        uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
        BenchLaunch launch = {"fetch", .block = {32}, .args = {out, handle, 1, 0}};
        bench_run(b, &launch);
        const LaunchResult *r = bench_run(b, &launch);
        assert_int_equal(i ? r->sm.l1d.load_hits : r->sm.l1r.hits, i ? 4 : 1);
        assert_int_equal(r->sm.l1d.load_misses + r->sm.l1r.misses, 0);
        bench_free(b);
    }
}

// ---- traces ----

static void test_trace(void **state)
{
    (void)state;
    static BenchText text;
    Bench *b = bench_new("fermi-gtx480", readonly, NULL, linear);
    GpuTexture t = floats_at(new_floats(b), FLOATS);
    uint64_t out = bench_array(b, "out", NULL, 128), handle = new_texture(b, &t);
    GpuTrace trace = {.launch = 1, .to = UINT64_MAX, .put = bench_put, .context = &text};
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    bench_run(b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, FLOATS - 30}});
    static const char *const words[] = {
        "            texture, 30 texels of 4 bytes: 0x100000f88 texels[994], 0x100000f8c "
        "texels[995],"
        " 0x100000f90 texels[996], 0x100000f94 texels[997] ..\n"
        "            access 1 of 1: line 0x100000f80, lanes 3fffffff\n"
        "            writes  %f1 = 994.5 995.5 996.5 997.5 ..; %f2 = 0 (all)",
        "access 1: L1R miss\n", "an access is answered by DRAM; the last"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        assert_contains(text.all, words[i]);
    bench_free(b);
}

// ---- references and faults ----

static const char reference[] =
    PTX_HEAD
    ".global .texref image;\n"
    ".visible .entry fetch(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .f32 %f<5>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    st.global.f32 [%rd4], %f1;\n"
    "    ret;\n"
    "}\n";

static void test_reference(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, reference);
    uint64_t texels = new_floats(b), out = bench_array(b, "out", NULL, 128), handle, none;
    GpuTexture t = floats_at(texels, FLOATS);
    assert_true(gpu_texture_reference(b->gpu, b->module, "image", &handle, &b->err));
    assert_false(gpu_texture_reference(b->gpu, b->module, "imag", &none, &b->err));
    BenchLaunch launch = {"fetch", .block = {32}, .args = {out}};
    for (unsigned i = 0; i < 2; i++) { // bound again between launches
        t.address = texels + 64 * i;
        assert_true(gpu_texture_bind(b->gpu, handle, &t, &b->err));
        bench_run(b, &launch);
        assert_true(float_at(b, out, 5) == 5.5f + 16 * (float)i);
    }
    assert_true(gpu_texture_bind(b->gpu, handle, NULL, &b->err));
    assert_contains(bench_fail(b, &launch), "'image' is not bound");
    assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_ADDRESS);
    bench_free(b);
}

static void test_faults(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        Bench *b = bench_new("fermi-gtx480", NULL, NULL, linear);
        uint64_t out = bench_array(b, "out", NULL, 128), texels = new_floats(b);
        GpuTexture t = floats_at(texels, i == 2 ? FLOATS + 4 : FLOATS);
        uint64_t handle = new_texture(b, &t);
        if (i == 0) assert_true(gpu_texture_destroy(b->gpu, handle, &b->err));
        if (i == 0) assert_false(gpu_texture_destroy(b->gpu, handle, &b->err));
        if (i == 1) assert_true(gpu_release(b->gpu, texels, &b->err));
        const char *text = bench_fail(
            b, &(BenchLaunch){"fetch", .block = {32}, .args = {out, handle, 1, FLOATS - 29}});
        static const char *const words[] = {"thread (0,0,0): handle 0x1: expected a texture",
                                            "thread (0,0,0): access of 4 bytes",
                                            "thread (29,0,0): access of 4 bytes"};
        assert_contains(text, words[i]);
        assert_contains(text, "tex.1d.v4.f32.s32");
        assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_ADDRESS);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readonly),   cmocka_unit_test(test_unified),
        cmocka_unit_test(test_no_cache),   cmocka_unit_test(test_filter),
        cmocka_unit_test(test_most_accesses),
        cmocka_unit_test(test_latency),    cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_sameness),   cmocka_unit_test(test_warm),
        cmocka_unit_test(test_reference),  cmocka_unit_test(test_faults),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
