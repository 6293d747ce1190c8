// Address mapping: divisions, because the number of channels may be no power of two; bit selection
// within a channel.
#include "memory/address_map.h"
#include "base/bits.h"
#include "memory/cache/set_index.h"

#include <string.h>

enum { LINE_BITS = 7 }; // of MAX_LINE_BYTES: a request must not leave its slice

// Counts the letters of the map text from the lowest bit up, and sets the masks.
static bool read_map(AddressMap *map, const DramConfig *dram, unsigned *columns, HdError *err)
{
    unsigned bit = 0;
    *columns = 0;
    for (size_t i = strlen(dram->map); i-- > 0;) {
        char letter = dram->map[i];
        if (letter == '.') continue;
        if (bit >= 63) return hd_fail(err, "dram.map: expected at most 63 bits");
        if (letter == 'R')
            map->row_mask |= UINT64_C(1) << bit;
        else if (letter == 'B')
            map->bank_mask |= UINT64_C(1) << bit;
        else if (letter == 'C' || letter == 'S')
            ++*columns;
        else
            return hd_fail(err,
                           "dram.map: '%c' in \"%s\": expected R (row), B (bank), C or S (column) "
                           "or '.'",
                           letter, dram->map);
        bit++;
    }
    map->map_bits = (uint8_t)bit;
    return true;
}

static bool check_map(const AddressMap *map, const DramConfig *dram, unsigned columns, HdError *err)
{
    unsigned banks = (unsigned)__builtin_popcountll(map->bank_mask);
    if (banks > 16 || dram->banks != 1u << banks)
        return hd_fail(err, "dram.map: %u B in \"%s\" name %u banks, but dram.banks is %u", banks,
                       dram->map, banks > 16 ? 0 : 1u << banks, dram->banks);
    if (dram->row != UINT64_C(1) << columns)
        return hd_fail(err,
                       "dram.map: %u C and S in \"%s\" make rows of %llu bytes, but dram.row is "
                       "%llu bytes",
                       columns, dram->map, 1ull << columns, (unsigned long long)dram->row);
    if ((map->bank_mask | map->row_mask) & (SECTOR_BYTES - 1))
        return hd_fail(err, "dram.map: the lowest 5 letters of \"%s\" must be C or S: a sector of "
                            "32 bytes lies in one row",
                       dram->map);
    return true;
}

static bool choose_slice_bits(AddressMap *map, const SliceConfig *slice, HdError *err)
{
    if (!is_power_of_two(map->per_channel) || map->per_channel > 256)
        return hd_fail(err,
                       "slice.count: %u slices of a channel: expected a power of two with "
                       "slice.select bank; slice.select interleave takes any number",
                       map->per_channel);
    uint64_t left = map->bank_mask;
    for (uint32_t n = map->per_channel; n > 1; n /= 2) {
        if (!left || (unsigned)__builtin_ctzll(left) < LINE_BITS)
            return hd_fail(err,
                           "slice.select: bank bits at or above bit %d of dram.map are needed to "
                           "name the %u slices of a channel (slice.count %u)",
                           LINE_BITS, map->per_channel, slice->count);
        map->slice_bits[map->slice_bit_count++] = (uint8_t)__builtin_ctzll(left);
        left &= left - 1;
    }
    return true;
}

// Whether each channel serves slices of its own, and how many.
static bool nest(AddressMap *map, const SliceConfig *slice, const DramConfig *dram, HdError *err)
{
    if (!dram->channels || !slice->count)
        return hd_fail(err, "slice.count, dram.channels: expected at least 1 each");
    map->channels = dram->channels;
    map->channel_interleave = dram->interleave;
    uint32_t turns = slice->count / dram->channels;
    bool whole = slice->count % dram->channels == 0;
    if (map->by_bank && !whole)
        return hd_fail(err,
                       "slice.count: %u: expected a multiple of dram.channels (%u) with "
                       "slice.select bank; slice.select interleave takes any number",
                       slice->count, dram->channels);
    if (map->by_bank || (whole && dram->interleave == turns * slice->interleave))
        map->per_channel = turns;
    return true;
}

static bool check_interleave(const char *section, uint64_t interleave, HdError *err)
{
    if (interleave && interleave % MAX_LINE_BYTES == 0) return true;
    return hd_fail(err, "%s.interleave: %llu bytes: expected a multiple of %d (a line)", section,
                   (unsigned long long)interleave, MAX_LINE_BYTES);
}

// The number of the slice and the chunk number in the slice above it, modulo a polynomial (Rau,
// "Pseudo-randomly interleaved memory", ISCA 1991): bit b of the chunk number adds x^(n + b).
static bool init_polynomial(AddressMap *map, uint32_t slices, HdError *err)
{
    if (!is_power_of_two(slices) || slices < 2)
        return hd_fail(err, "slice.hash: polynomial needs a power of two from 2 on, not %u slices "
                            "(slice.count)",
                       slices);
    uint32_t polynomial = polynomial_smallest_irreducible(log2_floor(slices));
    uint32_t power = slices ^ polynomial; // x^n modulo the polynomial of degree n
    for (unsigned b = 0; b < sizeof map->columns / sizeof *map->columns; b++) {
        map->columns[b] = (uint16_t)power;
        power <<= 1;
        if (power & slices) power ^= polynomial;
    }
    return true;
}

static uint64_t low_bits(uint64_t x, unsigned count) { return x & ((UINT64_C(1) << count) - 1); }

// The runs of the bits that mask selects (bit 63 is none of them), which are moved together.
static void find_runs(BitRun runs[MAP_RUNS], uint64_t mask)
{
    for (unsigned to = 0; mask; runs++) {
        unsigned from = (unsigned)__builtin_ctzll(mask);
        unsigned bits = (unsigned)__builtin_ctzll(~(mask >> from));
        *runs = (BitRun){.mask = low_bits(UINT64_MAX, bits), .from = (uint8_t)from,
                         .to = (uint8_t)to};
        mask -= low_bits(mask, from + bits);
        to += bits;
    }
}

static uint64_t gather(uint64_t x, const BitRun *runs)
{
    uint64_t out = 0;
    for (; runs->mask; runs++) out |= (x >> runs->from & runs->mask) << runs->to;
    return out;
}

bool address_map_init(AddressMap *map, const SliceConfig *slice, const DramConfig *dram,
                      HdError *err)
{
    *map = (AddressMap){.by_bank = slice->select == SELECT_BANK, .hash = slice->hash};
    if (!nest(map, slice, dram, err)) return false;
    map->interleave = map->by_bank ? dram->interleave : slice->interleave;
    map->digits = map->by_bank ? dram->channels : slice->count;
    if (!check_interleave("dram", dram->interleave, err) ||
        (!map->by_bank && !check_interleave("slice", slice->interleave, err)))
        return false;
    map->shifts = is_power_of_two(map->interleave) && is_power_of_two(map->digits);
    map->interleave_bits = (uint8_t)log2_floor(map->interleave);
    map->digit_bits = (uint8_t)log2_floor(map->digits);
    if (map->hash == SLICE_XOR && !is_power_of_two(map->digits))
        return hd_fail(err, "slice.hash: xor needs a power of two, not %u %s", map->digits,
                       map->by_bank ? "channels (dram.channels)" : "slices (slice.count)");
    if (map->hash == SLICE_POLYNOMIAL && !init_polynomial(map, slice->count, err)) return false;
    unsigned columns;
    if (!read_map(map, dram, &columns, err)) return false;
    if (!check_map(map, dram, columns, err)) return false;
    find_runs(map->row_runs, map->row_mask);
    find_runs(map->bank_runs, map->bank_mask);
    map->row_bits = (uint8_t)__builtin_popcountll(map->row_mask);
    return !map->by_bank || choose_slice_bits(map, slice, err);
}

// Exclusive-or of x's pieces of digit_bits bits, with which the digit is combined.
static uint32_t fold(const AddressMap *map, uint64_t x)
{
    if (!map->digit_bits) return 0;
    uint64_t out = 0;
    for (unsigned bits = map->digit_bits; x; x >>= bits) out ^= x;
    return (uint32_t)out & (map->digits - 1);
}

// With SLICE_POLYNOMIAL: between the slice's plain number and the hashed one, in both directions.
static uint32_t hashed(const AddressMap *map, SliceAddress place)
{
    uint32_t slice = place.slice;
    if (map->hash == SLICE_POLYNOMIAL)
        for (uint64_t chunk = place.address / map->interleave; chunk; chunk &= chunk - 1)
            slice ^= map->columns[__builtin_ctzll(chunk)];
    return slice;
}

SliceAddress address_map_split(const AddressMap *map, uint64_t address)
{
    uint64_t rest, in_chunk;
    uint32_t digit;
    if (map->shifts) {
        uint64_t chunk = address >> map->interleave_bits;
        rest = chunk >> map->digit_bits;
        digit = (uint32_t)chunk & (map->digits - 1);
        in_chunk = address & (map->interleave - 1);
    } else {
        uint64_t chunk = address / map->interleave;
        rest = chunk / map->digits;
        digit = (uint32_t)(chunk % map->digits);
        in_chunk = address % map->interleave;
    }
    if (map->hash == SLICE_XOR) digit ^= fold(map, rest);
    SliceAddress place = {digit, rest * map->interleave + in_chunk};
    if (!map->by_bank) {
        place.slice = hashed(map, place);
        return place;
    }
    // Removes the bits that select the slice, from the top: lower positions stay valid.
    uint32_t in_channel = 0;
    for (unsigned i = map->slice_bit_count; i-- > 0;) {
        unsigned at = map->slice_bits[i];
        in_channel |= (uint32_t)(place.address >> at & 1) << i;
        place.address = (place.address >> at >> 1) << at | low_bits(place.address, at);
    }
    place.slice = digit * map->per_channel + in_channel;
    place.slice = hashed(map, place);
    return place;
}

// Inserts the bank bits that select the slice, which address_map_split has removed. The slice has
// its plain number.
static uint64_t restore_bank_bits(const AddressMap *map, SliceAddress place)
{
    uint64_t address = place.address, in_channel = place.slice % map->per_channel;
    for (unsigned i = 0; i < map->slice_bit_count; i++) {
        unsigned at = map->slice_bits[i];
        uint64_t bit = in_channel >> i & 1;
        address = (address >> at) << 1 << at | bit << at | low_bits(address, at);
    }
    return address;
}

uint64_t address_map_join(const AddressMap *map, SliceAddress place)
{
    place.slice = hashed(map, place);
    uint64_t local = place.address;
    uint32_t digit = place.slice;
    if (map->by_bank) {
        local = restore_bank_bits(map, place);
        digit = place.slice / map->per_channel;
    }
    uint64_t rest = local / map->interleave;
    if (map->hash == SLICE_XOR) digit ^= fold(map, rest);
    return (rest * map->digits + digit) * map->interleave + local % map->interleave;
}

ChannelAddress address_map_channel(const AddressMap *map, SliceAddress place)
{
    // The hash chooses the channel, and not the place in it.
    SliceAddress plain = {hashed(map, place), place.address};
    if (map->by_bank)
        return (ChannelAddress){place.slice / map->per_channel, restore_bank_bits(map, plain)};
    if (map->per_channel) { // the slices of a channel take turns at its chunks
        uint32_t in_channel = plain.slice % map->per_channel;
        uint64_t chunk = place.address / map->interleave * map->per_channel + in_channel;
        return (ChannelAddress){place.slice / map->per_channel,
                                chunk * map->interleave + place.address % map->interleave};
    }
    uint64_t address = address_map_join(map, place), turn = map->channel_interleave;
    uint64_t chunk = address / turn;
    return (ChannelAddress){(uint32_t)(chunk % map->channels),
                            chunk / map->channels * turn + address % turn};
}

DramPlace address_map_dram(const AddressMap *map, uint64_t channel_address)
{
    uint64_t above = channel_address >> map->map_bits;
    uint64_t row = gather(channel_address, map->row_runs);
    return (DramPlace){(uint32_t)gather(channel_address, map->bank_runs),
                       above << map->row_bits | row};
}
