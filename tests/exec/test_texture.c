// Values of texture fetches: formats, modes, filters and shapes; the texels that they access;
// handles.
#include "lanes.h"

#include "exec/float_bits.h"
#include "exec/texture.h"

#include <math.h>
#include <string.h>

// ---- fixture: a warp, memory, and one texture at a time ----

static Lanes lanes;
static GuestMemory memory;
static TextureTable *table;
static StoreLog *store_log;
static HdError err;
static TextureFetch fetch; // of the last sample

enum { HANDLE = 32, COORDINATES = 4, RESULTS = 16, LANE = 7 }; // slots; the lane under test

static int set_up(void **state)
{
    (void)state;
    lanes_init(&lanes);
    table = texture_table_new(&err);
    store_log = store_log_new(&err);
    lanes.block.textures = table;
    return !table || !store_log || !guest_init(&memory, &err);
}

static int tear_down(void **state)
{
    (void)state;
    texture_table_free(table);
    store_log_free(store_log);
    guest_free(&memory);
    return 0;
}

static uint64_t array_of(const void *from, size_t bytes)
{
    uint64_t at = guest_allocate(&memory, bytes, "texels", &err);
    assert_true(at != 0);
    memcpy(guest_host(&memory, at), from, bytes);
    return at;
}
#define ARRAY(type, ...) array_of((type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}))

static uint64_t handle_of(const Texture *texture)
{
    uint64_t handle = 0;
    if (!texture_add(table, texture, &handle, &err)) fail_msg("%s", err.text);
    return handle;
}

static UOp operation(TextureShape shape, PtxType coordinates)
{
    UOp op = {.code = UOP_TEX, .type = PTX_F32, .type2 = (uint8_t)coordinates,
              .modifier = (uint8_t)shape, .vec = 4, .space = SPACE_GLOBAL, .src = {HANDLE}};
    for (unsigned i = 0; i < 4; i++) {
        op.src[1 + i] = (Operand)(COORDINATES + i);
        op.dst[i] = (Operand)(RESULTS + i);
    }
    return op;
}

// The four registers of the lane.
static const uint32_t *run(UOp op, uint64_t handle, const uint32_t at[4])
{
    static uint32_t values[4];
    uint64_t bad;
    lanes_set(&lanes, HANDLE, 8, LANE, handle);
    for (unsigned i = 0; i < 4; i++) lanes_set(&lanes, COORDINATES + i, 4, LANE, at[i]);
    assert_int_equal(exec_texture_plan(&op, &lanes.warp, 1u << LANE, &fetch, &bad), -1);
    exec_texture_read(&op, &lanes.warp, 1u << LANE, &fetch, &memory, store_log);
    for (unsigned i = 0; i < 4; i++) values[i] = (uint32_t)lanes_get(&lanes, RESULTS + i, 4, LANE);
    return values;
}

static const uint32_t *at_whole(const Texture *t, TextureShape shape, int x, int y)
{
    return run(operation(shape, PTX_S32), handle_of(t),
               (const uint32_t[4]){(uint32_t)x, (uint32_t)y});
}

static float at_point(const Texture *t, TextureShape shape, float x, float y, float z)
{
    const uint32_t at[4] = {f32_bits(x), f32_bits(y), f32_bits(z)};
    return f32_from(run(operation(shape, PTX_F32), handle_of(t), at)[0]);
}
static float at_x(const Texture *t, float x) { return at_point(t, TEX_1D, x, 0, 0); }

static void check(const uint32_t *values, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    assert_int_equal(values[0], x);
    assert_int_equal(values[1], y);
    assert_int_equal(values[2], z);
    assert_int_equal(values[3], w);
}

// The texels that the last sample of the lane accessed.
static unsigned touched(void)
{
    unsigned count = 0;
    for (unsigned k = 0; k < fetch.corners; k++) count += fetch.touched[k] >> LANE & 1;
    return count;
}

#define ONE 0x3f800000u

// ---- formats ----

static void test_integers(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(uint8_t, 0, 0, 0, 0, 1, 255, 3, 128), .width = 2,
                 .bits = {8, 8, 8, 8}, .channel = CHANNEL_UNSIGNED};
    check(at_whole(&t, TEX_1D, 1, 0), 1, 255, 3, 128);
    t.channel = CHANNEL_SIGNED;
    check(at_whole(&t, TEX_1D, 1, 0), 1, 0xffffffff, 3, 0xffffff80);
    t = (Texture){.address = ARRAY(uint16_t, 7, 0x8001), .width = 1, .bits = {16, 16},
                  .channel = CHANNEL_SIGNED};
    check(at_whole(&t, TEX_1D, 0, 0), 7, 0xffff8001, 0, 1); // missing channels: z is 0, w is 1
    t.channel = CHANNEL_UNSIGNED;
    check(at_whole(&t, TEX_1D, 0, 0), 7, 0x8001, 0, 1);
    // A double is read as two words.
    t = (Texture){.address = ARRAY(double, 1, -2), .width = 2, .bits = {32, 32},
                  .channel = CHANNEL_SIGNED};
    check(at_whole(&t, TEX_1D, 1, 0), 0, 0xc0000000, 0, 1);
}

static void test_floats(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(float, 0.5f, -1, 3, 4), .width = 1, .bits = {32, 32, 32, 32},
                 .channel = CHANNEL_FLOAT};
    check(at_whole(&t, TEX_1D, 0, 0), 0x3f000000, 0xbf800000, 0x40400000, 0x40800000);
    t.bits[1] = t.bits[2] = t.bits[3] = 0;
    check(at_whole(&t, TEX_1D, 0, 0), 0x3f000000, 0, 0, ONE);
    // Half precision: 1, the smallest subnormal 2^-24, infinity, -2.
    t = (Texture){.address = ARRAY(uint16_t, 0x3c00, 1, 0x7c00, 0xc000), .width = 1,
                  .bits = {16, 16, 16, 16}, .channel = CHANNEL_FLOAT};
    check(at_whole(&t, TEX_1D, 0, 0), ONE, 0x33800000, 0x7f800000, 0xc0000000);
}

// 0..255 map to 0..1, -127..127 to -1..1, and -128 to -1; 16 bits accordingly.
static void test_normalized_floats(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(uint8_t, 255, 51, 0, 128), .width = 1, .bits = {8, 8, 8, 8},
                 .channel = CHANNEL_UNSIGNED, .normalized_float = true};
    check(at_whole(&t, TEX_1D, 0, 0), ONE, f32_bits(0.2f), 0, f32_bits(128.0f / 255.0f));
    t.channel = CHANNEL_SIGNED;
    check(at_whole(&t, TEX_1D, 0, 0), f32_bits(-1.0f / 127.0f), f32_bits(51.0f / 127.0f), 0,
          f32_bits(-1));
    t = (Texture){.address = ARRAY(uint16_t, 0xffff, 0x8001), .width = 1, .bits = {16, 16},
                  .channel = CHANNEL_UNSIGNED, .normalized_float = true};
    check(at_whole(&t, TEX_1D, 0, 0), ONE, f32_bits(32769.0f / 65535.0f), 0, ONE);
    t.channel = CHANNEL_SIGNED;
    check(at_whole(&t, TEX_1D, 0, 0), f32_bits(-1.0f / 32767.0f), f32_bits(-1), 0, ONE);
    // 32 bits are not converted.
    t = (Texture){.address = ARRAY(uint32_t, 9), .width = 1, .bits = {32},
                  .channel = CHANNEL_UNSIGNED, .normalized_float = true};
    check(at_whole(&t, TEX_1D, 0, 0), 9, 0, 0, 1);
}

// ---- coordinates outside of the texture ----

static void test_linear_memory_ends(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(uint32_t, 5, 6, 7, 8), .width = 3, .bits = {32},
                 .channel = CHANNEL_UNSIGNED, .mode = {TEXTURE_CLAMP}, .border = {9}};
    check(at_whole(&t, TEX_1D, 2, 0), 7, 0, 0, 1);
    assert_int_equal(touched(), 1);
    check(at_whole(&t, TEX_1D, 3, 0), 0, 0, 0, 1);
    assert_int_equal(touched(), 0);
    check(at_whole(&t, TEX_1D, -1, 0), 0, 0, 0, 1);
    assert_true(at_x(&t, 3.5f) == 0);
}

static Texture line(TextureMode mode, bool normalized)
{
    return (Texture){.address = ARRAY(float, 10, 20, 30, 40), .kind = TEXTURE_1D, .width = 4,
                     .bits = {32}, .channel = CHANNEL_FLOAT, .mode = {mode, mode, mode},
                     .normalized_coordinates = normalized, .border = {7}};
}

static void test_modes(void **state)
{
    (void)state;
    Texture t = line(TEXTURE_CLAMP, false);
    assert_true(at_x(&t, 1.99f) == 20);
    assert_true(at_x(&t, -3) == 10);
    assert_true(at_x(&t, 4) == 40);
    assert_true(f32_from(at_whole(&t, TEX_1D, 9, 0)[0]) == 40);
    t = line(TEXTURE_BORDER, false);
    assert_true(at_x(&t, 3.99f) == 40);
    assert_true(at_x(&t, 4) == 7);
    assert_true(at_x(&t, -0.001f) == 7);
    assert_int_equal(touched(), 0);
    assert_true(f32_from(at_whole(&t, TEX_1D, -1, 0)[0]) == 7);
    t = line(TEXTURE_WRAP, false); // without normalized coordinates: as clamp
    assert_true(at_x(&t, 5) == 40);
    t = line(TEXTURE_CLAMP, true);
    assert_true(at_x(&t, 0.5f) == 30);
    assert_true(at_x(&t, 1) == 40);
    t = line(TEXTURE_WRAP, true);
    assert_true(at_x(&t, 1.25f) == 20);
    assert_true(at_x(&t, -0.25f) == 40);
    assert_true(at_x(&t, 7) == 10);
    t = line(TEXTURE_MIRROR, true);
    assert_true(at_x(&t, 1.125f) == 40); // 0.875
    assert_true(at_x(&t, 1.25f) == 40);  // 0.75
    assert_true(at_x(&t, 1.5f) == 30);   // 0.5
    assert_true(at_x(&t, -0.25f) == 20); // 0.25
    assert_true(at_x(&t, 2.25f) == 20);  // 0.25
    assert_true(at_x(&t, 1) == 40);      // 1
}

// NaN counts as 0. A coordinate too large to be folded into the axis counts as 0 too. With
// wrapping, 0 is between the last texel and the first.
static void test_odd_coordinates(void **state)
{
    (void)state;
    static const float none[2][4] = {{10, 10, 10, 10}, {25, 10, 10, 10}},
                       far[2][4] = {{10, 40, 10, 7}, {25, 40, 10, 7}},
                       before[2][4] = {{10, 10, 10, 7}, {25, 10, 10, 7}};
    for (unsigned mode = TEXTURE_WRAP; mode <= TEXTURE_BORDER; mode++)
        for (unsigned linear = 0; linear < 2; linear++) {
            Texture t = line((TextureMode)mode, true);
            t.linear = linear;
            assert_true(at_x(&t, NAN) == none[linear][mode]);
            assert_true(at_x(&t, INFINITY) == far[linear][mode]);
            assert_true(at_x(&t, -1e30f) == before[linear][mode]);
        }
}

// ---- filters ----

static void test_filter(void **state)
{
    (void)state;
    Texture t = line(TEXTURE_CLAMP, false);
    t.linear = true;
    assert_true(at_x(&t, 0.5f) == 10); // the middle of a texel
    assert_int_equal(touched(), 1);
    assert_true(at_x(&t, 1) == 15);
    assert_int_equal(touched(), 2);
    assert_true(at_x(&t, 2.75f) == 32.5f);
    assert_true(at_x(&t, 0) == 10);
    assert_true(at_x(&t, 4) == 40);
    // The position between two texels has 8 bits: 1/512 rounds to 1/256, a little less rounds to 0.
    assert_true(at_x(&t, 0.5f + 1.0f / 512) == 10 + 10.0f / 256);
    assert_true(at_x(&t, 0.5f + 0.99f / 512) == 10);
    assert_true(at_x(&t, 1.5f - 0.99f / 512) == 20);
    assert_int_equal(touched(), 1);
    t = line(TEXTURE_BORDER, false);
    t.linear = true;
    assert_true(at_x(&t, 0) == 8.5f); // half of 7, half of 10
    assert_int_equal(touched(), 1);
    t = line(TEXTURE_WRAP, true);
    t.linear = true;
    assert_true(at_x(&t, 0) == 25); // 40 and 10
    assert_true(at_x(&t, 0.9375f) == 32.5f); // 3.75 - 0.5: a quarter of the way from 40 to 10
    t = line(TEXTURE_MIRROR, true);
    t.linear = true;
    assert_true(at_x(&t, 0) == 10);
    assert_true(at_x(&t, 1.25f) == 35); // 3 - 0.5: between 30 and 40
    // Integers are not filtered; a texel of weight 0 has no effect.
    assert_true(f32_from(at_whole(&t, TEX_1D, 1, 0)[0]) == 20);
    t.address = ARRAY(float, INFINITY, 1, 1, 1);
    assert_true(at_x(&t, 0.375f) == 1);
}

static void test_filter_planes(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(float, 0, 4, 8, 12), .kind = TEXTURE_2D, .width = 2,
                 .height = 2, .bits = {32}, .channel = CHANNEL_FLOAT, .linear = true,
                 .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP}};
    assert_true(at_point(&t, TEX_2D, 1, 1, 0) == 6);
    assert_int_equal(touched(), 4);
    assert_true(at_point(&t, TEX_2D, 0.75f, 1, 0) == 5); // half of 0..4 and 8..12 at a quarter
    assert_true(at_point(&t, TEX_2D, 0.5f, 1.25f, 0) == 6);
    assert_int_equal(touched(), 2);
    // Bytes read as 0..1 are filtered as floats: 255 and 51 with weights 3/4 and 1/4.
    Texture bytes = {.address = ARRAY(uint8_t, 255, 51), .kind = TEXTURE_1D, .width = 2,
                     .bits = {8}, .channel = CHANNEL_UNSIGNED, .normalized_float = true,
                     .linear = true, .mode = {TEXTURE_CLAMP}};
    assert_true(at_x(&bytes, 0.75f) == (float)(0.75 + (double)0.2f * 0.25));
    Texture cube = {.address = ARRAY(float, 0, 1, 2, 3, 4, 5, 6, 7), .kind = TEXTURE_3D,
                    .width = 2, .height = 2, .depth = 2, .bits = {32}, .channel = CHANNEL_FLOAT,
                    .linear = true, .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP}};
    assert_true(at_point(&cube, TEX_3D, 1, 1, 1) == 3.5f);
    assert_int_equal(touched(), 8);
    assert_true(at_point(&cube, TEX_3D, 0.5f, 1.5f, 1) == 4); // between 2 and 6
    cube.linear = false;
    assert_true(at_point(&cube, TEX_3D, 1.5f, 0.5f, 1.9f) == 5);
}

// ---- shapes ----

// 2 x 2 texels in rows of 16 bytes; two layers.
static void test_rows_and_layers(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(int, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0),
                 .kind = TEXTURE_PITCH2D, .width = 2, .height = 2, .pitch = 16, .bits = {32},
                 .channel = CHANNEL_SIGNED, .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}};
    assert_int_equal(at_whole(&t, TEX_2D, 0, 1)[0], 3);
    assert_int_equal(at_whole(&t, TEX_2D, 5, -5)[0], 2);
    t.kind = TEXTURE_LAYERS_2D;
    t.depth = 2;
    const uint32_t in_first[4] = {0, f32_bits(1.5f), f32_bits(1.5f)},
                   in_second[4] = {1, f32_bits(0.5f), f32_bits(1.5f)},
                   behind[4] = {9, f32_bits(1.5f), f32_bits(0)};
    UOp op = operation(TEX_LAYERS_2D, PTX_F32);
    assert_int_equal(run(op, handle_of(&t), in_first)[0], 4);
    assert_int_equal(run(op, handle_of(&t), in_second)[0], 7);
    assert_int_equal(run(op, handle_of(&t), behind)[0], 6); // the last layer
    t.kind = TEXTURE_LAYERS_1D;
    t.height = 0;
    t.depth = 4;
    op = operation(TEX_LAYERS_1D, PTX_S32);
    assert_int_equal(run(op, handle_of(&t), (uint32_t[4]){2, 1})[0], 6);
}

// Faces +x -x +y -y +z -z have 10, 20, ... 60, and 1 more in the texel (0, 1).
static void test_cube(void **state)
{
    (void)state;
    float texels[24];
    for (unsigned i = 0; i < 24; i++) texels[i] = (float)(i / 4 * 10 + 10 + (i % 4 == 2));
    Texture t = {.address = array_of(texels, sizeof texels), .kind = TEXTURE_CUBE, .width = 2,
                 .height = 2, .depth = 6, .bits = {32}, .channel = CHANNEL_FLOAT};
    static const float to[][4] = {{1, 0.5f, 0.2f, 10},  {-2, 0.5f, 0.5f, 20}, {0.5f, 3, -1, 30},
                                  {0.5f, -3, 1, 40},    {0.5f, 0.1f, 1, 50},  {-0.5f, 0.1f, -1, 60},
                                  {1, -0.5f, 0.5f, 11}, // s (-0.5 + 1) / 2, t (0.5 + 1) / 2
                                  {-0.5f, 1, 0.5f, 31}, // s 0.25, t 0.75
                                  {0.5f, -0.5f, -1, 61}};
    for (unsigned i = 0; i < TEST_SIZE(to); i++)
        assert_true(at_point(&t, TEX_CUBE, to[i][0], to[i][1], to[i][2]) == to[i][3]);
}

// Texels (i, j+1), (i+1, j+1), (i+1, j), (i, j), whatever their weights.
static void test_gather(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(int, 1, -1, 2, -2, 3, -3, 4, -4), .kind = TEXTURE_2D,
                 .width = 2, .height = 2, .bits = {32, 32}, .channel = CHANNEL_SIGNED,
                 .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}};
    const uint32_t at[4] = {f32_bits(0.5f), f32_bits(0.5f)};
    UOp op = operation(TEX_2D, PTX_F32);
    op.flags = UF_GATHER;
    check(run(op, handle_of(&t), at), 3, 4, 2, 1);
    assert_int_equal(touched(), 4);
    op.flags |= 1 << UF_SELECT_SHIFT;
    check(run(op, handle_of(&t), at), (uint32_t)-3, (uint32_t)-4, (uint32_t)-2, (uint32_t)-1);
    op.flags = UF_GATHER | 3 << UF_SELECT_SHIFT;
    check(run(op, handle_of(&t), at), 1, 1, 1, 1); // the texture has no w channel
}

// ---- lanes, memory, handles ----

// Lanes may use different textures. A fetch sees stores of the same SM.
static void test_lanes(void **state)
{
    (void)state;
    Texture a = {.address = ARRAY(uint32_t, 100, 101, 102, 103), .width = 4, .bits = {32},
                 .channel = CHANNEL_UNSIGNED},
            b = {.address = ARRAY(uint16_t, 7, 8), .width = 2, .bits = {16},
                 .channel = CHANNEL_UNSIGNED};
    uint64_t handles[2] = {handle_of(&a), handle_of(&b)}, bad;
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        lanes_set(&lanes, HANDLE, 8, l, handles[l & 1]);
        lanes_set(&lanes, COORDINATES, 4, l, l / 2 % 2);
    }
    UOp op = operation(TEX_1D, PTX_S32);
    op.dst[2] = op.dst[3] = OPERAND_NONE;
    lanes_fill(&lanes, RESULTS + 2, 4, 55);
    const uint64_t stored[HD_MAX_LANES] = {a.address + 4};
    const uint32_t value[HD_MAX_LANES] = {77};
    assert_true(store_log_add(store_log, 1, &(WarpStore){1, stored, value, 4, 4}));
    LaneMask most = ~(LaneMask)0 << 1;
    assert_int_equal(exec_texture_plan(&op, &lanes.warp, most, &fetch, &bad), -1);
    exec_texture_read(&op, &lanes.warp, most, &fetch, &memory, store_log);
    assert_int_equal(exec_texture_bytes(&fetch, 2), 4);
    assert_int_equal(exec_texture_bytes(&fetch, 3), 2);
    assert_int_equal(lanes_get(&lanes, RESULTS, 4, 4), 100);
    assert_int_equal(lanes_get(&lanes, RESULTS, 4, 5), 7);
    assert_int_equal(lanes_get(&lanes, RESULTS, 4, 6), 77);
    assert_int_equal(lanes_get(&lanes, RESULTS, 4, 7), 8);
    assert_int_equal(lanes_get(&lanes, RESULTS + 2, 4, 4), 55);
    lanes_set(&lanes, HANDLE, 8, 9, 0);
    assert_int_equal(exec_texture_plan(&op, &lanes.warp, most, &fetch, &bad), 9);
    assert_true(bad == 0);
}

static void test_handles(void **state)
{
    (void)state;
    Texture t = line(TEXTURE_CLAMP, false);
    uint64_t first = handle_of(&t), second, reference;
    char text[128];
    assert_int_equal(first, 1);
    assert_non_null(texture_lookup(table, first));
    assert_int_equal(texture_lookup(table, first)->pitch, 16);
    assert_true(texture_remove(table, first));
    assert_false(texture_remove(table, first));
    assert_null(texture_lookup(table, first));
    texture_describe_missing(table, first, text, sizeof text);
    assert_non_null(strstr(text, "created and not destroyed"));
    second = handle_of(&t); // reuses the row with a new handle
    assert_true(second != first && second != 0);
    assert_null(texture_lookup(table, first));
    assert_true(texture_add_reference(table, "image", &reference, &err));
    assert_null(texture_lookup(table, reference));
    texture_describe_missing(table, reference, text, sizeof text);
    assert_non_null(strstr(text, "'image' is not bound"));
    assert_true(texture_bind(table, reference, &t, &err));
    assert_int_equal(texture_lookup(table, reference)->width, 4);
    assert_true(texture_bind(table, reference, NULL, &err));
    assert_null(texture_lookup(table, reference));
    assert_false(texture_remove(table, reference));
    assert_false(texture_bind(table, second, &t, &err));
}

static void refused(const Texture *t, const char *words)
{
    uint64_t handle;
    err = (HdError){0};
    assert_false(texture_add(table, t, &handle, &err));
    if (!strstr(err.text, words)) fail_msg("wanted \"%s\", got \"%s\"", words, err.text);
    err = (HdError){0};
}

static void test_refused(void **state)
{
    (void)state;
    Texture good = line(TEXTURE_CLAMP, false), t = good;
    t.bits[1] = t.bits[2] = 32;
    refused(&t, "expected 1, 2 or 4 equal channels");
    t.bits[2] = 0;
    t.bits[1] = 16;
    refused(&t, "32, 16, 0 and 0 bits");
    t = good;
    t.bits[0] = 8;
    refused(&t, "8 (integers only)");
    t = good;
    t.channel = CHANNEL_SIGNED;
    t.linear = true;
    refused(&t, "read as floats");
    t = good;
    t.address += 2;
    refused(&t, "multiples of the texel size, 4 bytes");
    t = good;
    t.kind = TEXTURE_2D;
    t.height = 2;
    t.pitch = 12;
    refused(&t, "pitch of 12 bytes");
    t = good;
    t.width = 0;
    refused(&t, "0 texels wide");
    t = good;
    t.mode[1] = (TextureMode)4;
    refused(&t, "address mode 4: expected");
}

static void test_queries(void **state)
{
    (void)state;
    Texture t = {.address = ARRAY(float, 0), .kind = TEXTURE_3D, .width = 5, .height = 6,
                 .depth = 7, .bits = {32}, .channel = CHANNEL_FLOAT,
                 .normalized_coordinates = true};
    uint64_t handle = handle_of(&t);
    static const uint32_t is[QUERIES] = {5, 6, 7, 7, 1, 1};
    for (unsigned q = 0; q < QUERIES; q++) {
        UOp op = {.code = UOP_TXQ, .type = PTX_B32, .src = {HANDLE}, .dst = {RESULTS},
                  .flags = q << UF_SELECT_SHIFT};
        lanes_fill(&lanes, HANDLE, 8, handle);
        lanes_set(&lanes, HANDLE, 8, 3, 99);
        lanes_run(&lanes, op, EXEC_BASE, ~(LaneMask)0);
        assert_int_equal(lanes_get(&lanes, RESULTS, 4, LANE), is[q]);
        assert_int_equal(lanes_get(&lanes, RESULTS, 4, 3), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_integers), TEST(test_floats),          TEST(test_normalized_floats),
        TEST(test_modes),         TEST(test_odd_coordinates), TEST(test_linear_memory_ends),
        TEST(test_filter),        TEST(test_filter_planes),   TEST(test_rows_and_layers),
        TEST(test_cube),          TEST(test_gather),          TEST(test_lanes),
        TEST(test_handles),       TEST(test_refused),         TEST(test_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
