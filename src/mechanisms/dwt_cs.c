// Dynamic warp throttling via core sampling: if the L1Ds of the GPU thrash for several periods in a
// row, each SM tries another number of warps for some periods. All SMs keep the number of the SM
// that has committed most instructions.
//
// khairy2015, section 4.2 and Table 4. Periods are counted from the beginning of a launch. The
// place of the GPU is the paper's coordinator core: it gets the counts of the SMs at the end of a
// quantum, and its limit reaches them a quantum later. docs/mechanisms/dwt-cs.md says what the
// paper leaves open.
#include "mechanisms/shared/oldest_warps.h"

enum { PERIOD, MPKI, DETECT, SAMPLE, RELAUNCH, PER, THROTTLE, KERNELS, ACROSS, ONE_SM,
       PARAMETERS };
enum { PER_THREAD, PER_WARP, PER_CYCLE };
enum { ONE_SM_UNSAMPLED, ONE_SM_IN_TURN };
enum { MAX_PERIODS = 100, MAX_KERNELS = 64 };

static const char *const units[] = {"thread", "warp", "cycle", NULL};
static const char *const one_sm_rules[] = {"unsampled", "in-turn", NULL};
static const HdParameter parameters[] = {
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "sampling period",
                .value = 10000, .min = 1000, .max = 1e5, .kind = HD_WHOLE},
    [MPKI] = {.name = "mpki", .unit = "misses",
              .description = "of L1Ds, in 1,000 of `per`, above which they thrash",
              .value = 10, .min = 0, .max = 1e6},
    [DETECT] = {.name = "detect", .unit = "periods",
                .description = "in a row that thrash before SMs are sampled",
                .value = 3, .min = 1, .max = MAX_PERIODS, .kind = HD_WHOLE},
    [SAMPLE] = {.name = "sample", .unit = "periods", .description = "for which SMs are sampled",
                .value = 3, .min = 1, .max = MAX_PERIODS, .kind = HD_WHOLE},
    [RELAUNCH] = {.name = "relaunch", .unit = "periods",
                  .description = "in a row that thrash before a launch takes the number of an "
                                 "earlier launch; 0: as many as `detect`",
                  .value = 0, .min = 0, .max = MAX_PERIODS, .kind = HD_WHOLE},
    [PER] = {.name = "per", .description = "what misses are divided by: committed thread or warp "
                                           "instructions, or cycles of SMs",
             .value = PER_THREAD, .kind = HD_CHOICE, .choices = units},
    [THROTTLE] = {.name = "throttle", .description = "what the other warps may not issue",
                  .value = THROTTLE_EVERYTHING, .kind = HD_CHOICE, .choices = throttle_choices},
    [KERNELS] = {.name = "kernels", .unit = "kernels", .description = "that are remembered",
                 .value = 8, .min = 1, .max = MAX_KERNELS, .kind = HD_WHOLE},
    [ACROSS] = {.name = "across", .description = "1: periods and sampling go on in the kernel's "
                                                 "next launch; 0: a launch's end forgets them",
                .value = 0, .min = 0, .max = 1, .kind = HD_WHOLE},
    [ONE_SM] = {.name = "one_sm", .description = "a GPU of one SM: is not sampled, or tries 1, 2, "
                                                 "3, ... warps in rounds of `sample` periods until "
                                                 "one more commits no more",
                .value = ONE_SM_UNSAMPLED, .kind = HD_CHOICE, .choices = one_sm_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(periods, "periods", "At the GPU: periods that have ended.")                                  \
    C(thrashing, "periods", "At the GPU: of these, periods in which the L1Ds thrashed.")           \
    C(rounds, "rounds", "At the GPU: rounds of sampling that began.")                              \
    C(decided, "launches", "At the GPU: launches that found a number of warps by sampling.")       \
    C(remembered, "launches", "At the GPU: launches that took the number of an earlier launch.")   \
    C(kept_open, "launches", "At an SM: launches in which its own L1D has thrashed in a period.")  \
    C(throttled, "warps", "At an SM: warps that were not selected, over all selections.")
HD_COUNTERS(Counted, COUNTED);

// A row for each number that a round has tried, or for a number that was remembered.
static const HdCounter columns[] = {
    {"cycle", "core cycles", "When this was decided, by the clock of the run."},
    {"round", "rounds", "Of sampling this kernel, from 1; 0: the number was remembered."},
    {"number", "warps", "Warps of each scheduler that may issue."},
    {"sms", "SMs", "SMs with this number."},
    {"instructions", "instructions", "That one of these SMs committed while sampled, on average."},
    {"chosen", "numbers", "1: the number with most instructions, or the remembered one."},
    {0}};

// From an SM to the GPU: misses and committed instructions of this launch.
#define REPORT(F) F(misses, 32) F(instructions, 32)
HD_BIT_FIELDS(Report, REPORT);
// From the GPU to an SM: which launch this concerns, modulo 256, and how many warps of each
// scheduler issue; 0: all.
#define ORDER(F) F(launch, 8) F(limit, 10)
HD_BIT_FIELDS(Order, ORDER);
// State of an SM: the number of the launch, modulo 256; whether its L1D has thrashed in this
// launch; misses in this launch; misses and instructions before its period.
#define OWN(F) F(launch, 8) F(thrashes, 1) F(misses, 32) F(misses_before, 32) F(before, 32)
HD_BIT_FIELDS(Own, OWN);
// A kernel that is remembered: 32 bits of a hash of its name, and its number of warps; 0: none yet.
#define KERNEL(F) F(used, 1) F(warps, 10) F(name, 32)
HD_BIT_FIELDS(Kernel, KERNEL);
// What is going on in a kernel: cycles, misses and instructions of a period that began in an
// earlier launch; thrashing periods in a row; while sampling: the round, the first number that it
// tries, the best number of the round before, and its periods so far.
enum { WATCHING, SAMPLING, THROTTLED };
#define PHASE(F)                                                                                   \
    F(elapsed, 32) F(misses, 32) F(instructions, 32) F(over, 7) F(state, 2) F(round, 9)            \
    F(first, 10) F(best, 10) F(sampled, 7)
HD_BIT_FIELDS(Phase, PHASE);
// The sample of an SM: committed instructions in this launch before the sampling, and those of the
// sampling in earlier launches. A GPU of one SM has one more, the sum of the best number so far.
#define SAMPLED(F) F(before, 32) F(sum, 32)
HD_BIT_FIELDS(Sampled, SAMPLED);
// The current launch: its number, modulo 256; the index of its kernel, and of the one that is
// forgotten next; misses and instructions before the period; the period's end.
#define COORDINATOR(F)                                                                             \
    F(launch, 8) F(kernel, 6) F(oldest, 6) F(misses, 32) F(instructions, 32) F(end_low, 32)        \
    F(end_high, 32)
HD_BIT_FIELDS(Coordinator, COORDINATOR);

enum { REPORTS, ORDERS, OWNS, KERNELS_SEEN, PHASES, SAMPLES, COORDINATORS };
static const HdStructure structures[] = {
    [REPORTS] = {"report", HD_EACH_L1, 1, HD_TO_GPU, Report_bits, sizeof(Report)},
    [ORDERS] = {"order", HD_EACH_L1, 1, HD_FROM_GPU, Order_bits, sizeof(Order)},
    [OWNS] = {"own period", HD_EACH_L1, 1, HD_FIXED, Own_bits, sizeof(Own)},
    [KERNELS_SEEN] = {"kernels", HD_ONE_GPU, KERNELS, HD_BY_PARAMETER, Kernel_bits,
                      sizeof(Kernel)},
    [PHASES] = {"phases", HD_ONE_GPU, 0, HD_COMPUTED, Phase_bits, sizeof(Phase)},
    [SAMPLES] = {"samples", HD_ONE_GPU, 0, HD_COMPUTED, Sampled_bits, sizeof(Sampled)},
    [COORDINATORS] = {"coordinator", HD_ONE_GPU, 1, HD_FIXED, Coordinator_bits,
                      sizeof(Coordinator)},
    {0},
};

// Kernels with a phase and samples of their own.
static uint32_t open_kernels(const HdPlace *place)
{
    return place->parameters[ACROSS] ? (uint32_t)place->parameters[KERNELS] : 1;
}

static bool samples_one_sm(const HdPlace *place)
{
    return place->sms == 1 && place->parameters[ONE_SM] == ONE_SM_IN_TURN;
}

static uint32_t samples_of_kernel(const HdPlace *place)
{
    return place->sms + samples_one_sm(place);
}

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    return open_kernels(place) * (structure == SAMPLES ? samples_of_kernel(place) : 1);
}

// ---- an SM ----

// Whether the L1Ds thrash.
static bool thrash(const HdPlace *place, uint64_t misses, uint64_t instructions)
{
    return 1000.0 * (double)misses > place->parameters[MPKI] * (double)instructions;
}

static uint32_t committed(const HdPlace *place)
{
    HdWork work = hd_work_of_sm(place);
    return (uint32_t)(place->parameters[PER] == PER_WARP ? work.committed : work.committed_threads);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    Own *own = place->structures[OWNS];
    *own = (Own){.launch = own->launch + 1};
    hd_wake(place, kernel->cycle + (uint64_t)place->parameters[PERIOD]);
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Own *own = place->structures[OWNS];
    own->misses += access->kind == HD_LOAD && access->outcome == HD_MISS && !access->tag_hit;
}

// The own period ends.
static void on_wake(HdPlace *place, uint64_t cycle)
{
    Own *own = place->structures[OWNS];
    uint32_t now = committed(place), instructions = now - own->before;
    uint64_t period = (uint64_t)place->parameters[PERIOD];
    bool over = thrash(place, own->misses - own->misses_before,
                       place->parameters[PER] == PER_CYCLE ? period : instructions);
    ((Counted *)place->counters)->kept_open += over && !own->thrashes;
    own->thrashes |= over;
    own->misses_before = own->misses;
    own->before = now;
    hd_wake(place, cycle + period);
}

// A cache that thrashes is not streaming: no mechanism behind this one closes it.
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)miss;
    (void)room;
    return ((const Own *)place->structures[OWNS])->thrashes ? HD_INSERT : HD_PASS;
}

static void on_quantum_of_sm(HdPlace *place, const HdQuantum *quantum)
{
    (void)quantum;
    const Own *own = place->structures[OWNS];
    *(Report *)place->structures[REPORTS] =
        (Report){.misses = own->misses, .instructions = committed(place)};
}

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    const Order *order = place->structures[ORDERS];
    const Own *own = place->structures[OWNS];
    if (order->launch != own->launch || !order->limit) return false;
    ((Counted *)place->counters)->throttled +=
        oldest_warps_select(warps, order->limit, place->parameters[THROTTLE], issuable);
    return true;
}

// ---- the GPU: kernels ----

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261; // FNV-1a
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619;
    return hash;
}

// The index of the kernel, which takes the place of the oldest one if it is new.
static unsigned find_kernel(HdPlace *gpu, uint32_t name)
{
    Kernel *kernels = gpu->structures[KERNELS_SEEN];
    Coordinator *c = gpu->structures[COORDINATORS];
    unsigned count = (unsigned)gpu->parameters[KERNELS];
    for (unsigned i = 0; i < count; i++)
        if (kernels[i].used && kernels[i].name == name) return i;
    unsigned index = c->oldest;
    c->oldest = (index + 1) % count;
    kernels[index] = (Kernel){.used = 1, .name = name};
    if (gpu->parameters[ACROSS]) ((Phase *)gpu->structures[PHASES])[index] = (Phase){0};
    return index;
}

static Kernel *current_kernel(const HdPlace *gpu)
{
    const Coordinator *c = gpu->structures[COORDINATORS];
    return (Kernel *)gpu->structures[KERNELS_SEEN] + c->kernel;
}

static unsigned open_index(const HdPlace *gpu)
{
    const Coordinator *c = gpu->structures[COORDINATORS];
    return gpu->parameters[ACROSS] ? c->kernel : 0;
}

static Phase *current_phase(const HdPlace *gpu)
{
    return (Phase *)gpu->structures[PHASES] + open_index(gpu);
}

static Sampled *samples(const HdPlace *gpu)
{
    return (Sampled *)gpu->structures[SAMPLES] + open_index(gpu) * samples_of_kernel(gpu);
}

static const Report *report_of(HdPlace *gpu, unsigned sm)
{
    return hd_exchanged(gpu, REPORTS, HD_L1, sm);
}

// ---- the GPU: sampling ----

// All warps of a scheduler.
static unsigned most_warps(const HdPlace *gpu)
{
    return (gpu->warp_slots + gpu->schedulers - 1) / gpu->schedulers;
}

// Numbers that the round tries, from Phase.first on. In a later round one SM at least keeps the
// best number of the round before, if there are several.
static unsigned tried(const HdPlace *gpu, const Phase *phase)
{
    unsigned left = most_warps(gpu) - phase->first + 1;
    unsigned sms = phase->best && gpu->sms > 1 ? gpu->sms - 1 : gpu->sms;
    return sms < left ? sms : left;
}

// The number that an SM tries. In the first round several SMs may try the same.
static unsigned number_of(const HdPlace *gpu, const Phase *phase, unsigned sm)
{
    unsigned count = tried(gpu, phase);
    if (sm >= count && phase->best) return phase->best;
    return phase->first + sm % count;
}

// Sends the SMs their numbers, which they have at the end of the next quantum.
static void send_orders(HdPlace *gpu)
{
    const Coordinator *c = gpu->structures[COORDINATORS];
    const Phase *phase = current_phase(gpu);
    for (unsigned sm = 0; sm < gpu->sms; sm++) {
        unsigned limit = phase->state == SAMPLING    ? number_of(gpu, phase, sm)
                         : phase->state == THROTTLED ? current_kernel(gpu)->warps
                                                     : 0;
        *(Order *)hd_exchanged(gpu, ORDERS, HD_L1, sm) =
            (Order){.launch = c->launch, .limit = limit};
    }
    hd_reconsider(gpu);
}

static void begin_round(HdPlace *gpu, unsigned first, unsigned best)
{
    Phase *phase = current_phase(gpu);
    phase->state = SAMPLING;
    phase->round++;
    phase->first = first;
    phase->best = best;
    phase->sampled = 0;
    for (unsigned sm = 0; sm < gpu->sms; sm++)
        samples(gpu)[sm] = (Sampled){.before = report_of(gpu, sm)->instructions};
    ((Counted *)gpu->counters)->rounds++;
    send_orders(gpu);
}

static uint64_t instructions_of(HdPlace *gpu, unsigned sm)
{
    const Sampled *sampled = &samples(gpu)[sm];
    return sampled->sum + (uint32_t)(report_of(gpu, sm)->instructions - sampled->before);
}

// SMs that try a number, and the instructions that they have committed.
typedef struct Tally {
    unsigned number, sms;
    uint64_t instructions;
} Tally;

static Tally tally(HdPlace *gpu, unsigned number)
{
    Tally t = {.number = number};
    if (samples_one_sm(gpu) && number == current_phase(gpu)->best)
        return (Tally){number, 1, samples(gpu)[1].sum};
    for (unsigned sm = 0; sm < gpu->sms; sm++) {
        if (number_of(gpu, current_phase(gpu), sm) != number) continue;
        t.sms++;
        t.instructions += instructions_of(gpu, sm);
    }
    return t;
}

// Whether one of these SMs has committed more than one of those, on average.
static bool is_better(Tally these, Tally those)
{
    return these.instructions * those.sms > those.instructions * these.sms;
}

// The number of the round with most instructions, of equal ones the smallest.
static unsigned winner(HdPlace *gpu, unsigned first, unsigned last)
{
    Tally best = tally(gpu, first);
    for (unsigned number = first + 1; number <= last; number++) {
        Tally other = tally(gpu, number);
        if (other.sms && (!best.sms || is_better(other, best))) best = other;
    }
    return best.number;
}

static void report_round(HdPlace *gpu, uint64_t cycle, unsigned first, unsigned last,
                         unsigned chosen)
{
    for (unsigned number = first; number <= last; number++) {
        Tally t = tally(gpu, number);
        if (!t.sms) continue;
        hd_report(gpu, (uint64_t[]){cycle, current_phase(gpu)->round, number, t.sms,
                                    t.instructions / t.sms, number == chosen});
    }
}

// A round is over. If its greatest number won, there may be a better one.
static void end_round(HdPlace *gpu, uint64_t cycle)
{
    Phase *phase = current_phase(gpu);
    unsigned last = phase->first + tried(gpu, phase) - 1;
    unsigned lowest = phase->best ? phase->best : phase->first;
    unsigned chosen = winner(gpu, lowest, last);
    report_round(gpu, cycle, lowest, last, chosen);
    if (chosen == last && last < most_warps(gpu)) {
        if (samples_one_sm(gpu)) samples(gpu)[1].sum = (uint32_t)instructions_of(gpu, 0);
        begin_round(gpu, last + 1, chosen);
        return;
    }
    current_kernel(gpu)->warps = chosen;
    phase->state = THROTTLED;
    ((Counted *)gpu->counters)->decided++;
    send_orders(gpu);
}

// ---- the GPU: periods ----

// How many periods in a row have to thrash before the warps are throttled.
static unsigned wanted_periods(const HdPlace *gpu)
{
    unsigned again = (unsigned)gpu->parameters[RELAUNCH];
    return current_kernel(gpu)->warps && again ? again : (unsigned)gpu->parameters[DETECT];
}

static void end_period(HdPlace *gpu, uint64_t cycle, uint64_t misses, uint64_t instructions)
{
    Counted *counted = gpu->counters;
    Phase *phase = current_phase(gpu);
    bool over = thrash(gpu, misses, instructions);
    counted->periods++;
    counted->thrashing += over;
    if (phase->state == SAMPLING && ++phase->sampled == gpu->parameters[SAMPLE]) {
        end_round(gpu, cycle);
    } else if (phase->state == WATCHING) {
        phase->over = !over ? 0 : phase->over < MAX_PERIODS ? phase->over + 1u : phase->over;
        if (phase->over < wanted_periods(gpu)) return;
        if (gpu->sms < 2 && !samples_one_sm(gpu)) return;
        phase->round = 0;
        if (!current_kernel(gpu)->warps) {
            begin_round(gpu, 1, 0);
            return;
        }
        phase->state = THROTTLED;
        counted->remembered++;
        hd_report(gpu, (uint64_t[]){cycle, 0, current_kernel(gpu)->warps, gpu->sms, 0, 1});
        send_orders(gpu);
    }
}

static uint64_t end_of_period(const Coordinator *c)
{
    return (uint64_t)c->end_high << 32 | c->end_low;
}
static void set_end_of_period(Coordinator *c, uint64_t cycle)
{
    c->end_low = (uint32_t)cycle;
    c->end_high = (uint32_t)(cycle >> 32);
}

// What all SMs have reported in this launch. Of cycles: those of the period are enough.
static Report sum_of_reports(HdPlace *gpu)
{
    Report sum = {0};
    for (unsigned sm = 0; sm < gpu->sms; sm++) {
        sum.misses += report_of(gpu, sm)->misses;
        sum.instructions += report_of(gpu, sm)->instructions;
    }
    return sum;
}

static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    Coordinator *c = gpu->structures[COORDINATORS];
    Phase *phase = current_phase(gpu);
    if (quantum->cycle < end_of_period(c)) return;
    // A quantum may be longer than a period: then this is the end of several.
    uint64_t period = (uint64_t)gpu->parameters[PERIOD];
    uint64_t cycles = ((quantum->cycle - end_of_period(c)) / period + 1) * period;
    Report sum = sum_of_reports(gpu);
    uint32_t misses = sum.misses - c->misses + phase->misses;
    uint32_t instructions = sum.instructions - c->instructions + phase->instructions;
    c->misses = sum.misses;
    c->instructions = sum.instructions;
    phase->misses = phase->instructions = phase->elapsed = 0;
    set_end_of_period(c, end_of_period(c) + cycles);
    bool by_cycle = gpu->parameters[PER] == PER_CYCLE;
    end_period(gpu, quantum->cycle, misses, by_cycle ? cycles * gpu->sms : instructions);
}

static void on_kernel_begin_at_gpu(HdPlace *gpu, const HdKernel *kernel)
{
    Coordinator *c = gpu->structures[COORDINATORS];
    c->kernel = find_kernel(gpu, hash_of(kernel->name));
    c->launch++;
    c->misses = c->instructions = 0;
    Phase *phase = current_phase(gpu);
    if (!gpu->parameters[ACROSS]) *phase = (Phase){0};
    set_end_of_period(c, kernel->cycle + (uint64_t)gpu->parameters[PERIOD] - phase->elapsed);
    for (unsigned sm = 0; sm < gpu->sms; sm++) samples(gpu)[sm].before = 0;
    send_orders(gpu);
}

// With across=1: what is open goes on in the next launch. A limit ends with its launch.
static void on_kernel_end_at_gpu(HdPlace *gpu, const HdKernel *kernel)
{
    const Coordinator *c = gpu->structures[COORDINATORS];
    Phase *phase = current_phase(gpu);
    Report sum = sum_of_reports(gpu);
    uint64_t left = end_of_period(c) > kernel->cycle ? end_of_period(c) - kernel->cycle : 1;
    phase->elapsed = (uint32_t)((uint64_t)gpu->parameters[PERIOD] - left);
    phase->misses += sum.misses - c->misses;
    phase->instructions += sum.instructions - c->instructions;
    for (unsigned sm = 0; phase->state == SAMPLING && sm < gpu->sms; sm++)
        samples(gpu)[sm].sum = (uint32_t)instructions_of(gpu, sm);
    if (phase->state != THROTTLED) return;
    phase->state = WATCHING;
    phase->over = 0;
}

HD_MECHANISM(dwt_cs) = {
    .name = "dwt-cs",
    .description = "Samples SMs with different numbers of warps while L1Ds thrash.",
    .paper = "khairy2015, section 4.2 (DWT-CS)",
    .parameters = parameters,
    .counters = Counted_list,
    .columns = columns,
    .structures = structures,
    .count_entries = count_entries,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert,
           .on_kernel_begin = on_kernel_begin},
    .core = {.decide_issuable = decide_issuable, .on_wake = on_wake,
             .on_quantum = on_quantum_of_sm},
    .gpu = {.on_kernel_begin = on_kernel_begin_at_gpu, .on_kernel_end = on_kernel_end_at_gpu,
            .on_quantum = on_quantum},
    .reads_work = true,
    .levels = HD_L1,
};
