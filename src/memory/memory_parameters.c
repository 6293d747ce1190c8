// The parameters and counters of the memory side: the tables of the sections icnt, slice, atomics
// and dram, and the tables of the counter structs.
#include "config/rows.h"
#include "memory/memory_side.h"
#include "memory/slice/version_table.h"

static const char *const matchings[] = {
    [MATCHING_AT_ONCE] = "at-once", [MATCHING_IN_TURN] = "in-turn", NULL,
};
static const char *const arbiters[] = {
    [ARBITER_OLDEST] = "oldest", [ARBITER_INPUT_QUEUED] = "input-queued", NULL,
};

const HdParameter icnt_parameters[] = {
    FREQUENCY(IcntConfig, frequency, "700MHz", 1000, 20000000, "Clock of the network."),
    BYTES(IcntConfig, flit, "40B", 1, 4096, "Bytes that a port moves per network cycle."),
    BYTES(IcntConfig, control, "8B", 1, 4096,
          "Bytes of a packet without data: an address or an acknowledgement."),
    WHOLE(IcntConfig, latency, 4, 1, 100000, "network cycles",
          "From the last flit of a packet leaving to its arrival at the other side."),
    WHOLE(IcntConfig, credits, 16, 1, 65535, "requests",
          "Requests of one SM in the input buffer of one slice or on the way to it."),
    CHOICE(IcntConfig, arbiter, "oldest", arbiters,
           "A port serves the oldest packet, or each source has a queue with head-of-line blocking "
           "and ports choose among the heads in turn."),
    CHOICE(IcntConfig, matching, "at-once", matchings,
           "How ports choose among the heads of the queues. All at once: at most one packet of a "
           "source passes per cycle. In turn: a port sees the heads that follow the packets which "
           "earlier ports have passed, so that a source may send to several ports.",
           .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, speedup, 1, 1, 16, "steps",
          "Steps of a crossbar per network cycle. With 1 a packet takes a cycle for each flit, "
          "with more a step to get its output and one for each flit.",
          .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, allocation, 0, 0, 16, "steps",
          "Steps for which a packet that has passed still keeps its input and its output, until "
          "the next one has been allocated a virtual channel.", .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, input_buffer, 0, 0, 1000000, "flits",
          "Flits of one SM that wait for the crossbar to the slices. 0: the credits alone limit "
          "them.", .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, output_buffer, 0, 0, 1000000, "flits",
          "Flits behind the crossbar that wait for one slice to take them. 0: it takes each "
          "packet at once.", .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, intake, 61, 1, 1000000, "lookups",
          "With output_buffer: a slice takes no packet while this number of lookups waits at its "
          "tags.", .when = "arbiter=input-queued"),
    WHOLE(IcntConfig, reply_buffer, 73, 1, 1000000, "flits",
          "Flits of one slice that wait for the crossbar to the SMs.",
          .when = "arbiter=input-queued"),
    {0},
};

static const char *const selects[] = {
    [SELECT_BANK] = "bank", [SELECT_INTERLEAVE] = "interleave", NULL,
};
static const char *const hashes[] = {
    [SLICE_LINEAR] = "linear", [SLICE_XOR] = "xor", [SLICE_POLYNOMIAL] = "polynomial", NULL,
};

static const char *const port_bytes[] = {
    [PORT_BY_LOOKUP] = "lookup", [PORT_BY_ACCESS] = "access", NULL,
};
static const char *const replies[] = {
    [REPLY_REQUEST] = "request", [REPLY_SECTORS] = "sectors", NULL,
};

const HdParameter slice_parameters[] = {
    FREQUENCY(SliceConfig, frequency, "700MHz", 1000, 20000000, "Clock of the L2 slices."),
    WHOLE(SliceConfig, count, 12, 1, 256, "slices",
          "L2 slices of the machine; with select bank a multiple of dram.channels."),
    WHOLE(SliceConfig, rop_latency, 120, 0, 100000, "L2 cycles",
          "From the network port to the slice's input buffer."),
    WHOLE(SliceConfig, fill_latency, 0, 0, 100000, "L2 cycles",
          "From taking a reply of the DRAM to writing it into the data array."),
    WHOLE(SliceConfig, miss_latency, 100, 0, 100000, "L2 cycles",
          "From leaving the miss queue to the DRAM channel's queue."),
    CHOICE(SliceConfig, select, "bank", selects,
           "What selects a slice: channel digit and lowest bank bits, or turns of "
           "slice.interleave."),
    BYTES(SliceConfig, interleave, "256B", MAX_LINE_BYTES, 1 << 30,
          "Bytes that stay in one slice before the next.", .when = "select=interleave"),
    CHOICE(SliceConfig, hash, "linear", hashes,
           "The digit that selects channel or slice: plain, or exclusive-or with the bits above "
           "it. polynomial: the slice's number and the bits above it, modulo the smallest "
           "irreducible polynomial over GF(2)."),
    WHOLE(SliceConfig, reply_queue, 64, 1, 65536, "replies",
          "Packets that may wait for the network port before hits and fills stall."),
    CHOICE(SliceConfig, reply, "request", replies,
           "One packet per request after its last sector, or one per sector (stores too) as soon "
           "as it is served."),
    CHOICE(SliceConfig, port_bytes, "lookup", port_bytes,
           "Bytes that a lookup moves through the data port (l2.port). lookup: l2.sector, on a hit "
           "and for a store that the cache takes. access: on a hit the sectors of 32 bytes that "
           "the request reads or writes, on a miss what is written back to make room."),
    WHOLE(SliceConfig, write_versions, WRITE_VERSIONS, VERSION_WAYS, 1 << 20, "lines",
          "Lines written last whose versions a slice keeps, to refuse stale copy-backs; a power "
          "of two. Only if a mechanism copies back."),
    {0},
};

static const char *const atomics_packets[] = {
    [ATOMICS_BY_LINE] = "line", [ATOMICS_BY_WORD] = "word", NULL,
};
static const char *const atomics_segments[] = {
    [ATOMICS_SEGMENT_MEMORY] = "memory", [ATOMICS_SEGMENT_SECTOR] = "sector", NULL,
};

const HdParameter atomics_parameters[] = {
    CHOICE(AtomicsConfig, coalesce, "line", atomics_packets,
           "Lanes of a warp's global atomic that share a packet: all on one segment (line), or at "
           "most one for each word of a segment (word)."),
    CHOICE(AtomicsConfig, segment, "memory", atomics_segments,
           "Segment of a global atomic's packet: as memory.coalesce says, or a 32-byte sector."),
    WHOLE(AtomicsConfig, lanes, 32, 1, HD_MAX_LANES, "lanes",
          "Lanes that may share a packet: a warp's global atomic is coalesced in groups of this "
          "many."),
    WHOLE(AtomicsConfig, words, 0, 0, 64, "words",
          "Words of a sector (l2.sector) on which a slice performs atomics per L2 cycle; 0: all."),
    WHOLE(AtomicsConfig, word_cycles, 0, 0, 1000, "L2 cycles",
          "From one lane's atomic on a word to the next lane's; 0: a slice combines the lanes of a "
          "packet that are on one word."),
    {0},
};

static const char *const schedulers[] = {"fcfs", "fr-fcfs", NULL};
static const char *const merges[] = {
    [MERGE_NONE] = "none", [MERGE_WRITES] = "writes", [MERGE_ALL] = "all", NULL,
};
static const char *const prefetch_orders[] = {
    [PREFETCHES_AS_READS] = "as-reads", [PREFETCHES_LAST] = "last", NULL,
};
#define TIMING(name, default_, lowest, text)                                                       \
    WHOLE(DramConfig, name, default_, lowest, 100000, "command cycles", text)

const HdParameter dram_parameters[] = {
    FREQUENCY(DramConfig, frequency, "924MHz", 1000, 20000000, "Command clock."),
    WHOLE(DramConfig, channels, 6, 1, 256, "channels", "Channels of the machine."),
    WHOLE(DramConfig, banks, 16, 1, 64, "banks",
          "Banks of a channel; as many as dram.map has."),
    WHOLE(DramConfig, bank_groups, 4, 1, 64, "groups",
          "Bank groups (bank modulo groups); tCCDL holds within one."),
    BYTES(DramConfig, row, "4KiB", 32, 1 << 20, "Row buffer of a bank; as large as in dram.map."),
    BYTES(DramConfig, bus, "8B", 1, 4096, "Width of a channel's data bus."),
    BYTES(DramConfig, interleave, "256B", MAX_LINE_BYTES, 1 << 30,
          "Bytes that stay in one channel before the next."),
    WHOLE(DramConfig, burst, 8, 1, 256, "transfers",
          "Transfers of a burst; those that a sector does not need are wasted."),
    WHOLE(DramConfig, data_rate, 4, 1, 64, "transfers per cycle",
          "Transfers per command cycle (GDDR5: 4)."),
    CHOICE(DramConfig, scheduler, "fr-fcfs", schedulers,
           "Order within a bank: oldest first, or requests to the open row before the others."),
    WHOLE(DramConfig, queue, 64, 1, 65536, "requests",
          "Sector requests that a channel's queue holds."),
    WHOLE(DramConfig, bank_queue, 0, 0, 65536, "requests",
          "Of these, requests to one bank; 0: all."),
    CHOICE(DramConfig, prefetches, "as-reads", prefetch_orders,
           "When a bank serves the prefetches of mechanisms: as other reads, or only while no "
           "other request waits for it (last). A demand access to data on their way makes their "
           "prefetch a demand request; if they are on their way to an L1D, its SM sends a packet "
           "to the slice."),
    SWITCH(DramConfig, drop_prefetches, false,
           "A request for which the queue has no room drops the prefetches that wait there: those "
           "of its bank or, if the whole queue is full, all. Demand accesses promote prefetches as "
           "with prefetches: last."),
    WHOLE(DramConfig, return_queue, 116, 1, 65536, "sectors",
          "Sectors read, or being read, that slices have not yet taken."),
    TIMING(tCL, 12, 1, "Read command to first data."),
    TIMING(tRCD, 12, 1, "Activate to read or write in the bank."),
    TIMING(tRCDWR, 0, 0, "Activate to write in the bank; 0: as tRCD."),
    TIMING(tRP, 12, 1, "Precharge to activate in the bank."),
    TIMING(tRAS, 28, 1, "Activate to precharge in the bank."),
    TIMING(tRC, 40, 1, "Activate to activate in the bank."),
    TIMING(tRRD, 6, 1, "Activate to activate in another bank."),
    TIMING(tWR, 12, 0, "End of write data to precharge in the bank."),
    TIMING(tCCD, 2, 1, "Read or write to read or write, any banks."),
    TIMING(tCCDL, 3, 1, "Read or write to read or write, same bank group."),
    TIMING(tWL, 4, 1, "Write command to first data."),
    TIMING(tCDLR, 5, 0, "End of write data to read command."),
    TIMING(tRTPL, 2, 0, "Read to precharge in the bank."),
    WHOLE(DramConfig, refresh_interval, 0, 0, 1000000000, "command cycles",
          "Between refreshes of all banks; 0: none."),
    WHOLE(DramConfig, refresh_cycles, 0, 0, 1000000, "command cycles",
          "For which a refresh keeps the banks busy."),
    SWITCH(DramConfig, dual_bus, false,
           "Row and column commands have a bus each (HBM); off: one command per cycle."),
    SWITCH(DramConfig, bank_request, false,
           "A bank takes the request that it serves next out of the queue, and keeps it until it "
           "is done; off: it prefers a later request that hits the open row."),
    CHOICE(DramConfig, merge_sectors, "none", merges,
           "Which waiting requests for sectors of the same burst are merged into one burst."),
    ROW(DramConfig, map, "map", HD_TEXT,
        "Address bits within a channel, highest first: R row, B bank, C and S column; bits above "
        "belong to the row.", .text = "RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS"),
    {0},
};

STAT_TABLE(icnt_table, IcntCounters, ICNT_COUNTERS);
STAT_TABLE(cache_table, CacheCounters, CACHE_COUNTERS);
STAT_TABLE(dram_table, DramCounters, DRAM_COUNTERS);
STAT_TABLE(access_table, AccessCounters, ACCESS_COUNTERS);
