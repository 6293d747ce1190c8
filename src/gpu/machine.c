// The machine: the sections of a machine file, and the checks across sections.
#include "gpu/machine.h"

#include "base/bits.h"
#include "base/number.h"
#include "config/rows.h"
#include "core/warpset.h"
#include "memory/coalesce.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTER_BYTES = 4 };

static const char *const capabilities[] = {"2.0", "2.1", "3.0", "3.2", "3.5", "3.7",  "5.0",
                                           "5.2", "5.3", "6.0", "6.1", "6.2", "7.0",  "7.2",
                                           "7.5", "8.0", "8.6", "8.7", "8.9", "9.0",  "10.0",
                                           "10.3", "11.0", "12.0", "12.1", NULL};

static const HdParameter gpu_parameters[] = {
    WHOLE(GpuConfig, sms, 15, 1, 1024, "SMs", "Streaming multiprocessors."),
    CHOICE(GpuConfig, capability, "2.0", capabilities,
           "Compute capability that is reported to CUDA programs."),
    {0},
};

static const HdParameter ptx_parameters[] = {
    SWITCH(PtxConfig, contract, false,
           "A mul and an add or sub without rounding modifiers become one fused multiply-add, by "
           "the rule of ptxas (src/ptx/contract.c)."),
    {0},
};

static const ConfigSection sections[] = {
    {"gpu", gpu_parameters, offsetof(Machine, gpu), "The whole GPU."},
    {"ptx", ptx_parameters, offsetof(Machine, ptx), "What PTX becomes before it runs."},
    {"core", core_parameters, offsetof(Machine, core),
     "One SM: clock, warps, schedulers, resources."},
    {"scalar", scalar_parameters, offsetof(Machine, scalar), "Execution of scalar instructions."},
    {"frontend", frontend_parameters, offsetof(Machine, frontend),
     "Fetch, decode, instruction buffers."},
    {"operand", operand_parameters, offsetof(Machine, operand),
     "Register file and operand collectors."},
    {"units", unit_parameters, offsetof(Machine, units), "Execution units."},
    {"latency", latency_parameters, offsetof(Machine, latency), "Latency by class of instruction."},
    {"initiation", initiation_parameters, offsetof(Machine, initiation),
     "Initiation interval by class of instruction."},
    {"shared", shared_parameters, offsetof(Machine, shared), "Shared memory."},
    {"l1d", l1d_parameters, offsetof(Machine, l1d), "First-level data cache of an SM."},
    {"l1i", cache_parameters, offsetof(Machine, l1i), "Instruction cache of an SM."},
    {"l1c", cache_parameters, offsetof(Machine, l1c), "Constant cache of an SM."},
    {"l1r", cache_parameters, offsetof(Machine, l1r), "Read-only data (texture) cache of an SM."},
    {"l15", l15_parameters, offsetof(Machine, l15),
     "L1.5 of an SM, behind its constant and instruction caches."},
    {"memory", path_parameters, offsetof(Machine, path), "Path of memory accesses."},
    {"launch", launch_parameters, offsetof(Machine, launch),
     "Block dispatch, and the time between launches."},
    {"icnt", icnt_parameters, offsetof(Machine, icnt), "Interconnect between SMs and L2."},
    {"slice", slice_parameters, offsetof(Machine, slice), "L2 slices: number, clock, address map."},
    {"atomics", atomics_parameters, offsetof(Machine, atomics),
     "Global atomics: packets to the L2, and its atomic units."},
    {"l2", cache_parameters, offsetof(Machine, l2), "The cache of one L2 slice."},
    {"dram", dram_parameters, offsetof(Machine, dram), "DRAM channels."},
    {NULL, NULL, 0, NULL},
};
const ConfigSchema machine_schema = {sections, sizeof(Machine)};

unsigned machine_capability(const Machine *machine)
{
    char *end;
    unsigned long major = strtoul(capabilities[machine->gpu.capability], &end, 10);
    return (unsigned)(10 * major + strtoul(end + 1, NULL, 10));
}

enum { CAPABILITY_255_REGISTERS = 32 }; // 10 x compute capability from which a thread may have 255

uint32_t machine_issue_width(const Machine *machine)
{
    const CoreConfig *core = &machine->core;
    bool waves = machine->scalar.mode == SCALAR_WAVES; // with one warp in each lane
    return core->schedulers * core->issue *
           (waves ? core_group_lanes(core) : 1u << core->paired);
}

uint32_t machine_most_registers(const Machine *machine)
{
    return machine_capability(machine) < CAPABILITY_255_REGISTERS ? 63 : 255;
}

// ---- occupancy ----

uint64_t machine_block_shared(const Machine *machine, uint64_t shared)
{
    return round_up(shared + machine->core.shared_reserved, machine->core.shared_unit);
}

unsigned machine_occupancy(const Machine *machine, unsigned threads, unsigned registers,
                           uint64_t shared, const char **limit, HdError *err)
{
    const CoreConfig *c = &machine->core;
    if (c->block_shared && shared > c->block_shared) {
        hd_fail(err,
                "a block needs %" PRIu64 " bytes of shared memory: expected at most %" PRIu64
                " (core.block_shared)",
                shared, c->block_shared);
        return 0;
    }
    uint64_t warps = divide_up(threads, c->width), padded = warps * c->width;
    uint64_t per_warp = round_up((uint64_t)registers * c->width, c->register_unit);
    uint64_t usable = c->registers; // by whole allocation units of warps
    if (per_warp) {
        uint64_t resident = c->registers / per_warp;
        usable = (resident - resident % c->warp_unit) * per_warp;
    }
    struct {
        const char *name, *unit;
        uint64_t have, need;
    } limits[] = {
        {"blocks", "blocks", c->blocks, 1},
        {"threads", "threads", c->threads, padded},
        {"registers", "registers", usable, per_warp * warps},
        {"shared memory", "bytes of shared memory", c->shared,
         machine_block_shared(machine, shared)},
    };
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!limits[i].need) continue;
        uint64_t fit = limits[i].have / limits[i].need;
        if (!fit) {
            hd_fail(err,
                    "a block of %u threads does not fit on an SM: it needs %" PRIu64 " %s, the SM "
                    "has %" PRIu64,
                    threads, limits[i].need, limits[i].unit, limits[i].have);
            return 0;
        }
        if (fit < best) {
            best = fit;
            *limit = limits[i].name;
        }
    }
    return (unsigned)best;
}

uint32_t machine_spare_registers(const Machine *machine, unsigned threads, uint32_t registers,
                                 uint64_t shared, uint32_t most)
{
    const char *limit;
    uint32_t all = machine_most_registers(machine), spare = 0;
    unsigned fit = machine_occupancy(machine, threads, registers, shared, &limit, NULL);
    while (spare < most && registers + spare < all &&
           machine_occupancy(machine, threads, registers + spare + 1, shared, &limit, NULL) >= fit)
        spare++;
    return spare;
}

// ---- L1D geometry ----

static uint32_t ways_for(uint64_t lines)
{
    for (uint32_t ways = 4; ways <= lines; ways++)
        if (lines % ways == 0 && is_power_of_two(lines / ways)) return ways;
    return (uint32_t)lines;
}

SmUse machine_use(const Machine *machine, unsigned blocks, unsigned threads, unsigned registers,
                  uint64_t shared)
{
    uint64_t padded = round_up(threads, machine->core.width);
    return (SmUse){.block_shared = shared,
                   .shared = blocks * machine_block_shared(machine, shared),
                   .registers = blocks * padded * registers * REGISTER_BYTES};
}

CacheConfig machine_l1d(const Machine *machine, const SmUse *use)
{
    CacheConfig c = machine->l1d;
    const PathConfig *path = &machine->path;
    if (c.mode != CACHE_ON) {
        c.size = 0;
        return c;
    }
    if (path->l1_sizing == L1_BY_SHARED_NEED && use->block_shared <= path->l1_large_shared)
        c.size = path->l1_large;
    if (path->l1_sizing == L1_UNIFIED || path->l1_sizing == L1_UNIFIED_REGISTERS) {
        uint64_t rest = path->unified - use->shared;
        if (path->l1_sizing == L1_UNIFIED_REGISTERS) rest -= use->registers;
        uint64_t set = c.line * (c.ways && c.ways != WAYS_ALL ? c.ways : 1);
        c.size = rest - rest % set;
    }
    if (!c.ways) c.ways = ways_for(c.size / c.line);
    return c;
}

// ---- checks ----

typedef struct Notes {
    char *text;
    size_t size, used;
} Notes;

static void note(Notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(Notes *n, const char *format, ...)
{
    if (n->used + 1 >= n->size) return;
    va_list args;
    va_start(args, format);
    int wrote = number_format_list(n->text + n->used, n->size - n->used, format, args);
    va_end(args);
    n->used += wrote > 0 ? (size_t)wrote : 0;
}

static bool check_cache(const CacheConfig *config, const char *name, HdError *err)
{
    Cache *cache = cache_new(config, name, 0, err);
    cache_free(cache);
    return cache;
}

// Instructions and constants are fetched by lines, so that these caches cannot be off.
static bool check_mode(const CacheConfig *config, const char *name, const char *expected,
                       HdError *err)
{
    return config->mode != CACHE_OFF ||
           hd_fail(err, "%s.mode = off: expected %s, because its data come by lines", name,
                   expected);
}

// Only an L1D gives data to accesses that have no MSHR entry.
static bool check_bypass(const Machine *m, HdError *err)
{
    const struct {
        const CacheConfig *config;
        const char *name;
    } others[] = {{&m->l1i, "l1i"}, {&m->l1c, "l1c"}, {&m->l1r, "l1r"}, {&m->l15.cache, "l15"},
                  {&m->l2, "l2"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].config->bypass_mshr != BYPASS_MSHR_ON)
            return hd_fail(err, "%s.bypass_mshr = off: expected on; only l1d can do without",
                           others[i].name);
    return true;
}

// What the L1.5 fetches for a miss has the whole line that missed.
static bool check_l15(const Machine *m, HdError *err)
{
    const CacheConfig *c = &m->l15.cache;
    bool instructions = m->l15.instructions && m->l1i.line > m->l1c.line;
    uint64_t line = instructions ? m->l1i.line : m->l1c.line;
    if (!l15_exists(&m->l15)) return true;
    if (!check_cache(c, "l15", err)) return false;
    return c->sector >= line ||
           hd_fail(err, "l15.sector = %" PRIu64 "B: expected at least %s.line (%" PRIu64
                        "B), because a miss there is one look-up here",
                   c->sector, instructions ? "l1i" : "l1c", line);
}

// A unified store holds what blocks can take of it, and an L1D.
static bool check_unified(const Machine *m, HdError *err)
{
    bool registers = m->path.l1_sizing == L1_UNIFIED_REGISTERS;
    uint64_t all = (uint64_t)m->core.registers * REGISTER_BYTES;
    if (m->path.l1_sizing == L1_UNIFIED && m->path.unified <= m->core.shared)
        return hd_fail(err,
                       "memory.unified = %" PRIu64 "B: expected more than core.shared (%" PRIu64
                       "B), the rest is the L1D",
                       m->path.unified, m->core.shared);
    if (registers && m->path.unified <= m->core.shared + all)
        return hd_fail(err,
                       "memory.unified = %" PRIu64 "B: expected more than core.shared (%" PRIu64
                       "B) and core.registers (%" PRIu64 "B) together, the rest is the L1D",
                       m->path.unified, m->core.shared, all);
    if (registers && m->l1d.mode == CACHE_ON && m->l1d.ways != WAYS_ALL &&
        m->l1d.index != INDEX_LINEAR && m->l1d.index != INDEX_PRIME)
        return hd_fail(err, "memory.l1_sizing = unified-registers: expected l1d.index = linear or "
                            "prime, because the L1D can have any number of sets");
    return true;
}

static bool check_caches(const Machine *m, HdError *err)
{
    if (!check_bypass(m, err)) return false;
    if (!check_mode(&m->l1i, "l1i", "cache or unbounded (or frontend.perfect)", err) ||
        !check_mode(&m->l1c, "l1c", "cache or unbounded", err))
        return false;
    if (!check_unified(m, err)) return false;
    static const char *const names[] = {[L1_FIXED] = "l1d",
                                        [L1_BY_SHARED_NEED] = "l1d of memory.l1_large",
                                        [L1_UNIFIED] = "l1d of memory.unified",
                                        [L1_UNIFIED_REGISTERS] = "l1d of memory.unified"};
    const char *name = names[m->path.l1_sizing];
    SmUse all = {m->core.shared, m->core.shared, (uint64_t)m->core.registers * REGISTER_BYTES};
    CacheConfig largest = machine_l1d(m, &(SmUse){0}), smallest = machine_l1d(m, &all);
    bool by_need = m->path.l1_sizing == L1_BY_SHARED_NEED; // the smaller size is then l1d.size
    if (!check_cache(&largest, name, err) || !check_cache(&smallest, by_need ? "l1d" : name, err))
        return false;
    if (!check_cache(&m->l1i, "l1i", err) || !check_cache(&m->l1c, "l1c", err) ||
        !check_cache(&m->l1r, "l1r", err) || !check_l15(m, err) ||
        !check_cache(&m->l2, "l2", err))
        return false;
    if (m->l1d.line != MAX_LINE_BYTES)
        return hd_fail(err, "l1d.line = %" PRIu64 "B: expected %dB, the line of the coalescer",
                       m->l1d.line, MAX_LINE_BYTES);
    if (m->l1d.sector != m->l1d.line && m->l1d.sector != SECTOR_BYTES)
        return hd_fail(err, "l1d.sector = %" PRIu64 "B: expected the whole line or %dB",
                       m->l1d.sector, SECTOR_BYTES);
    if (m->l1d.sector != m->l1d.line && m->path.coalesce != COALESCE_SECTOR)
        return hd_fail(err, "l1d.sector = %dB requires memory.coalesce: sector", SECTOR_BYTES);
    if (m->l1d.write == WRITE_BACK)
        return hd_fail(err, "l1d.write = back: expected evict or through: L1s are not coherent, so "
                            "that other SMs would not see stores (l1d.local_write may be back)");
    if (m->l1i.line != MAX_LINE_BYTES)
        return hd_fail(err, "l1i.line = %" PRIu64 "B: expected %dB", m->l1i.line,
                       MAX_LINE_BYTES);
    if (m->l1i.sector != m->l1i.line)
        return hd_fail(err, "l1i.sector = %" PRIu64 "B: expected %dB, the whole line, which a "
                            "fetch that misses brings", m->l1i.sector, MAX_LINE_BYTES);
    return true;
}

static bool check_operands(const OperandConfig *operand, unsigned schedulers, HdError *err)
{
    if (operand->banks_of == BANKS_OF_SCHEDULER && operand->banks % schedulers)
        return hd_fail(err, "operand.banks = %u: expected a multiple of core.schedulers (%u), "
                            "because of operand.banks_of: scheduler",
                       operand->banks, schedulers);
    // The delay is known for collectors that take and read one operand of a bank per cycle.
    if (operand->mem_collect == COLLECT_BEHIND_WRITES &&
        (operand->passes != 1 || operand->shared_collectors))
        return hd_fail(err, "operand.mem_collect = behind-writes: expected operand.passes = 1 (is "
                            "%u) and operand.shared_collectors = 0 (is %u)",
                       operand->passes, operand->shared_collectors);
    return true;
}

// Issue groups, and scalar instructions.
static bool check_groups(const Machine *m, HdError *err)
{
    const CoreConfig *c = &m->core;
    bool scalar = m->scalar.mode != SCALAR_OFF;
    if (c->paired && core_group_lanes(c) > HD_MAX_LANES)
        return hd_fail(err, "core.paired = on: expected core.width of at most %d lanes (is %u), "
                            "because a group has at most %d",
                       HD_MAX_LANES / 2, c->width, HD_MAX_LANES);
    if (c->paired && c->threads / c->width % 2)
        return hd_fail(err, "core.paired = on: expected an even number of warps per SM "
                            "(core.threads / core.width is %u)",
                       c->threads / c->width);
    if (c->issue > 1 && core_groups(c, &m->scalar))
        return hd_fail(err, "core.issue = %u: expected 1 with %s", c->issue,
                       c->paired ? "core.paired = on" : "scalar.mode = execute or waves");
    if (scalar && c->divergence == DIVERGENCE_ITS)
        return hd_fail(err, "core.divergence = its: expected stack with scalar.mode = %s: splits "
                            "that take turns would need a copy each of a warp's scalars",
                       m->scalar.mode == SCALAR_WAVES ? "waves" : "execute");
    if (c->paired && c->divergence == DIVERGENCE_ITS)
        return hd_fail(err, "core.divergence = its: expected stack with core.paired = on: a pair "
                            "is two warps, and not splits of them");
    return true;
}

static bool check_core(const Machine *m, HdError *err)
{
    const CoreConfig *c = &m->core;
    if (!is_power_of_two(c->width))
        return hd_fail(err,
                       "core.width = %u: expected a power of two (4, 8, 16, 32)",
                       c->width);
    if (c->threads % c->width)
        return hd_fail(err, "core.threads = %u: expected a multiple of core.width (%u)", c->threads,
                       c->width);
    if (c->threads / c->width > WARPSET_MOST)
        return hd_fail(err, "core.threads = %u: %u warps of %u lanes: expected at most %d on an SM",
                       c->threads, c->threads / c->width, c->width, WARPSET_MOST);
    if (c->threads / c->width < c->schedulers)
        return hd_fail(err, "core.schedulers = %u: expected at most the warps of an SM (%u)",
                       c->schedulers, c->threads / c->width);
    if (!check_groups(m, err)) return false;
    if (!is_power_of_two(m->shared.banks))
        return hd_fail(err, "shared.banks = %u: expected a power of two", m->shared.banks);
    if (m->shared.bank_bytes != 4 && m->shared.bank_bytes != 8)
        return hd_fail(err, "shared.bank_bytes = %" PRIu64 "B: expected 4B or 8B",
                       m->shared.bank_bytes);
    if (c->shared_reserved && c->shared_reserved >= c->shared)
        return hd_fail(err, "core.shared_reserved = %" PRIu64 "B: expected less than core.shared "
                            "(%" PRIu64 "B)",
                       c->shared_reserved, c->shared);
    if (m->frontend.fetch_bytes < m->frontend.instruction_bytes)
        return hd_fail(err, "frontend.fetch_bytes: expected at least one instruction (%uB)",
                       m->frontend.instruction_bytes);
    if (!check_operands(&m->operand, c->schedulers, err)) return false;
    const FrontendConfig *f = &m->frontend;
    if (f->buffer != BUFFER_SHARED_STORE) return true;
    if (f->store_entries % f->store_ways)
        return hd_fail(err, "frontend.store_entries = %u: expected a multiple of "
                            "frontend.store_ways (%u)",
                       f->store_entries, f->store_ways);
    uint64_t entry = frontend_fetch_instructions(f) * f->instruction_bytes;
    if (m->l1i.line % entry)
        return hd_fail(err,
                       "frontend.fetch_bytes: an entry of the store would hold %" PRIu64
                       "B of instructions: expected a divisor of l1i.line (%" PRIu64 "B)",
                       entry, m->l1i.line);
    return true;
}

// Credits must cover the round trip, or an SM stalls even on an idle network. So must the flits of
// a slice in front of the crossbar to the SMs: the slice learns of a free entry one icnt.latency
// after the flit left.
static void note_round_trips(const Machine *m, uint64_t quantum, Notes *n)
{
    const IcntConfig *c = &m->icnt;
    uint64_t needed = divide_up(quantum, divide_up(c->control, c->flit));
    if ((uint64_t)c->credits * m->slice.count < needed)
        note(n, "icnt.credits: %u per slice x %u slices do not cover the round trip of %" PRIu64
                " core cycles; an SM stalls even when the network is idle\n",
             c->credits, m->slice.count, quantum);
    if (c->credits < needed)
        note(n,
             "icnt.credits: traffic of one SM to a single slice is limited to %u requests per "
             "%" PRIu64 " core cycles\n",
             c->credits, quantum);
    if (c->arbiter == ARBITER_INPUT_QUEUED && c->reply_buffer <= c->latency)
        note(n,
             "icnt.reply_buffer: %u flits do not cover icnt.latency (%u cycles): a slice's replies "
             "stall even when the network is idle\n",
             c->reply_buffer, c->latency);
}

// With index: prime some sets are unused.
static void note_unused_sets(const CacheConfig *config, const char *name, Notes *n)
{
    Cache *cache = config->mode == CACHE_ON ? cache_new(config, name, 0, NULL) : NULL;
    if (!cache) return;
    uint32_t sets = cache_sets(cache), used = cache_sets_used(cache);
    cache_free(cache);
    if (used < sets)
        note(n, "%s.index: prime uses %u of %u sets: %" PRIu64 " of %" PRIu64 " B hold nothing\n",
             name, used, sets, (sets - used) * (config->size / sets), config->size);
}

bool machine_check(const Machine *m, char *text, size_t size, HdError *err)
{
    Notes n = {text, size, 0};
    if (size) text[0] = 0;
    Clocks clocks = {
        .khz = {m->core.frequency, m->icnt.frequency, m->slice.frequency, m->dram.frequency}};
    const char *limit;
    HdError why = {0};
    if (!check_core(m, err) || !check_caches(m, err) || !clocks_derive(&clocks, err)) return false;
    if (!machine_occupancy(m, m->core.width, 1, 0, &limit, &why))
        return hd_fail(err, "the machine can run no kernel: %.1024s", why.text);
    MemoryConfig config = {&m->icnt, &m->l2, &m->slice, &m->dram, &m->atomics, false};
    Tick round_trip;
    if (!memory_side_check(&config, &clocks, &round_trip, err)) return false;
    uint64_t quantum = round_trip / clocks.period[CLOCK_CORE];
    if (!quantum)
        return hd_fail(
            err, "the round trip to the L2 takes less than one core cycle: raise icnt.latency or "
                 "slice.rop_latency");
    note(&n, "quantum: %" PRIu64 " core cycles\n", quantum);
    if (quantum < 16)
        note(&n, "the quantum is short: several host threads will gain little\n");
    note_round_trips(m, quantum, &n);
    CacheConfig l1d = machine_l1d(m, &(SmUse){.block_shared = m->core.shared});
    note_unused_sets(&l1d, "l1d", &n);
    note_unused_sets(&m->l1i, "l1i", &n);
    note_unused_sets(&m->l1c, "l1c", &n);
    note_unused_sets(&m->l1r, "l1r", &n);
    if (l15_exists(&m->l15)) note_unused_sets(&m->l15.cache, "l15", &n);
    note_unused_sets(&m->l2, "l2", &n);
    return true;
}

PtxOptions machine_ptx_options(const Machine *machine)
{
    return (PtxOptions){.contract = machine->ptx.contract,
                        .banks_by_name = machine->operand.bank_number == BANK_BY_NAME,
                        .slots_apart = scalars_go_on(&machine->scalar)};
}
