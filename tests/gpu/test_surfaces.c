// Surface accesses on the whole GPU: values, the caches that they use, coordinates outside the
// surface, reductions, functional launches, and faults.
#include "compare.h"

#include "gpu/texture_handles.h"

// Thread t reads at byte 4 t + a of a row and stores it; with .clamp, .zero or .trap.
#define LOAD(name, mode)                                                                           \
    ".visible .entry " name "(.param .u64 out, .param .u64 s, .param .u32 a)\n"                    \
    "{\n"                                                                                          \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<5>;\n"                                                                      \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    ld.param.u64 %rd2, [s];\n"                                                                \
    "    ld.param.u32 %r2, [a];\n"                                                                 \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mad.lo.s32 %r3, %r1, 4, %r2;\n"                                                           \
    "    mov.u32 %r4, 77;\n"                                                                       \
    "    suld.b.1d.b32." mode " {%r4}, [%rd2, {%r3}];\n"                                           \
    "    mul.wide.u32 %rd3, %r1, 4;\n"                                                             \
    "    add.u64 %rd4, %rd1, %rd3;\n"                                                              \
    "    st.global.u32 [%rd4], %r4;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"
static const char loads[] =
    PTX_HEAD LOAD("clamp", "clamp") LOAD("zero", "zero") LOAD("trap", "trap");

// Thread t, unless t is 5, stores {t, t + 1} at byte 8 t + a of row y of layer 1. Then each adds t
// to the first word of the row.
static const char stores[] =
    PTX_HEAD
    ".visible .entry store(.param .u64 s, .param .u32 a, .param .u32 y)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    .reg .pred %p;\n"
    "    ld.param.u64 %rd2, [s];\n"
    "    ld.param.u32 %r2, [a];\n"
    "    ld.param.u32 %r3, [y];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    add.u32 %r4, %r1, 1;\n"
    "    mad.lo.s32 %r5, %r1, 8, %r2;\n"
    "    setp.ne.u32 %p, %r1, 5;\n"
    "    @%p sust.b.a2d.v2.b32.zero [%rd2, {1, %r5, %r3, %r3}], {%r1, %r4};\n"
    "    ret;\n"
    "}\n"
    ".visible .entry add(.param .u64 s, .param .u32 a, .param .u32 y)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd2, [s];\n"
    "    ld.param.u32 %r2, [a];\n"
    "    ld.param.u32 %r3, [y];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    sured.b.add.2d.u32.trap [%rd2, {%r2, %r3}], %r1;\n"
    "    suld.b.2d.b32.trap %r4, [%rd2, {%r2, %r3}];\n"
    "    add.u32 %r4, %r4, 1;\n"
    "    suq.width.b32 %r5, [%rd2];\n"
    "    suq.height.b32 %r6, [%rd2];\n"
    "    mad.lo.u32 %r6, %r6, 1000, %r5;\n"
    "    sust.b.2d.b32.trap [%rd2, {4, %r3}], %r4;\n"
    "    sust.b.2d.b32.trap [%rd2, {8, %r3}], %r6;\n"
    "    ret;\n"
    "}\n";

static const char *const apart[] = {"gpu.sms=1", "frontend.perfect=true",
                                    "memory.texture_path=readonly", NULL};
static const char *const unified[] = {"gpu.sms=1", "frontend.perfect=true",
                                      "memory.texture_path=l1d", NULL};

enum { WORDS = 256 };

static uint64_t new_words(Bench *b)
{
    uint32_t values[WORDS];
    for (unsigned i = 0; i < WORDS; i++) values[i] = 1000 + i;
    return bench_array(b, "texels", values, sizeof values);
}

static uint64_t new_surface(Bench *b, GpuTexture t)
{
    uint64_t handle = 0;
    t.surface = true;
    t.bits[0] = 32;
    t.channel = CHANNEL_UNSIGNED;
    if (!gpu_texture_create(b->gpu, &t, &handle, &b->err)) fail_msg("%s", b->err.text);
    return handle;
}

static uint64_t new_line(Bench *b, uint64_t texels)
{
    return new_surface(b, (GpuTexture){.address = texels, .kind = TEXTURE_1D, .width = WORDS});
}

// ---- loads ----

// 32 lanes of 4 bytes: a line of the texture cache, or four sectors of the L1D.
static void test_loads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new(i ? "volta-v100" : "fermi-gtx480", i ? unified : apart, NULL, loads);
        uint64_t texels = new_words(b), out = bench_array(b, "out", NULL, 128);
        uint64_t surface = new_line(b, texels);
        BenchLaunch launch = {"trap", .block = {32}, .args = {out, surface, 128}};
        const LaunchResult *r = bench_run(b, &launch);
        for (unsigned t = 0; t < 32; t++) assert_int_equal(bench_word(b, out, t), 1032 + t);
        assert_int_equal(r->sm.l1r.accesses, i ? 0 : 1);
        assert_int_equal(r->sm.l1r.misses, i ? 0 : 1);
        assert_int_equal(r->sm.l1d.load_accesses, i ? 4 : 0);
        assert_int_equal(r->sm.l1d.load_misses, i ? 4 : 0);
        assert_int_equal(r->sm.sm.texture_fetches, 1);
        assert_int_equal(r->sm.sm.global_loads, 0);
        assert_int_equal(r->sm.by_class[CLASS_TEXTURE], 1);
        uint16_t hint = GUEST_NO_ALLOCATION;
        unsigned array = guest_find(gpu_memory(b->gpu), texels, 4, &hint);
        assert_int_equal(r->l2_allocations[array].accesses, 4);
        // The first two lanes lie before the surface, the last two after it.
        launch.kernel = "zero";
        launch.args[2] = (uint64_t)-8;
        r = bench_run(b, &launch);
        for (unsigned t = 0; t < 32; t++)
            assert_int_equal(bench_word(b, out, t), t < 2 ? 0 : 998 + t);
        launch.args[2] = (WORDS - 30) * 4;
        bench_run(b, &launch);
        for (unsigned t = 0; t < 32; t++)
            assert_int_equal(bench_word(b, out, t), t < 30 ? 1226 + t : 0);
        launch.kernel = "clamp";
        bench_run(b, &launch);
        for (unsigned t = 0; t < 32; t++)
            assert_int_equal(bench_word(b, out, t), t < 30 ? 1226 + t : 1255);
        // No lane is inside: no request is made, and the warp continues.
        launch.kernel = "zero";
        launch.args[2] = WORDS * 4;
        r = bench_run(b, &launch);
        for (unsigned t = 0; t < 32; t++) assert_int_equal(bench_word(b, out, t), 0);
        assert_int_equal(r->sm.l1r.accesses + r->sm.l1d.load_accesses, 0);
        bench_free(b);
    }
}

// ---- stores and reductions ----

enum { WIDTH = 64, HEIGHT = 2, PITCH = 512 };

static uint64_t new_layers(Bench *b, uint64_t texels)
{
    return new_surface(b, (GpuTexture){.address = texels, .kind = TEXTURE_LAYERS_2D,
                                       .width = WIDTH, .height = HEIGHT, .depth = 2,
                                       .pitch = PITCH});
}

// 31 lanes of 8 bytes: 256 bytes less those of the sixth lane, 8 sectors in two lines.
static void test_stores(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new(i ? "volta-v100" : "fermi-gtx480", i ? unified : apart, NULL, stores);
        uint64_t texels = bench_array(b, "texels", NULL, 2 * HEIGHT * PITCH);
        uint64_t surface = new_layers(b, texels);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"store", .block = {32}, .args = {surface, 0, 1}});
        size_t row = (HEIGHT + 1) * PITCH / 4; // row 1 of layer 1
        for (unsigned t = 0; t < 32; t++) {
            assert_int_equal(bench_word(b, texels, row + 2 * t), t == 5 ? 0 : t);
            assert_int_equal(bench_word(b, texels, row + 2 * t + 1), t == 5 ? 0 : t + 1);
        }
        assert_int_equal(bench_word(b, texels, row + 64), 0);
        assert_int_equal(r->sm.sm.global_stores, 1);
        assert_int_equal(r->sm.l1r.accesses, 0);
        assert_int_equal(r->sm.l1d.store_accesses, i ? 8 : 0);
        uint16_t hint = GUEST_NO_ALLOCATION;
        unsigned array = guest_find(gpu_memory(b->gpu), texels, 4, &hint);
        assert_int_equal(r->l2_allocations[array].accesses, 8);
        // The last lane's eight bytes would leave the row of 256: it stores nothing.
        bench_run(b, &(BenchLaunch){"store", .block = {32}, .args = {surface, 8, 0}});
        row = HEIGHT * PITCH / 4;
        assert_int_equal(bench_word(b, texels, row + 62), 30);
        assert_int_equal(bench_word(b, texels, row + 64), 0);
        // No lane is in one of the two rows.
        r = bench_run(b, &(BenchLaunch){"store", .block = {32}, .args = {surface, 8, 2}});
        assert_int_equal(r->sm.sm.memory_requests, 0);
        assert_int_equal(bench_word(b, texels, 2 * HEIGHT * PITCH / 4 - 1), 0);
        bench_free(b);
    }
}

// Adds of all lanes to one word: the warp reads 0 + 1 + ... + 31 from it.
static void test_reductions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new("volta-v100", unified, &(GpuOptions){.functional = i}, stores);
        uint64_t texels = bench_array(b, "texels", NULL, 2 * HEIGHT * PITCH);
        const LaunchResult *r = bench_run(
            b, &(BenchLaunch){"add", .block = {32}, .args = {new_layers(b, texels), 0, 1}});
        assert_int_equal(bench_word(b, texels, PITCH / 4), 496);
        assert_int_equal(bench_word(b, texels, PITCH / 4 + 1), 497);
        assert_int_equal(bench_word(b, texels, PITCH / 4 + 2), HEIGHT * 1000 + WIDTH);
        if (!i) assert_int_equal(r->sm.sm.global_atomics, 1);
        bench_free(b);
    }
}

static void test_functional(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", apart, &(GpuOptions){.functional = true}, loads);
    uint64_t out = bench_array(b, "out", NULL, 128), surface = new_line(b, new_words(b));
    bench_run(b, &(BenchLaunch){"zero", .block = {32}, .args = {out, surface, (uint64_t)-4}});
    for (unsigned t = 0; t < 32; t++) assert_int_equal(bench_word(b, out, t), t ? 999 + t : 0);
    bench_load(b, stores);
    uint64_t texels = bench_array(b, "texels", NULL, 2 * HEIGHT * PITCH);
    bench_run(b, &(BenchLaunch){"store", .block = {32}, .args = {new_layers(b, texels), 0, 1}});
    assert_int_equal(bench_word(b, texels, (HEIGHT + 1) * PITCH / 4 + 62), 31);
    bench_free(b);
}

// ---- faults ----

static void test_faults(void **state)
{
    (void)state;
    static const char *const words[] = {
        "surface access of 4 bytes at byte 1024, row 0, slice or layer 0: expected",
        "is a texture: expected a surface", "that was created and not destroyed",
        "thread (0,0,0): access of 4 bytes at 0x100000002 is not aligned"};
    for (unsigned i = 0; i < 4; i++) {
        Bench *b = bench_new("volta-v100", unified, NULL, loads);
        uint64_t texels = new_words(b), out = bench_array(b, "out", NULL, 128);
        uint64_t surface = i == 2 ? 12345 : new_line(b, texels);
        GpuTexture texture = {.address = texels, .kind = TEXTURE_1D, .width = WORDS, .bits = {32},
                              .channel = CHANNEL_UNSIGNED};
        if (i == 1) assert_true(gpu_texture_create(b->gpu, &texture, &surface, &b->err));
        uint64_t at = i == 0 ? (WORDS - 30) * 4 : i == 3 ? 2 : 0;
        const char *text = bench_fail(
            b, &(BenchLaunch){"trap", .block = {32}, .args = {out, surface, at}});
        assert_contains(text, words[i]);
        assert_contains(text, "suld.b.1d.b32.trap");
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),      cmocka_unit_test(test_stores),
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_functional),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
