// Counters of all launches as plain text.
#include "report/counter_tables.h"

#include "core/core_counters.h"
#include "gpu/launch_result.h"
#include "gpu/machine.h"
#include "hooks/gpu_hooks.h"
#include "report/mechanism_counters.h"
#include "report/prefetch_ratios.h"
#include "report/shorten.h"
#include "report/format_numbers.h"
#include "report/code_location.h"

#include <inttypes.h>
#include <string.h>

// Active lanes per warp instruction.
static double mean_lanes(const SmCounters *sm)
{
    return ratio(sm->thread_instructions, sm->warp_instructions);
}

static void print_time(const Gpu *gpu, const LaunchResult *r, double seconds, FILE *out)
{
    const Machine *machine = gpu_machine(gpu);
    const SmCounters *sm = &r->sm.sm;
    char cycles[NUMBER_TEXT], instructions[NUMBER_TEXT];
    double khz = (double)machine->core.frequency;
    fprintf(out, "time       %s core cycles = %.3f ms at %.0f MHz; on this host %.1f s\n",
            format_count(r->cycles, cycles), (double)r->cycles / khz, khz / 1000, seconds);
    uint64_t between = launch_overhead(&r->launch);
    if (between) {
        char launches[NUMBER_TEXT];
        double launched = (double)r->launch.launches;
        fprintf(out, "launches   %s x %.3f us of overhead = %.3f ms, not in these cycles; %.3f "
                     "ms in all\n",
                format_count(r->launch.launches, launches), (double)between / khz * 1e3 / launched,
                (double)between / khz, (double)(r->cycles + between) / khz);
    }
    fprintf(out, "work       %s warp instructions, IPC %.3f (of %u); ",
            format_count(sm->warp_instructions, instructions),
            ratio(sm->warp_instructions, r->cycles),
            machine->gpu.sms * machine_issue_width(machine));
    fprintf(out, "%.1f of %u lanes active; %.1f warps per active SM\n", mean_lanes(sm),
            machine->core.width, ratio(sm->warp_cycles, sm->active_cycles));
    if (gpu_injects(gpu))
        fprintf(out, "injected   %s micro-ops of mechanisms, not in these instructions\n",
                format_count(sm->injected, instructions));
}

static void print_slots(const Gpu *gpu, const LaunchResult *r, FILE *out)
{
    const Machine *machine = gpu_machine(gpu);
    enum { BAR = 20 };
    static const char bar[BAR + 1] = "####################";
    const uint64_t *values = (const uint64_t *)&r->sm.issue;
    uint64_t slots = r->sm.sm.cycles * machine->core.schedulers;
    bool waves = machine->scalar.mode == SCALAR_WAVES;
    fprintf(out, "\nissue slots (%u SMs x %u schedulers x cycles)\n", machine->gpu.sms,
            machine->core.schedulers);
    for (size_t i = 0; i < issue_table.count; i++) {
        const StatRow *row = &issue_table.rows[i];
        if (strcmp(row->name, "stall_throttled") == 0 && !gpu_throttles_warps(gpu)) continue;
        if (strcmp(row->name, "stall_wave_table") == 0 && !waves) continue;
        double share = ratio(values[i], slots);
        int length = (int)(share * BAR + 0.5);
        if (length == 0 && share > 0) length = 1;
        fprintf(out, "  %-17s %5.1f %%  %-*.*s  %s\n", row->name, 100 * share, BAR, length, bar,
                row->doc);
    }
}

static void print_share(FILE *out, const char *name, uint64_t count, uint64_t all, const char *what)
{
    char number[NUMBER_TEXT];
    fprintf(out, "  %-10s %14s  %5.1f %%  %s\n", name, format_count(count, number),
            100 * ratio(count, all), what);
}

// What issued together, on a machine that issues by groups.
static void print_groups(const Gpu *gpu, const LaunchResult *r, FILE *out)
{
    const Machine *machine = gpu_machine(gpu);
    const GroupCounters *c = &r->sm.groups;
    if (!core_groups(&machine->core, &machine->scalar)) return;
    uint64_t groups = c->pairs + c->lone + c->waves, lanes = 0, all = r->sm.sm.warp_instructions;
    unsigned most = core_group_lanes(&machine->core);
    for (unsigned k = 0; k <= most; k++) lanes += k * r->sm.group_lanes[k];
    char number[NUMBER_TEXT];
    fprintf(out, "\nissue groups   %s, of %.2f warp instructions, in %.1f of %u lanes; "
                 "%.2f thread instructions per cycle\n",
            format_count(groups, number), ratio(all, groups), ratio(lanes, groups), most,
            ratio(r->sm.sm.thread_instructions, r->cycles));
    if (machine->core.paired) print_share(out, "pairs", c->pairs, groups, "of the groups");
    print_share(out, "lone", c->lone, groups, "of the groups");
    if (machine->scalar.mode == SCALAR_WAVES) {
        char what[128];
        snprintf(what, sizeof what, "of the groups, of %.1f scalars",
                 ratio(c->wave_members, c->waves));
        print_share(out, "waves", c->waves, groups, what);
    }
    if (machine->scalar.mode != SCALAR_OFF)
        print_share(out, "scalars", c->scalars, all, "of the warp instructions, in one lane each");
}

// ---- memory ----

static void print_cache(FILE *out, const char *name, const CacheCounters *c, uint64_t instructions)
{
    char accesses[NUMBER_TEXT], stalls[NUMBER_TEXT];
    uint64_t cycles = 0;
    for (unsigned why = 0; why < CACHE_STALL_REASONS; why++) cycles += c->stalls[why];
    if (!c->accesses) return;
    fprintf(out, "  %-12s %14s %7.1f %% %7.1f %% %7.1f %% %8.1f %18s\n", name,
            format_count(c->accesses, accesses), 100 * ratio(c->hits, c->accesses),
            100 * ratio(c->pending_hits, c->accesses), 100 * ratio(c->misses, c->accesses),
            1000 * ratio(c->misses, instructions), format_count(cycles, stalls));
}

// Stall cycles of one cache, in percent of its cycles, by reason: the access at its head could not
// proceed.
static void print_stalls(FILE *out, const char *name, const CacheCounters *c, uint64_t cycles)
{
    fprintf(out, "  %-12s", name);
    for (unsigned why = 0; why < CACHE_STALL_REASONS; why++)
        fprintf(out, " %13.3f %%", 100 * ratio(c->stalls[why], cycles));
    fputc('\n', out);
}

static void print_caches(const LaunchResult *r, FILE *out)
{
    uint64_t instructions = r->sm.sm.warp_instructions;
    fprintf(out, "\n%-14s %14s %9s %9s %9s %8s %18s\n", "caches", "accesses", "hit", "pending",
            "miss", "MPKI", "stall cycles");
    print_cache(out, "L1D", &r->sm.l1d, instructions);
    print_cache(out, "L1 constant", &r->sm.l1c, instructions);
    print_cache(out, "L1 read-only", &r->sm.l1r, instructions);
    print_cache(out, "L1 instr.", &r->sm.l1i, instructions);
    print_cache(out, "L1.5", &r->sm.l15, instructions); // without one it has no accesses
    print_cache(out, "L2", &r->l2, instructions);
    fprintf(out, "%-14s %15s %15s %15s %15s %15s\n", "stalled for", "line", "MSHR entry",
            "MSHR merge", "miss queue", "store order");
    print_stalls(out, "L1D", &r->sm.l1d, r->sm.sm.cycles);
    print_stalls(out, "L2", &r->l2, r->l2_cycles * r->slices);
}

// A row for each mechanism and level that prefetches.
static void print_prefetches(const Gpu *gpu, FILE *out)
{
    static const char *const levels[HOOK_CACHES] = {[HOOK_L1] = "L1D", [HOOK_L2] = "L2"};
    const HookPlan *plan = gpu_mechanisms(gpu);
    bool first = true;
    for (size_t i = 0; plan && i < plan->count; i++)
        for (HookLevel level = 0; level < HOOK_CACHES; level++) {
            PrefetchCounters c;
            char name[64], fetched[NUMBER_TEXT], pollution[NUMBER_TEXT], bytes[NUMBER_TEXT];
            if (!gpu_prefetches(gpu, &plan->items[i], level, &c)) continue;
            if (first)
                fprintf(out, "%-18s %14s %9s %9s %14s %18s\n", "prefetches", "fetched", "accuracy",
                        "coverage", "pollution", "DRAM bytes");
            first = false;
            snprintf(name, sizeof name, "%s %s", plan->items[i].mechanism->name, levels[level]);
            fprintf(out, "  %-16s %14s %7.1f %% %7.1f %% %14s %18s\n", name,
                    format_count(c.fetched, fetched), 100 * prefetch_accuracy(&c),
                    100 * prefetch_coverage(&c), format_count(c.pollution, pollution),
                    format_count(c.dram_bytes, bytes));
        }
}

// A row for each ratio that a mechanism declares.
static void print_ratios(const Gpu *gpu, FILE *out)
{
    const HookPlan *plan = gpu_mechanisms(gpu);
    bool first = true;
    for (size_t i = 0; plan && i < plan->count; i++) {
        const PlannedMechanism *planned = &plan->items[i];
        for (const HdRatio *r = planned->mechanism->ratios; r && r->name; r++) {
            char name[64];
            if (first) fputs("ratios of mechanisms\n", out);
            first = false;
            snprintf(name, sizeof name, "%s %s", planned->mechanism->name, r->name);
            fprintf(out, "  %-16s %12.1f %%  %s\n", name,
                    100 * mechanism_ratio(gpu, planned, r), r->description);
        }
    }
}

// The rows that a mechanism has reported.
static void print_reported(const PlannedMechanism *planned, const ReportedRows *rows, FILE *out)
{
    enum { MAX_ROWS = 48 };
    fprintf(out, "%-18s kernel", planned->mechanism->name);
    for (int i = 0; i < 12; i++) fputc(' ', out);
    fprintf(out, " %8s", "launch");
    for (unsigned c = 0; c < rows->columns; c++)
        fprintf(out, " %12s", planned->mechanism->columns[c].name);
    fputc('\n', out);
    for (size_t i = 0; i < rows->count && i < MAX_ROWS; i++) {
        fprintf(out, "  %-35.35s %8u", rows->rows[i].kernel, rows->rows[i].launch);
        for (unsigned c = 0; c < rows->columns; c++)
            fprintf(out, " %12llu", (unsigned long long)rows->rows[i].values[c]);
        fputc('\n', out);
    }
    if (rows->count > MAX_ROWS)
        fprintf(out, "  %zu more rows are in the result (--out)\n", rows->count - MAX_ROWS);
}

static void print_reports(const Gpu *gpu, FILE *out)
{
    const HookPlan *plan = gpu_mechanisms(gpu);
    for (size_t i = 0; plan && i < plan->count; i++) {
        if (!plan->items[i].mechanism->columns) continue;
        const ReportedRows *rows =
            gpu_hooks_reported(gpu_hooks(gpu, HOOK_GPU, 0), &plan->items[i]);
        if (rows->count) print_reported(&plan->items[i], rows, out);
    }
}

static void print_array_side(FILE *out, const AccessCounters *c)
{
    char accesses[NUMBER_TEXT];
    fprintf(out, " %14s %7.1f %% %7.1f %%", format_count(c->accesses, accesses),
            100 * ratio(c->hits, c->accesses), 100 * ratio(c->misses, c->accesses));
}

enum { MAX_ARRAYS = 12 };

static uint64_t array_accesses(const LaunchResult *r, size_t a)
{
    return r->sm.l1d_allocations[a].accesses + r->l2_allocations[a].accesses;
}

// The greatest access counts of arrays, greatest first; 0 for missing arrays.
static void top_accesses(const LaunchResult *r, uint64_t most[MAX_ARRAYS])
{
    memset(most, 0, MAX_ARRAYS * sizeof *most);
    for (size_t a = 0; a < r->allocations; a++) {
        uint64_t accesses = array_accesses(r, a);
        for (unsigned i = 0; i < MAX_ARRAYS; i++) {
            if (accesses <= most[i]) continue;
            uint64_t less = most[i];
            most[i] = accesses;
            accesses = less;
        }
    }
}

static void print_arrays(Gpu *gpu, const LaunchResult *r, int width, FILE *out)
{
    const GuestAllocation *arrays = gpu_memory(gpu)->allocations;
    uint64_t most[MAX_ARRAYS], least;
    size_t left_out = 0, equal = 0; // equal: how many arrays with `least` accesses are shown
    top_accesses(r, most);
    least = most[MAX_ARRAYS - 1];
    for (unsigned i = 0; i < MAX_ARRAYS; i++) equal += most[i] == least;
    fprintf(out, "%-*s %14s %9s %9s %14s %9s %9s\n", width + 2, "allocations", "L1D accesses",
            "hit", "miss", "L2 accesses", "hit", "miss");
    for (size_t a = 0; a < r->allocations; a++) {
        uint64_t accesses = array_accesses(r, a);
        if (!accesses) continue;
        if (accesses < least || (accesses == least && !equal)) {
            left_out++;
            continue;
        }
        if (accesses == least) equal--;
        char name[sizeof arrays->name];
        size_t room = (size_t)width < sizeof name ? (size_t)width : sizeof name - 1;
        fprintf(out, "  %-*s", width, shorten_name(arrays[a].name, room, name));
        print_array_side(out, &r->sm.l1d_allocations[a]);
        print_array_side(out, &r->l2_allocations[a]);
        fputc('\n', out);
    }
    if (left_out) fprintf(out, "  and %zu more (--out writes all)\n", left_out);
}

static void print_latency(FILE *out, const char *level, uint64_t loads, uint64_t latency,
                          uint64_t all)
{
    if (loads)
        fprintf(out, "  %s %.0f (%.0f %% of requests)", level, ratio(latency, loads),
                100 * ratio(loads, all));
}

static void print_memory(const LaunchResult *r, FILE *out)
{
    const SmCounters *sm = &r->sm.sm;
    uint64_t loads = sm->loads_l1 + sm->loads_l2 + sm->loads_dram;
    fprintf(out,
            "\nmemory     %.2f requests per memory instruction; load latency in cycles, by the "
            "level that served them:\n          ",
            ratio(sm->memory_requests, sm->memory_instructions));
    print_latency(out, "L1", sm->loads_l1, sm->latency_l1, loads);
    print_latency(out, "L2", sm->loads_l2, sm->latency_l2, loads);
    print_latency(out, "DRAM", sm->loads_dram, sm->latency_dram, loads);
    fputs(loads ? "\n" : " no loads\n", out);
}

static void print_dram(const Gpu *gpu, const LaunchResult *r, FILE *out)
{
    const DramConfig *config = &gpu_machine(gpu)->dram;
    const DramCounters *d = &r->dram;
    double seconds = (double)r->cycles / ((double)gpu_machine(gpu)->core.frequency * 1000);
    double peak = (double)config->frequency * 1000 * config->data_rate * (double)config->bus *
                  config->channels;
    double moved = seconds > 0 ? (double)d->bytes_transferred / seconds : 0;
    char reads[NUMBER_TEXT], writes[NUMBER_TEXT];
    fprintf(out,
            "DRAM       %s reads, %s writes; %.1f of %.1f GB/s (%.1f %%); row hits %.0f %%, bytes "
            "used %.0f %%\n",
            format_count(d->reads, reads), format_count(d->writes, writes), moved / 1e9, peak / 1e9,
            100 * moved / peak, 100 * ratio(d->row_hits, d->reads + d->writes),
            100 * ratio(d->bytes_read + d->bytes_written, d->bytes_transferred));
}

static void print_hot_lines(const Gpu *gpu, const LaunchResult *r, FILE *out)
{
    enum { MAX_LINES = 5, WHERE_WIDTH = 24 };
    HotLine lines[MAX_LINES];
    uint64_t sum;
    size_t count = hot_lines(gpu, r, lines, MAX_LINES, &sum);
    if (!count) return;
    fprintf(out, "\nwhere loads wait           of all   cycles each   requests each\n");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-*s %6.1f %% %11.0f %15.1f   %s: %.60s\n", WHERE_WIDTH,
                path_tail(lines[i].where, WHERE_WIDTH), 100 * ratio(lines[i].latency, sum),
                ratio(lines[i].latency, lines[i].issued),
                ratio(lines[i].requests, lines[i].issued), lines[i].function, lines[i].text);
}

// Prints where timing ended by --max-thread-instructions; nothing if it did not.
static void print_cut(const Gpu *gpu, FILE *out)
{
    const LaunchCut *cut = gpu_cut(gpu);
    if (!cut->launch) return;
    bool within = cut->blocks_done < cut->blocks;
    char threads[NUMBER_TEXT], cycle[NUMBER_TEXT], done[NUMBER_TEXT], blocks[NUMBER_TEXT];
    fprintf(out,
            "CUT        after %s thread instructions, %s launch %" PRIu64 " of %" PRIu64 " (%s)\n",
            format_count(gpu_total(gpu)->sm.sm.thread_instructions, threads),
            within ? "in" : "at the end of", cut->launch, gpu_launches(gpu), cut->kernel);
    if (within)
        fprintf(out,
                "           at its cycle %s, %s of %s blocks done; the rest was run functionally\n",
                format_count(cut->cycle, cycle), format_count(cut->blocks_done, done),
                format_count(cut->blocks, blocks));
}

// Prints the number of functional launches and their counters. Returns the number of timed ones.
static uint64_t print_functional(const Gpu *gpu, double seconds, FILE *out)
{
    size_t kernels;
    const KernelTotal *totals = gpu_kernel_totals(gpu, &kernels);
    uint64_t count = gpu_launches(gpu), functional = 0;
    for (size_t i = 0; i < kernels; i++) functional += totals[i].functional;
    if (!functional) return count;
    const SmCounters *sm = &gpu_functional(gpu)->sm.sm;
    char instructions[NUMBER_TEXT];
    fprintf(out,
            "functional %" PRIu64 " of %" PRIu64 " launches run functionally: %s warp "
            "instructions, %.1f of %u lanes active\n",
            functional, count, format_count(sm->warp_instructions, instructions), mean_lanes(sm),
            gpu_machine(gpu)->core.width);
    if (functional < count && gpu_is_approximate(gpu))
        fprintf(out,
                "           the rest is of the timed launches, and APPROXIMATE: caches were warmed "
                "functionally\n");
    else if (functional == count)
        fprintf(out, "           on this host %.1f s, %.1f million warp instructions per second\n",
                seconds, (double)sm->warp_instructions / 1e6 / seconds);
    return count - functional;
}

void print_counter_tables(Gpu *gpu, double seconds, int array_width, FILE *out)
{
    const LaunchResult *total = gpu_total(gpu);
    print_cut(gpu, out);
    if (!print_functional(gpu, seconds, out)) return;
    print_time(gpu, total, seconds, out);
    print_slots(gpu, total, out);
    print_groups(gpu, total, out);
    print_caches(total, out);
    print_prefetches(gpu, out);
    print_ratios(gpu, out);
    print_reports(gpu, out);
    print_arrays(gpu, total, array_width, out);
    print_memory(total, out);
    print_dram(gpu, total, out);
    print_hot_lines(gpu, total, out);
}
