// Groups the lanes of a memory instruction into cache accesses, and counts the passes of a shared
// memory instruction over the banks.
#include "memory/coalesce.h"

#include "base/inline.h"

#include <string.h>

// The smallest aligned run of 1, 2 or 4 sectors around the accessed ones: a packet is halved while
// one half is not accessed.
static uint8_t span_of(uint8_t sectors)
{
    if (!(sectors & (sectors - 1))) return sectors;
    if (!(sectors & 0xc)) return 0x3;
    if (!(sectors & 0x3)) return 0xc;
    return 0xf;
}

// Open addressing from a segment's number to its access; twice as many entries as accesses.
enum { PLACES = 2 * COALESCE_MAX };

static inline unsigned place_of(uint64_t segment)
{
    return (unsigned)hash_bits(segment, 6);
}
_Static_assert(PLACES == 64, "place_of gives 6 bits");

// The access of a segment; made if there is none yet.
static unsigned find_segment(uint8_t places[PLACES], uint64_t segments[COALESCE_MAX],
                             unsigned *count, uint64_t segment)
{
    unsigned place = place_of(segment);
    while (places[place]) {
        unsigned access = places[place] - 1u;
        if (segments[access] == segment) return access;
        place = (place + 1) % PLACES;
    }
    places[place] = (uint8_t)(*count + 1);
    segments[*count] = segment;
    return (*count)++;
}

// Fills the table with the segments of `count` accesses.
static void list_segments(uint8_t places[PLACES], uint64_t segments[COALESCE_MAX], unsigned count)
{
    memset(places, 0, PLACES);
    for (unsigned made = 0; made < count;) find_segment(places, segments, &made, segments[made]);
}

// The sectors that contain some of the bytes.
static uint8_t sectors_of(const uint64_t bytes[2])
{
    return (uint8_t)(((uint32_t)bytes[0] != 0) | (bytes[0] >> 32 != 0) << 1 |
                     ((uint32_t)bytes[1] != 0) << 2 | (bytes[1] >> 32 != 0) << 3);
}
_Static_assert(SECTOR_BYTES == 32 && MAX_LINE_BYTES == 128, "sectors_of has four halves of words");

// Removes lanes from the front of *rest as long as they share a segment. Returns their access, with
// the first lane's sector.
static inline CoalescedAccess take_run(LaneMask *rest, const uint64_t *addresses, uint64_t within,
                                       uint64_t element)
{
    LaneMask left = *rest;
    uint64_t address = addresses[lanes_first(left)], segment = address & within;
    uint8_t sector = (uint8_t)(1u << address % MAX_LINE_BYTES / SECTOR_BYTES);
    CoalescedAccess run = {.line = address & ~(uint64_t)(MAX_LINE_BYTES - 1), .sectors = sector,
                           .span_sectors = sector};
    uint64_t low = 0, high = 0;
    do {
        uint64_t bytes = element << address % 64; // aligned: never across 64
        bool upper = address & 64;
        low |= upper ? 0 : bytes;
        high |= upper ? bytes : 0;
        left &= left - 1;
        if (!left) break;
        address = addresses[lanes_first(left)];
    } while ((address & within) == segment);
    run.bytes[0] = low;
    run.bytes[1] = high;
    run.lanes = *rest & ~left;
    *rest = left;
    return run;
}

// The bits of an address that name its segment. Lanes share an access within a segment.
// COALESCE_LINE: lines are those of compute capability 2.x (CUDA C Programming Guide, appendix
// "Compute Capabilities"); the smaller segments of 1 and 2 byte elements, and the halving, are its
// rules for 1.2, which GPGPU-Sim keeps up to 3.x.
static uint64_t segment_bits(CoalesceRule rule, unsigned bytes)
{
    const uint64_t segment_bytes = rule == COALESCE_SECTOR ? SECTOR_BYTES
                                   : bytes == 1            ? 32
                                   : bytes == 2            ? 64
                                                           : MAX_LINE_BYTES;
    return ~(segment_bytes - 1);
}

static void set_sectors(CoalescedAccess *accesses, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        accesses[i].sectors = sectors_of(accesses[i].bytes);
        accesses[i].span_sectors = span_of(accesses[i].sectors);
    }
}

// Whether the lanes follow each other, and their addresses are evenly spaced. *stride: how.
static inline bool is_even(LaneMask mask, const uint64_t *addresses, uint64_t *stride)
{
    unsigned first = lanes_first(mask), last = 31 - (unsigned)__builtin_clz(mask);
    LaneMask moved = mask >> first;
    if (moved & (moved + 1) || last == first) return false;
    uint64_t step = *stride = addresses[first + 1] - addresses[first];
    if (addresses[last] - addresses[first] != (last - first) * step) return false;
    uint64_t other = 0, expected = addresses[first];
    for (unsigned l = first; l <= last; l++, expected += step) other |= addresses[l] ^ expected;
    return !other;
}

// The bits of these bytes of a line, which are in one half of it.
static inline uint64_t byte_bits(unsigned first, unsigned count)
{
    return (count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first % 64;
}

// The access of these lanes to one element.
static inline CoalescedAccess access_to(uint64_t address, uint64_t element, LaneMask lanes)
{
    unsigned in_line = address % MAX_LINE_BYTES;
    uint64_t bytes = element << address % 64; // aligned: never across 64
    uint8_t sector = (uint8_t)(1u << in_line / SECTOR_BYTES);
    return (CoalescedAccess){.line = address - in_line,
                             .bytes = {in_line < 64 ? bytes : 0, in_line < 64 ? 0 : bytes},
                             .lanes = lanes,
                             .sectors = sector,
                             .span_sectors = sector};
}

// The accesses of `count` lanes, from `lane` on, to elements that follow each other.
static unsigned coalesce_dense(uint64_t address, unsigned lane, unsigned count, unsigned bytes,
                               uint64_t within, CoalescedAccess out[COALESCE_MAX])
{
    unsigned accesses = 0, shift = (unsigned)__builtin_ctz(bytes);
    for (uint64_t end = address + ((uint64_t)count << shift), next; address < end; address = next) {
        next = (address & within) - within; // the segment behind this one
        if (next > end) next = end;
        CoalescedAccess *access = &out[accesses++];
        unsigned first = address % MAX_LINE_BYTES, length = (unsigned)(next - address);
        unsigned low = first < 64 ? smaller(length, 64 - first) : 0; // bytes in the lower half
        unsigned lanes = length >> shift, last = (first + length - 1) / SECTOR_BYTES;
        uint8_t sectors = (uint8_t)((2u << last) - (1u << first / SECTOR_BYTES));
        *access = (CoalescedAccess){
            .line = address - first,
            .bytes = {low ? byte_bits(first, low) : 0,
                      length > low ? byte_bits(first + low, length - low) : 0},
            .lanes = lanes_all(lanes) << lane,
            .sectors = sectors,
            .span_sectors = span_of(sectors)};
        lane += lanes;
    }
    return accesses;
}

// The accesses of lanes that are even, if they are to one element, to elements that follow each
// other, or to a segment each. 0: they are not.
static unsigned coalesce_even(LaneMask mask, const uint64_t *addresses, uint64_t stride,
                              unsigned bytes, uint64_t within, CoalescedAccess out[COALESCE_MAX])
{
    const uint64_t element = (UINT64_C(1) << bytes) - 1;
    unsigned first = lanes_first(mask), count = lanes_count(mask);
    if (stride == bytes)
        return coalesce_dense(addresses[first], first, count, bytes, within, out);
    out[0] = access_to(addresses[first], element, stride ? (LaneMask)1 << first : mask);
    if (!stride) return 1;
    if (stride < 1 + ~within || (int64_t)stride < 0) return 0; // lanes may share a segment
    if (stride % MAX_LINE_BYTES) {
        for (unsigned i = 1; i < count; i++)
            out[i] = access_to(addresses[first + i], element, (LaneMask)1 << (first + i));
        return count;
    }
    for (unsigned i = 1; i < count; i++) { // the same bytes of each line
        out[i] = out[0];
        out[i].line += i * stride;
        out[i].lanes <<= i;
    }
    return count;
}

unsigned coalesce(CoalesceRule rule, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                  CoalescedAccess out[COALESCE_MAX])
{
    const uint64_t within = segment_bits(rule, bytes);
    uint64_t stride;
    if (mask && is_even(mask, addresses, &stride)) {
        unsigned even = coalesce_even(mask, addresses, stride, bytes, within, out);
        if (even) return even;
    }
    const uint64_t element = (UINT64_C(1) << bytes) - 1;
    uint64_t segments[COALESCE_MAX];
    uint8_t places[PLACES];
    unsigned count = 0;
    LaneMask rest = mask;
    // While each segment is above those before it, it is new.
    for (; rest; out[count++] = take_run(&rest, addresses, within, element)) {
        segments[count] = addresses[lanes_first(rest)] & within;
        if (count && segments[count] <= segments[count - 1]) break;
    }
    if (rest) list_segments(places, segments, count);
    while (rest) {
        uint64_t segment = addresses[lanes_first(rest)] & within;
        CoalescedAccess run = take_run(&rest, addresses, within, element);
        unsigned before = count, access = find_segment(places, segments, &count, segment);
        if (count != before) {
            out[access] = run;
            continue;
        }
        out[access].bytes[0] |= run.bytes[0];
        out[access].bytes[1] |= run.bytes[1];
        out[access].lanes |= run.lanes;
    }
    if (rule == COALESCE_LINE) set_sectors(out, count);
    return count;
}

// ---- lines ----

// The lines of `count` bytes from `address` on.
static unsigned dense_lines(uint64_t address, uint64_t count, WarmKind kind, uint64_t *words,
                            WarmBytes *stored)
{
    unsigned lines = 0;
    for (uint64_t end = address + count, next; address < end; address = next) {
        unsigned first = address % MAX_LINE_BYTES;
        next = smaller(address - first + MAX_LINE_BYTES, end);
        unsigned length = (unsigned)(next - address), last = first + length - 1;
        uint8_t sectors = (uint8_t)((2u << last / SECTOR_BYTES) - (1u << first / SECTOR_BYTES));
        if (warm_kind_writes(kind)) {
            unsigned low = first < 64 ? smaller(length, 64 - first) : 0; // in the lower half
            stored[lines].bits[0] = low ? byte_bits(first, low) : 0;
            stored[lines].bits[1] = length > low ? byte_bits(first + low, length - low) : 0;
        }
        words[lines++] = warm_word(0, address - first, sectors, kind);
    }
    return lines;
}

// The lines of lanes whose addresses have no order. Built for loads, and for stores.
ALWAYS_INLINE unsigned lane_lines(LaneMask mask, const uint64_t *addresses, unsigned bytes,
                                  WarmKind kind, bool writes, uint64_t *words, WarmBytes *stored)
{
    uint64_t sectors[COALESCE_MAX]; // numbers, in the order of their first lanes
    uint8_t line_of[COALESCE_MAX];  // by sector
    uint8_t places[PLACES] = {0};   // open addressing from a number to 1 + its index in `sectors`
    uint64_t before = UINT64_MAX;   // number of the last lane's sector
    unsigned count = 0, sector_count = 0, at = 0;
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
        uint64_t address = addresses[lanes_first(rest)], sector = address / SECTOR_BYTES;
        if (sector != before) {
            unsigned place = place_of(sector);
            before = sector;
            while (places[place] && sectors[places[place] - 1] != sector)
                place = (place + 1) % PLACES;
            if (!places[place]) {
                uint64_t line = address & ~(uint64_t)(MAX_LINE_BYTES - 1);
                uint8_t bit = (uint8_t)(1u << sector % (MAX_LINE_BYTES / SECTOR_BYTES));
                sectors[sector_count] = sector;
                places[place] = (uint8_t)++sector_count;
                if (count && words[count - 1] - line < MAX_LINE_BYTES) {
                    words[count - 1] |= bit;
                } else {
                    if (writes) stored[count] = (WarmBytes){{0, 0}};
                    words[count++] = warm_word(0, line, bit, kind);
                }
                if (writes) line_of[sector_count - 1] = (uint8_t)(count - 1);
            }
            at = places[place] - 1u;
        }
        if (writes) { // aligned: in one half of the line
            unsigned in_line = address % MAX_LINE_BYTES;
            stored[line_of[at]].bits[in_line / 64] |= byte_bits(in_line, bytes);
        }
    }
    return count;
}

unsigned coalesce_lines(LaneMask mask, const uint64_t *addresses, unsigned bytes, WarmKind kind,
                        uint64_t words[COALESCE_MAX], WarmBytes stored[COALESCE_MAX])
{
    uint64_t stride;
    if (mask && is_even(mask, addresses, &stride) && stride == bytes)
        return dense_lines(addresses[lanes_first(mask)], (uint64_t)lanes_count(mask) * bytes, kind,
                           words, stored);
    return warm_kind_writes(kind) ? lane_lines(mask, addresses, bytes, kind, true, words, stored)
                                  : lane_lines(mask, addresses, bytes, kind, false, words, stored);
}

unsigned coalesce_words(CoalesceRule rule, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                        CoalescedAccess out[COALESCE_MAX])
{
    const uint64_t within = segment_bits(rule, bytes);
    const uint64_t element = (UINT64_C(1) << bytes) - 1;
    uint64_t segments[COALESCE_MAX];
    uint8_t places[PLACES] = {0}, next[COALESCE_MAX]; // next access of the segment; 0: none
    unsigned count = 0;
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = lanes_first(rest), before = count, half = addresses[lane] / 64 % 2;
        uint64_t word = element << addresses[lane] % 64; // aligned: never across 64
        unsigned access = find_segment(places, segments, &count, addresses[lane] & within);
        while (count == before && out[access].bytes[half] & word) {
            if (!next[access]) next[access] = (uint8_t)count++;
            access = next[access];
        }
        if (count != before) {
            uint64_t line = addresses[lane] & ~(uint64_t)(MAX_LINE_BYTES - 1);
            out[access] = (CoalescedAccess){.line = line};
            next[access] = 0;
        }
        out[access].bytes[half] |= word;
        out[access].lanes |= (LaneMask)1 << lane;
    }
    set_sectors(out, count);
    return count;
}

// The words that the lanes of one group access, and the load of the banks.
typedef struct BankPass { // lanes of a group x words per lane: at most the lanes of a warp
    uint64_t words[HD_MAX_LANES];
    unsigned count, worst;
    uint64_t seen; // one bit per bank modulo 64 with a word; the others cannot conflict
} BankPass;

static inline void add_word(BankPass *pass, uint64_t word, unsigned banks, bool exclusive)
{
    uint64_t bank = word & (banks - 1), bit = UINT64_C(1) << bank % 64;
    unsigned crowd = 1;
    if (pass->seen & bit)
        for (unsigned i = 0; i < pass->count; i++) {
            if (pass->words[i] == word && !exclusive) return;
            crowd += (pass->words[i] & (banks - 1)) == bank;
        }
    pass->seen |= bit;
    pass->words[pass->count++] = word;
    if (crowd > pass->worst) pass->worst = crowd;
}

// The passes of a group of lanes, which access `words` words each.
static inline unsigned group_passes(const SharedBanks *banks, LaneMask group,
                                    const uint64_t *offsets, unsigned words, bool exclusive)
{
    unsigned shift = (unsigned)__builtin_ctz(banks->bytes), count = banks->count;
    BankPass pass;
    pass.count = pass.worst = 0;
    pass.seen = 0;
    for (; group; group &= group - 1) {
        uint64_t word = offsets[lanes_first(group)] >> shift;
        for (unsigned w = 0; w < words; w++) add_word(&pass, word + w, count, exclusive);
    }
    return pass.worst;
}

unsigned shared_passes(const SharedBanks *banks, LaneMask mask, const uint64_t *offsets,
                       unsigned bytes, bool exclusive)
{
    unsigned words = bytes > banks->bytes ? bytes / banks->bytes : 1; // of one lane, one per pass
    if (words == 1)
        return group_passes(banks, mask & lanes_all(banks->lanes), offsets, 1, exclusive);
    unsigned lanes = banks->lanes / words ? banks->lanes / words : 1, passes = 0;
    for (unsigned first = 0; first < banks->lanes; first += lanes)
        passes += group_passes(banks, mask & lanes_all(lanes) << first, offsets, words, exclusive);
    return passes;
}
