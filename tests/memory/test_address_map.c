// Address mapping: hand-computed places, and that every mapping can be undone.
#include "memory/address_map.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static DramConfig gtx480(void)
{
    return (DramConfig){.channels = 6, .banks = 16, .row = 4096, .interleave = 256,
                        .map = "RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS"};
}

static void places_of_the_gtx480_map(void **state)
{
    (void)state;
    DramConfig dram = gtx480();
    SliceConfig slice = {.count = 12, .select = SELECT_BANK};
    AddressMap map;
    HdError err = {0};
    assert_true(address_map_init(&map, &slice, &dram, &err));
    // 256-byte chunks go to channels 0..5, 0..5: chunk 6 is the second of channel 0, whose bit 8 is
    // the lowest bank bit, so it belongs to slice 1 (and chunk 11 to channel 5's second slice, 11).
    for (unsigned chunk = 0; chunk < 6; chunk++)
        assert_int_equal(address_map_split(&map, chunk * 256 + 255).slice, chunk * 2);
    assert_int_equal(address_map_split(&map, 6 * 256).slice, 1);
    assert_int_equal(address_map_split(&map, 11 * 256).slice, 11);
    // In the slice the bit is gone: chunk 12, the third of channel 0, is the slice's second.
    SliceAddress third = address_map_split(&map, 12 * 256 + 5);
    assert_int_equal(third.slice, 0);
    assert_int_equal(third.address, 256 + 5);
    assert_int_equal(address_map_channel(&map, third).address, 2 * 256 + 5);
    assert_int_equal(address_map_channel(&map, third).channel, 0);
    assert_int_equal(address_map_channel(&map, address_map_split(&map, 11 * 256)).channel, 5);
    // Within a channel: bit 8 is bank bit 0, bits 13 to 15 bank bits 1 to 3, bits 16 to 27 the row.
    DramPlace place = address_map_dram(&map, 0xabcd00ff + 0x100);
    assert_int_equal(place.bank, 1); // 0x01ff: bit 8
    assert_int_equal(place.row, 0xabcd); // 0xbcd of the map, 0xa above it
    place = address_map_dram(&map, 0x1a000);
    assert_int_equal(place.bank, 10); // bits 15..13 are 101, bit 8 is 0
    assert_int_equal(place.row, 1);
}

// Turns of 512 bytes for slices and 1 KiB for channels: a channel has two slices.
static void interleaved_slices_of_a_channel(void **state)
{
    (void)state;
    DramConfig dram = gtx480();
    dram.interleave = 1024;
    SliceConfig slice = {.count = 12, .select = SELECT_INTERLEAVE, .interleave = 512};
    AddressMap map;
    HdError err = {0};
    assert_true(address_map_init(&map, &slice, &dram, &err));
    for (unsigned chunk = 0; chunk < 24; chunk++)
        assert_int_equal(address_map_split(&map, chunk * 512 + 500).slice, chunk % 12);
    // Slice 3 is the second of channel 1: its second chunk is the channel's fourth.
    SliceAddress place = address_map_split(&map, 15 * 512 + 9);
    assert_int_equal(place.slice, 3);
    assert_int_equal(place.address, 512 + 9);
    assert_int_equal(map.per_channel, 2);
    assert_int_equal(address_map_channel(&map, place).channel, 1);
    assert_int_equal(address_map_channel(&map, place).address, 3 * 512 + 9);
}

static DramConfig eight_channels(uint64_t interleave)
{
    DramConfig dram = gtx480();
    dram.channels = 8;
    dram.interleave = interleave;
    return dram;
}

// The place of a guest address in DRAM.
static ChannelAddress behind(const AddressMap *map, uint64_t address)
{
    return address_map_channel(map, address_map_split(map, address));
}

static void six_slices_on_eight_channels(void **state)
{
    (void)state;
    DramConfig dram = eight_channels(256);
    SliceConfig slice = {.count = 6, .select = SELECT_INTERLEAVE, .interleave = 256};
    AddressMap map;
    HdError err = {0};
    assert_true(address_map_init(&map, &slice, &dram, &err));
    assert_int_equal(map.per_channel, 0);
    // Chunk 14 is the third of slice 2 (2, 8, 14) and the second of channel 6 (6, 14).
    SliceAddress place = address_map_split(&map, 14 * 256 + 5);
    assert_int_equal(place.slice, 2);
    assert_int_equal(place.address, 2 * 256 + 5);
    assert_int_equal(address_map_channel(&map, place).channel, 6);
    assert_int_equal(address_map_channel(&map, place).address, 256 + 5);
    // Chunk 20 is slice 2's next, on channel 4: a slice uses several channels.
    assert_int_equal(address_map_split(&map, 20 * 256).slice, 2);
    assert_int_equal(behind(&map, 20 * 256).channel, 4);
    assert_int_equal(behind(&map, 20 * 256).address, 2 * 256);

    // Channels that turn every 512 bytes: 14 x 256 + 5 is byte 5 of channel 7's first 512,
    // 31 x 256 (15.5 x 512) the middle of its second.
    dram = eight_channels(512);
    assert_true(address_map_init(&map, &slice, &dram, &err));
    assert_int_equal(address_map_split(&map, 14 * 256 + 5).slice, 2);
    assert_int_equal(behind(&map, 14 * 256 + 5).channel, 7);
    assert_int_equal(behind(&map, 14 * 256 + 5).address, 5);
    assert_int_equal(address_map_split(&map, 31 * 256).slice, 1);
    assert_int_equal(behind(&map, 31 * 256).channel, 7);
    assert_int_equal(behind(&map, 31 * 256).address, 512 + 256);
}

// A range that is whole turns of both fills each channel from 0 without gaps, each line once.
static void channels_have_no_gaps(void **state)
{
    (void)state;
    static const struct {
        uint32_t slices, channels, slice_turn, channel_turn; // turns in lines
    } cases[] = {{6, 8, 2, 2}, {6, 8, 2, 3}, {5, 7, 4, 1}, {8, 6, 1, 2}, {12, 6, 2, 2},
                 {12, 6, 2, 4}, {1, 8, 2, 2}, {16, 4, 2, 2}, {16, 4, 2, 8}};
    enum { LINES = 5040 * 8 }; // a multiple of every slices x turn and channels x turn
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        DramConfig dram = eight_channels(cases[c].channel_turn * 128);
        dram.channels = cases[c].channels;
        SliceConfig slice = {.count = cases[c].slices, .select = SELECT_INTERLEAVE,
                             .interleave = cases[c].slice_turn * 128,
                             .hash = c == 7   ? SLICE_XOR
                                     : c == 8 ? SLICE_POLYNOMIAL
                                              : SLICE_LINEAR};
        AddressMap map;
        HdError err = {0};
        if (!address_map_init(&map, &slice, &dram, &err)) fail_msg("%s", err.text);
        static uint8_t seen[LINES];
        memset(seen, 0, sizeof seen);
        for (uint64_t line = 0; line < LINES; line++) {
            ChannelAddress at = behind(&map, line * 128 + 7);
            uint32_t own = LINES / dram.channels;
            assert_in_range(at.channel, 0, dram.channels - 1);
            assert_int_equal(at.address % 128, 7);
            assert_in_range(at.address / 128, 0, own - 1);
            assert_int_equal(seen[at.channel * own + at.address / 128]++, 0);
        }
    }
}

static void every_mapping_can_be_undone(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 12; variant++) {
        DramConfig dram = gtx480();
        if (variant >= 4) dram.channels = 8;
        SliceConfig slice = {.count = dram.channels * (variant & 1 ? 4 : 2),
                             .select = variant & 2 ? SELECT_INTERLEAVE : SELECT_BANK,
                             .interleave = 384};
        if (variant >= 8) slice.hash = SLICE_POLYNOMIAL;
        else if (variant & 4 && !(variant & 2)) slice.hash = SLICE_XOR;
        AddressMap map;
        HdError err = {0};
        if (!address_map_init(&map, &slice, &dram, &err)) fail_msg("%s", err.text);
        for (unsigned i = 0; i < 2000; i++) {
            uint64_t address = random_draw(1, 2, variant, i) >> (20 + i % 30);
            SliceAddress place = address_map_split(&map, address);
            assert_true(place.slice < slice.count);
            assert_int_equal(address_map_join(&map, place), address);
            // All of a line has the same slice, and keeps its place in the line.
            assert_int_equal(address_map_split(&map, address ^ 127).slice, place.slice);
            assert_int_equal(place.address % 128, address % 128);
        }
    }
}

static void hash_spreads_a_power_of_two_stride(void **state)
{
    (void)state;
    DramConfig dram = gtx480();
    dram.channels = 8;
    SliceConfig slice = {.count = 16, .select = SELECT_BANK, .hash = SLICE_XOR};
    AddressMap map;
    HdError err = {0};
    assert_true(address_map_init(&map, &slice, &dram, &err));
    unsigned seen = 0;
    for (uint64_t i = 0; i < 8; i++) seen |= 1u << address_map_split(&map, i * 2048).slice / 2;
    assert_int_equal(seen, 0xff); // linear would put all of them on channel 0
}

// A V100 of GPGPU-Sim: the number of one of 64 slices is the channel (bits 8 to 12) and the lowest
// bank bit (13). The polynomial of degree 6 is x^6 + x + 1, so bit 14 adds x^6 = x + 1, and bit
// 14 + b the next powers: 6, 12, 24, 48, then x^11 = x^6 + x^5 = 35.
static void polynomial_slices(void **state)
{
    (void)state;
    DramConfig dram = {.channels = 32, .banks = 16, .row = 2048, .interleave = 256,
                       .map = "RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS"};
    SliceConfig slice = {.count = 64, .select = SELECT_BANK, .hash = SLICE_POLYNOMIAL};
    AddressMap map;
    HdError err = {0};
    if (!address_map_init(&map, &slice, &dram, &err)) fail_msg("%s", err.text);
    static const struct {
        uint64_t address;
        uint32_t slice;
    } places[] = {{0x100, 2}, {0x1f00, 62}, {0x2000, 1}, {0x4000, 3}, {0x8000, 6},
                  {0x10000, 12}, {0x20000, 24}, {0x40000, 48}, {0x80000, 35}};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(address_map_split(&map, places[i].address).slice, places[i].slice);
        for (unsigned k = 0; k < i; k++) // the map is linear
            assert_int_equal(
                address_map_split(&map, places[i].address ^ places[k].address).slice,
                places[i].slice ^ places[k].slice);
    }
    // Bit 14 moves the address from channel 0 to channel 1. Its place in the channel follows the
    // plain map: bits 8 to 12 are gone, so that bit 14 is bit 9.
    ChannelAddress at = address_map_channel(&map, address_map_split(&map, 0x4000));
    assert_int_equal(at.channel, 1);
    assert_int_equal(at.address, 0x200);
    // 64 strides of any power of two from a chunk on fall into different slices.
    for (unsigned bit = 8; bit < 30; bit++) {
        uint64_t seen = 0;
        for (uint64_t i = 0; i < 64; i++)
            seen |= UINT64_C(1) << address_map_split(&map, i << bit).slice;
        assert_true(!~seen);
    }
}

static void expect_error(const DramConfig *dram, const SliceConfig *slice, const char *part)
{
    AddressMap map;
    HdError err = {0};
    assert_false(address_map_init(&map, slice, dram, &err));
    if (!strstr(err.text, part)) fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void wrong_maps_are_named(void **state)
{
    (void)state;
    SliceConfig slice = {.count = 12, .select = SELECT_BANK};
    DramConfig dram = gtx480();
    strcpy(dram.map, "RRRR.RRRRRRRR.BBBCCCCB.CCSSSXSS");
    expect_error(&dram, &slice, "'X'");
    dram = gtx480();
    dram.banks = 8;
    expect_error(&dram, &slice, "name 16 banks, but dram.banks is 8");
    dram = gtx480();
    dram.row = 2048;
    expect_error(&dram, &slice, "rows of 4096 bytes");
    dram = gtx480();
    strcpy(dram.map, "RRRRRRRRRRRR.BBBCCCCCCCCCSSBS");
    dram.row = 4096;
    expect_error(&dram, &slice, "lowest 5 letters");
    dram = gtx480();
    slice.count = 13;
    expect_error(&dram, &slice, "expected a multiple of dram.channels (6)");
    slice.count = 18;
    expect_error(&dram, &slice, "power of two");
    slice.count = 12;
    slice.hash = SLICE_XOR;
    expect_error(&dram, &slice, "slice.hash");
    slice.hash = SLICE_POLYNOMIAL;
    expect_error(&dram, &slice, "slice.hash: polynomial needs a power of two");
    slice = (SliceConfig){.count = 12, .select = SELECT_INTERLEAVE, .interleave = 100};
    expect_error(&dram, &slice, "slice.interleave");
    slice.interleave = 128;
    dram.interleave = 192;
    expect_error(&dram, &slice, "dram.interleave");
    dram = gtx480();
    dram.channels = 0;
    expect_error(&dram, &slice, "dram.channels");
    dram = gtx480();
    slice = (SliceConfig){.count = 12, .select = SELECT_BANK};
    strcpy(dram.map, "RRRRRRRRRRRRBBB.CCCCC.CBSSSSSS");
    expect_error(&dram, &slice, "slice.select");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_the_gtx480_map),
        cmocka_unit_test(interleaved_slices_of_a_channel),
        cmocka_unit_test(six_slices_on_eight_channels),
        cmocka_unit_test(channels_have_no_gaps),
        cmocka_unit_test(every_mapping_can_be_undone),
        cmocka_unit_test(hash_spreads_a_power_of_two_stride),
        cmocka_unit_test(polynomial_slices),
        cmocka_unit_test(wrong_maps_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
