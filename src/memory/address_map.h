// The map of addresses: the L2 slice of an address, its DRAM channel, bank and row.
//
// There are three address spaces: the guest's; the slice's (only the bytes of that slice, without
// gaps, so that its cache's sets are used evenly); the channel's (only the bytes of that channel,
// without gaps: banks and rows are taken from it).
//
// Slices take turns every slice.interleave bytes and channels every dram.interleave bytes, each in
// its own count. If a channel's turn is as long as one turn each of slice.count / dram.channels
// slices, the maps nest: these slices use that channel alone. With SELECT_BANK they always nest. If
// they do not nest, slice.hash moves addresses between slices and not between channels.
#ifndef HEDDLE_MEMORY_ADDRESS_MAP_H
#define HEDDLE_MEMORY_ADDRESS_MAP_H

#include "memory/memory_side.h"

// Bits of an address that lie together, and where they go.
typedef struct BitRun {
    uint64_t mask; // of the bits after they were moved; 0: there are none
    uint8_t from, to;
} BitRun;
enum { MAP_RUNS = 33 }; // in 64 bits, and an empty one

typedef struct AddressMap {
    uint64_t interleave; // bytes between two values of the digit
    uint32_t digits;     // values of the digit that names a channel (SELECT_BANK) or a slice
    bool shifts;         // both are powers of two: their logarithms are
    uint8_t interleave_bits, digit_bits;
    uint32_t per_channel; // the maps nest: slices of a channel; 0: any slice may use any channel
    uint64_t channel_interleave; // per_channel 0: bytes of a channel's turn
    uint32_t channels;           // per_channel 0: channels that take turns
    bool by_bank;
    uint32_t hash; // SliceHash
    uint8_t slice_bits[8], slice_bit_count; // SELECT_BANK: positions of the slice's bits
    uint8_t map_bits;                       // of the DRAM map; bits above it belong to the row
    uint64_t row_mask, bank_mask;
    BitRun row_runs[MAP_RUNS], bank_runs[MAP_RUNS]; // the same, run by run; the last ones are empty
    uint8_t row_bits;
    // SLICE_POLYNOMIAL: by bit of the chunk number in the slice, its contribution to the slice.
    uint16_t columns[64];
} AddressMap;

// Reads dram->map and checks it against the other parameters. false and err: what does not fit, by
// its key.
bool address_map_init(AddressMap *map, const SliceConfig *slice, const DramConfig *dram,
                      HdError *err);

typedef struct SliceAddress {
    uint32_t slice;
    uint64_t address; // in the slice's space
} SliceAddress;
SliceAddress address_map_split(const AddressMap *map, uint64_t address);
// The inverse of address_map_split: the guest's address of a slice's address.
uint64_t address_map_join(const AddressMap *map, SliceAddress place);

// The channel of a slice's address. The bytes of a line are together, in one channel. If the maps
// nest the channel is slice / per_channel.
typedef struct ChannelAddress {
    uint32_t channel;
    uint64_t address; // in the channel's space
} ChannelAddress;
ChannelAddress address_map_channel(const AddressMap *map, SliceAddress place);

typedef struct DramPlace {
    uint32_t bank;
    uint64_t row;
} DramPlace;
DramPlace address_map_dram(const AddressMap *map, uint64_t channel_address);

#endif
