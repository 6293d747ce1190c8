// Reading fat binaries: choice of the image, decompression, damaged files.
#include "support/scratch.h"

#include "base/random.h"
#include "fatbin_writer.h"
#include "cudart/modules/fatbin.h"

#include <stdlib.h>
#include <string.h>

static const char text[] =
    ".version 7.5\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry first()\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry second()\n"
    "{\n"
    "    ret;\n"
    "}\n";

// *ptx: the PTX, or NULL if there is none.
static bool read_all(Fatbin *fatbin, const uint8_t *binary, size_t size, char **ptx, HdError *err)
{
    *ptx = NULL;
    *err = (HdError){0};
    if (!fatbin_read(fatbin, binary, size, err)) return false;
    if (!fatbin->ptx_count) return true;
    *ptx = fatbin_ptx(fatbin, err);
    return *ptx;
}

static void test_packings(void **state)
{
    (void)state;
    for (Packing packing = PACKED_NOT; packing <= PACKED_ZSTD; packing++) {
        size_t size;
        uint8_t *binary = fatbin_new(&(Image){FATBIN_PTX, 75, text, packing}, 1, &size);
        Fatbin fatbin;
        HdError err;
        char *ptx;
        if (!read_all(&fatbin, binary, size, &ptx, &err)) fail_msg("%s", err.text);
        assert_string_equal(ptx, text);
        assert_int_equal(fatbin.architecture, 75);
        free(ptx);
        free(binary);
    }
}

// Machine code, older PTX, newer PTX, equally new PTX: the first of the newest is chosen.
static void test_choice(void **state)
{
    (void)state;
    const Image images[] = {
        {FATBIN_MACHINE_CODE, 90, "code", PACKED_NOT},
        {FATBIN_PTX, 52, "old", PACKED_LZ4},
        {FATBIN_PTX, 80, "new", PACKED_ZSTD},
        {FATBIN_PTX, 80, "as new", PACKED_NOT},
        {FATBIN_PTX, 70, "between", PACKED_NOT},
        {FATBIN_MACHINE_CODE, 86, "code", PACKED_LZ4},
    };
    size_t size;
    uint8_t *binary = fatbin_new(images, sizeof images / sizeof *images, &size);
    Fatbin fatbin;
    HdError err;
    char *ptx;
    if (!read_all(&fatbin, binary, size, &ptx, &err)) fail_msg("%s", err.text);
    assert_string_equal(ptx, "new");
    assert_int_equal(fatbin.architecture, 80);
    assert_int_equal(fatbin.ptx_count, 4);
    assert_int_equal(fatbin.machine_count, 2);
    assert_int_equal(fatbin.machine[0], 90);
    assert_int_equal(fatbin.machine[1], 86);
    free(ptx);
    free(binary);
}

static void test_machine_code_alone(void **state)
{
    (void)state;
    size_t size;
    uint8_t *binary = fatbin_new(&(Image){FATBIN_MACHINE_CODE, 86, "code", PACKED_NOT}, 1, &size);
    Fatbin fatbin;
    HdError err;
    char *ptx;
    assert_true(read_all(&fatbin, binary, size, &ptx, &err));
    assert_null(ptx);
    assert_int_equal(fatbin.ptx_count, 0);
    assert_int_equal(fatbin.machine_count, 1);
    free(binary);
}

// A binary with one impossible field.
static void expect_damage(size_t at, const void *value, size_t bytes, Packing packing,
                          const char *message)
{
    size_t size;
    uint8_t *binary = fatbin_new(&(Image){FATBIN_PTX, 75, text, packing}, 1, &size);
    memcpy(binary + at, value, bytes);
    Fatbin fatbin;
    HdError err;
    char *ptx;
    assert_false(read_all(&fatbin, binary, size, &ptx, &err));
    if (!strstr(err.text, message)) fail_msg("'%s' does not say '%s'", err.text, message);
    free(binary);
}

#define ENTRY(field) (sizeof(FatbinHeader) + offsetof(FatbinEntry, field))

static void test_damage(void **state)
{
    (void)state;
    const uint32_t small = 0, large = 0x7fffffff;
    const uint64_t huge = UINT64_MAX, one_more = sizeof text + 1, one_less = sizeof text - 1;
    expect_damage(0, &small, 4, PACKED_NOT, "starts with 0x00000000: expected 0xba55ed50");
    expect_damage(offsetof(FatbinHeader, size), &huge, 8, PACKED_NOT, "its header gives");
    expect_damage(offsetof(FatbinHeader, header_size), &small, 2, PACKED_NOT, "its header gives");
    expect_damage(ENTRY(header_size), &small, 4, PACKED_NOT, "header of 0 bytes: expected");
    expect_damage(ENTRY(header_size), &large, 4, PACKED_NOT,
                  "header of 2147483647 bytes: expected");
    expect_damage(ENTRY(padded_size), &huge, 8, PACKED_NOT, "an image of");
    expect_damage(ENTRY(compressed_size), &large, 4, PACKED_ZSTD, "an image of");
    expect_damage(ENTRY(uncompressed_size), &huge, 8, PACKED_ZSTD, "is damaged");
    expect_damage(ENTRY(uncompressed_size), &one_more, 8, PACKED_ZSTD, "is damaged");
    expect_damage(ENTRY(uncompressed_size), &one_less, 8, PACKED_ZSTD, "is damaged");
    expect_damage(ENTRY(uncompressed_size), &one_more, 8, PACKED_LZ4, "LZ4");
    expect_damage(ENTRY(uncompressed_size), &one_less, 8, PACKED_LZ4, "LZ4");
}

// A zstd frame that does not say how much it unpacks to: 600 blocks, each a byte repeated 128 KiB
// times. The entry says 100 MiB.
static void test_bomb(void **state)
{
    (void)state;
    enum { BLOCKS = 600, START = 6, BLOCK = 4 };
    static const uint8_t start[START] = {0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3};
    static struct {
        FatbinHeader header;
        FatbinEntry entry;
        uint8_t payload[2408];
    } binary = {
        .header = {FATBIN_MAGIC, FATBIN_VERSION, sizeof(FatbinHeader),
                   sizeof(FatbinEntry) + sizeof binary.payload},
        .entry = {.kind = FATBIN_PTX, .header_size = sizeof(FatbinEntry),
                  .padded_size = sizeof binary.payload,
                  .compressed_size = START + BLOCKS * BLOCK, .architecture = 75,
                  .flags = FATBIN_ZSTD, .uncompressed_size = 100 << 20},
    };
    memcpy(binary.payload, start, START);
    for (size_t i = 0; i < BLOCKS; i++) {
        uint32_t block = (i == BLOCKS - 1) | 1 << 1 | 1 << 20 | (uint32_t)'x' << 24;
        memcpy(binary.payload + START + i * BLOCK, &block, BLOCK);
    }
    Fatbin fatbin;
    HdError err;
    char *ptx;
    assert_false(read_all(&fatbin, (uint8_t *)&binary, sizeof binary, &ptx, &err));
    assert_string_equal(err.text, "its PTX (zstd): 2.1 KiB of compressed data give more than 64.0 "
                                  "MiB: expected at most 1000 times as much (decompress the file "
                                  "first if it is right)");
}

static void test_nothing(void **state)
{
    (void)state;
    Fatbin fatbin;
    HdError err = {0};
    uint8_t bytes[sizeof(FatbinHeader)] = {0};
    assert_false(fatbin_read(&fatbin, NULL, 100, &err));
    assert_false(fatbin_read(&fatbin, bytes, 3, &err));
    assert_false(fatbin_read(&fatbin, bytes, sizeof bytes, &err));
}

// Truncated anywhere, or with changed bytes: the result is a text or an error, without reads beyond
// the end.
static void test_mutations(void **state)
{
    (void)state;
    enum { ROUNDS = 6000 };
    const Image images[] = {{FATBIN_MACHINE_CODE, 75, "code", PACKED_NOT},
                            {FATBIN_PTX, 75, text, PACKED_LZ4},
                            {FATBIN_PTX, 80, text, PACKED_ZSTD},
                            {FATBIN_PTX, 60, text, PACKED_NOT}};
    size_t size, good = 0;
    uint8_t *binary = fatbin_new(images, 4, &size);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t cut = round % 4 ? size : random_draw(1, 0, round, 0) % size;
        uint8_t *copy = malloc(cut + !cut); // no spare bytes, so that a sanitizer sees overruns
        assert_non_null(copy);
        memcpy(copy, binary, cut);
        unsigned changes = round % 4 ? 1 + round % 3 : 0;
        for (unsigned i = 0; i < changes; i++) {
            // Half of the changes are in the headers at the start.
            uint64_t draw = random_draw(1, 1, round, i);
            size_t at = draw % (draw >> 32 & 1 ? size : sizeof(FatbinHeader) + 0x60);
            copy[at] = (uint8_t)(draw >> 40);
        }
        Fatbin fatbin;
        HdError err;
        char *ptx;
        good += read_all(&fatbin, copy, cut, &ptx, &err);
        if (ptx) assert_true(strlen(ptx) < 1 << 20);
        free(ptx);
        free(copy);
    }
    free(binary);
    assert_in_range(good, 1, ROUNDS - 1); // some binaries stay readable, but not all
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packings),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_machine_code_alone),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
