// The parameters and counters of the memory side: knob tables of the sections icnt, slice, atomics
// and dram, and the tables of the counter structs.
#include "memory/memory_side.h"
#include "memory/slice/version_table.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define AT(section, field) offsetof(section, field)
#define COUNT(section, name, default_, lowest, highest, unit_, text)                               \
    {.key = #name, .type = KNOB_COUNT, .offset = AT(section, name), .value = default_,             \
     .min = lowest, .max = highest, .unit = unit_, .doc = text}
#define BYTES(section, name, default_, lowest, highest, text)                                      \
    {.key = #name, .type = KNOB_BYTES, .offset = AT(section, name), .value = default_,             \
     .min = lowest, .max = highest, .unit = "bytes", .doc = text}
#define FREQUENCY(section, default_, text)                                                         \
    {.key = "frequency", .type = KNOB_FREQUENCY, .offset = AT(section, frequency),                 \
     .value = default_, .min = 1000, .max = 20000000, .doc = text}
#define CHOICE(section, name, default_, list, text)                                                \
    {.key = #name, .type = KNOB_CHOICE, .offset = AT(section, name), .value = default_,            \
     .choices = list, .doc = text}
#define SWITCH(section, name, default_, text)                                                      \
    {.key = #name, .type = KNOB_SWITCH, .offset = AT(section, name), .value = default_,            \
     .doc = text}

static const char *const matchings[] = {"at-once", "in-turn", NULL};
static const char *const arbiters[] = {"oldest", "input-queued", NULL};

const Knob icnt_knobs[] = {
    FREQUENCY(IcntConfig, "700MHz", "Clock of the network."),
    BYTES(IcntConfig, flit, "40B", 1, 4096, "Bytes that a port moves per network cycle."),
    BYTES(IcntConfig, control, "8B", 1, 4096,
          "Bytes of a packet without data: an address or an acknowledgement."),
    COUNT(IcntConfig, latency, "4", 1, 100000, "network cycles",
          "From the last flit of a packet leaving to its arrival at the other side."),
    COUNT(IcntConfig, credits, "16", 1, 65535, "requests",
          "Requests of one SM in the input buffer of one slice or on the way to it."),
    CHOICE(IcntConfig, arbiter, "oldest", arbiters,
           "A port serves the oldest packet, or each source has a queue with head-of-line blocking "
           "and ports choose among the heads in turn."),
    {.key = "matching", .type = KNOB_CHOICE, .offset = AT(IcntConfig, matching),
     .value = "at-once", .choices = matchings, .when = "arbiter=input-queued",
     .doc = "How ports choose among the heads of the queues. All at once: at most one packet of a "
            "source passes per cycle. In turn: a port sees the heads that follow the packets which "
            "earlier ports have passed, so that a source may send to several ports."},
    {.key = "speedup", .type = KNOB_COUNT, .offset = AT(IcntConfig, speedup),
     .value = "1", .min = 1, .max = 16, .unit = "steps", .when = "arbiter=input-queued",
     .doc = "Steps of a crossbar per network cycle. With 1 a packet takes a cycle for each flit, "
            "with more a step to get its output and one for each flit."},
    {.key = "input_buffer", .type = KNOB_COUNT, .offset = AT(IcntConfig, input_buffer),
     .value = "0", .max = 1000000, .unit = "flits", .when = "arbiter=input-queued",
     .doc = "Flits of one SM that wait for the crossbar to the slices. 0: the credits alone limit "
            "them."},
    {.key = "output_buffer", .type = KNOB_COUNT, .offset = AT(IcntConfig, output_buffer),
     .value = "0", .max = 1000000, .unit = "flits", .when = "arbiter=input-queued",
     .doc = "Flits behind the crossbar that wait for one slice to take them. 0: it takes each "
            "packet at once."},
    {.key = "intake", .type = KNOB_COUNT, .offset = AT(IcntConfig, intake),
     .value = "61", .min = 1, .max = 1000000, .unit = "lookups", .when = "arbiter=input-queued",
     .doc = "With output_buffer: a slice takes no packet while this number of lookups waits at "
            "its tags."},
    {.key = "reply_buffer", .type = KNOB_COUNT, .offset = AT(IcntConfig, reply_buffer),
     .value = "73", .min = 1, .max = 1000000, .unit = "flits", .when = "arbiter=input-queued",
     .doc = "Flits of one slice that wait for the crossbar to the SMs."},
    {0},
};

static const char *const selects[] = {"bank", "interleave", NULL};
static const char *const hashes[] = {"linear", "xor", "polynomial", NULL};

static const char *const replies[] = {"request", "sectors", NULL};

const Knob slice_knobs[] = {
    FREQUENCY(SliceConfig, "700MHz", "Clock of the L2 slices."),
    COUNT(SliceConfig, count, "12", 1, 256, "slices",
          "L2 slices of the machine; with select bank a multiple of dram.channels."),
    COUNT(SliceConfig, rop_latency, "120", 0, 100000, "L2 cycles",
          "From the network port to the slice's input buffer."),
    COUNT(SliceConfig, fill_latency, "0", 0, 100000, "L2 cycles",
          "From taking a reply of the DRAM to writing it into the data array."),
    COUNT(SliceConfig, miss_latency, "100", 0, 100000, "L2 cycles",
          "From leaving the miss queue to the DRAM channel's queue."),
    CHOICE(SliceConfig, select, "bank", selects,
           "What selects a slice: channel digit and lowest bank bits, or turns of "
           "slice.interleave."),
    {.key = "interleave", .type = KNOB_BYTES, .offset = AT(SliceConfig, interleave),
     .value = "256B", .min = MAX_LINE_BYTES, .max = 1 << 30, .unit = "bytes",
     .when = "select=interleave", .doc = "Bytes that stay in one slice before the next."},
    CHOICE(SliceConfig, hash, "linear", hashes,
           "The digit that selects channel or slice: plain, or exclusive-or with the bits above "
           "it. polynomial: the slice's number and the bits above it, modulo the smallest "
           "irreducible polynomial over GF(2)."),
    COUNT(SliceConfig, reply_queue, "64", 1, 65536, "replies",
          "Packets that may wait for the network port before hits and fills stall."),
    CHOICE(SliceConfig, reply, "request", replies,
           "One packet per request after its last sector, or one per sector (stores too) as soon "
           "as it is served."),
    {.key = "write_versions", .type = KNOB_COUNT, .offset = AT(SliceConfig, write_versions),
     .value = TEXT(WRITE_VERSIONS), .min = VERSION_WAYS, .max = 1 << 20, .unit = "lines",
     .doc = "Lines written last whose versions a slice keeps, to refuse stale copy-backs; a power "
            "of two. Only if a mechanism copies back."},
    {0},
};

static const char *const atomics_packets[] = {"line", "word", NULL};
static const char *const atomics_segments[] = {"memory", "sector", NULL};

const Knob atomics_knobs[] = {
    CHOICE(AtomicsConfig, coalesce, "line", atomics_packets,
           "Lanes of a warp's global atomic that share a packet: all on one segment (line), or at "
           "most one for each word of a segment (word)."),
    CHOICE(AtomicsConfig, segment, "memory", atomics_segments,
           "Segment of a global atomic's packet: as memory.coalesce says, or a 32-byte sector."),
    COUNT(AtomicsConfig, lanes, "32", 1, HD_MAX_LANES, "lanes",
          "Lanes that may share a packet: a warp's global atomic is coalesced in groups of this "
          "many."),
    COUNT(AtomicsConfig, words, "0", 0, 64, "words",
          "Words of a sector (l2.sector) on which a slice performs atomics per L2 cycle; 0: all."),
    COUNT(AtomicsConfig, word_cycles, "0", 0, 1000, "L2 cycles",
          "From one lane's atomic on a word to the next lane's; 0: a slice combines the lanes of a "
          "packet that are on one word."),
    {0},
};

static const char *const schedulers[] = {"fcfs", "fr-fcfs", NULL};
static const char *const merges[] = {"none", "writes", "all", NULL};
#define TIMING(name, default_, lowest, text)                                                       \
    COUNT(DramConfig, name, default_, lowest, 100000, "command cycles", text)

const Knob dram_knobs[] = {
    FREQUENCY(DramConfig, "924MHz", "Command clock."),
    COUNT(DramConfig, channels, "6", 1, 256, "channels", "Channels of the machine."),
    COUNT(DramConfig, banks, "16", 1, 64, "banks",
          "Banks of a channel; as many as dram.map has."),
    COUNT(DramConfig, bank_groups, "4", 1, 64, "groups",
          "Bank groups (bank modulo groups); tCCDL holds within one."),
    BYTES(DramConfig, row, "4KiB", 32, 1 << 20, "Row buffer of a bank; as large as in dram.map."),
    BYTES(DramConfig, bus, "8B", 1, 4096, "Width of a channel's data bus."),
    BYTES(DramConfig, interleave, "256B", MAX_LINE_BYTES, 1 << 30,
          "Bytes that stay in one channel before the next."),
    COUNT(DramConfig, burst, "8", 1, 256, "transfers",
          "Transfers of a burst; those that a sector does not need are wasted."),
    COUNT(DramConfig, data_rate, "4", 1, 64, "transfers per cycle",
          "Transfers per command cycle (GDDR5: 4)."),
    CHOICE(DramConfig, scheduler, "fr-fcfs", schedulers,
           "Order within a bank: oldest first, or requests to the open row before the others."),
    COUNT(DramConfig, queue, "64", 1, 65536, "requests",
          "Sector requests that a channel's queue holds."),
    COUNT(DramConfig, return_queue, "116", 1, 65536, "sectors",
          "Sectors read, or being read, that slices have not yet taken."),
    TIMING(tCL, "12", 1, "Read command to first data."),
    TIMING(tRCD, "12", 1, "Activate to read or write in the bank."),
    TIMING(tRCDWR, "0", 0, "Activate to write in the bank; 0: as tRCD."),
    TIMING(tRP, "12", 1, "Precharge to activate in the bank."),
    TIMING(tRAS, "28", 1, "Activate to precharge in the bank."),
    TIMING(tRC, "40", 1, "Activate to activate in the bank."),
    TIMING(tRRD, "6", 1, "Activate to activate in another bank."),
    TIMING(tWR, "12", 0, "End of write data to precharge in the bank."),
    TIMING(tCCD, "2", 1, "Read or write to read or write, any banks."),
    TIMING(tCCDL, "3", 1, "Read or write to read or write, same bank group."),
    TIMING(tWL, "4", 1, "Write command to first data."),
    TIMING(tCDLR, "5", 0, "End of write data to read command."),
    TIMING(tRTPL, "2", 0, "Read to precharge in the bank."),
    COUNT(DramConfig, refresh_interval, "0", 0, 1000000000, "command cycles",
          "Between refreshes of all banks; 0: none."),
    COUNT(DramConfig, refresh_cycles, "0", 0, 1000000, "command cycles",
          "For which a refresh keeps the banks busy."),
    SWITCH(DramConfig, dual_bus, "off",
           "Row and column commands have a bus each (HBM); off: one command per cycle."),
    SWITCH(DramConfig, bank_request, "off",
           "A bank takes the request that it serves next out of the queue, and keeps it until it "
           "is done; off: it prefers a later request that hits the open row."),
    CHOICE(DramConfig, merge_sectors, "none", merges,
           "Which waiting requests for sectors of the same burst are merged into one burst."),
    {.key = "map", .type = KNOB_TEXT, .offset = AT(DramConfig, map),
     .value = "RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS",
     .doc = "Address bits within a channel, highest first: R row, B bank, C and S column; bits "
            "above belong to the row."},
    {0},
};

STAT_TABLE(icnt_table, IcntCounters, ICNT_COUNTERS);
STAT_TABLE(cache_table, CacheCounters, CACHE_COUNTERS);
STAT_TABLE(dram_table, DramCounters, DRAM_COUNTERS);
STAT_TABLE(access_table, AccessCounters, ACCESS_COUNTERS);
