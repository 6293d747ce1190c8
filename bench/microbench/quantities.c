// The quantities: what each measures, and how.
#include "base/fail.h"
#include "device/sim.h"
#include "gpu/texture_handles.h"
#include "microbench.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 8, WARP = 32, BLOCK = 1024, SMALL_L2 = 2 << 20 };

// ---- latencies: one more body of a chain, by the clock differences of two kernels ----

enum { CHAIN_COUNT = 64, ROUNDS = 3, STRIDE = 1152 };

// One warp, or `threads` threads. The first rounds fill the instruction cache.
static bool chain_cycles(Chip *chip, const Quantity *q, unsigned threads, const HdAddress data[2],
                         double *cycles, HdError *err)
{
    KernelTimes once, twice;
    Kernel kernel = {q->before, q->body, 1, CHAIN_COUNT};
    KernelRun run = {1, threads, ROUNDS, data ? data[0] : 0};
    if (!micro_run(chip, &kernel, &run, &once, err)) return false;
    kernel.count = 2 * CHAIN_COUNT;
    if (data) run.argument = data[1];
    if (!micro_run(chip, &kernel, &run, &twice, err)) return false;
    *cycles = ((double)twice.round - (double)once.round) / CHAIN_COUNT;
    return true;
}

static bool latency(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    if (!chain_cycles(chip, q, WARP, NULL, value, err)) return false;
    if (q->scale) *value *= q->scale;
    return true;
}

// A ring of pointers in a new allocation: `places` of them, `stride` bytes apart. 0 and err on
// failure.
static HdAddress ring(Chip *chip, unsigned places, uint64_t stride, HdError *err)
{
    HdAddress first = hd_allocate(chip->device, places * stride, "ring", err);
    for (unsigned i = 0; first && i < places; i++) {
        HdAddress next = first + (i + 1) % places * stride;
        if (!hd_write(chip->device, first + i * stride, &next, sizeof next, err)) return 0;
    }
    return first;
}

// A chase of one lane along rings.
static bool chase(Chip *chip, const Quantity *q, unsigned places, uint64_t stride, double *value,
                  HdError *err)
{
    HdAddress data[2] = {ring(chip, places, stride, err), ring(chip, 2 * places, stride, err)};
    return data[0] && data[1] && chain_cycles(chip, q, 1, data, value, err);
}

// A few lines, which the first round brings into the cache.
static bool near_chase(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    return chase(chip, q, 8, 128, value, err);
}

// Each load is the first to its line. If the body before the loop walks the ring, the L2 has it.
static bool far_chase(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    return chase(chip, q, ROUNDS * CHAIN_COUNT, STRIDE, value, err);
}

// One lane fetches a texel, which is the coordinate of the next fetch.
static bool texture(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    enum { WIDTH = 32 };
    HdAddress data[2] = {0}, texels = hd_allocate(chip->device, 4 * WIDTH, "texels", err);
    GpuTexture t = {.address = texels, .kind = TEXTURE_LINEAR, .width = WIDTH, .bits = {32},
                    .channel = CHANNEL_UNSIGNED};
    if (!texels || !gpu_texture_create(device_sim_gpu(chip->device), &t, &data[0], err))
        return false;
    data[1] = data[0];
    return chain_cycles(chip, q, 1, data, value, err);
}

// Loads of a warp from shared memory, `scale` lanes of it on different words of one bank.
static bool conflict(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    const SharedConfig *shared = &chip->machine->shared;
    char before[512];
    snprintf(before, sizeof before,
             "    rem.u32 %%r0, %%r8, %u;\n"
             "    div.u32 %%r1, %%r8, %u;\n"
             "    mul.lo.u32 %%r0, %%r0, %u;\n"
             "    mad.lo.u32 %%r0, %%r1, %u, %%r0;\n"
             "    mov.u32 %%r1, place;\n"
             "    add.u32 %%r0, %%r0, %%r1;\n"
             "    st.shared.u32 [%%r0], %%r0;\n",
             (unsigned)q->scale, (unsigned)q->scale,
             (unsigned)(shared->banks * shared->bank_bytes), (unsigned)shared->bank_bytes);
    Quantity chain = *q;
    chain.before = before;
    return chain_cycles(chip, &chain, WARP, NULL, value, err);
}

// ---- rates: one more body in each thread of full SMs, by the cycles of four launches ----

typedef struct Shape {
    unsigned blocks, count, rounds; // blocks of BLOCK threads; bodies and rounds that are added
} Shape;

// Threads' bodies per core cycle.
static bool rate(Chip *chip, const Quantity *q, Shape shape, HdAddress data, double *value,
                 HdError *err)
{
    double cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        KernelTimes few, many;
        Kernel kernel = {q->before, q->body, CHAINS, (i + 1) * shape.count};
        KernelRun run = {shape.blocks, BLOCK, 1, data};
        if (!micro_run(chip, &kernel, &run, &few, err)) return false;
        run.rounds += shape.rounds;
        if (!micro_run(chip, &kernel, &run, &many, err)) return false;
        cycles[i] = (double)many.launch - (double)few.launch;
    }
    *value = (double)shape.count * shape.rounds * shape.blocks * BLOCK / (cycles[1] - cycles[0]);
    if (q->scale) *value *= q->scale;
    return true;
}

static bool sm_rate(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    HdAddress data = hd_allocate(chip->device, 8 * BLOCK, "data", err);
    return data && rate(chip, q, (Shape){1, 64, 8}, data, value, err);
}

static bool gpu_rate(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    unsigned sms = chip->machine->gpu.sms;
    HdAddress data = hd_allocate(chip->device, 8ull * sms * BLOCK, "data", err);
    return data && rate(chip, q, (Shape){sms, 8, 2}, data, value, err);
}

// All threads access distinct data once, `scale` bytes for each byte of the footprint: a longer
// launch less a shorter one. One before both fills the L2. GB/s of the whole machine (see share).
static bool dram_stream(Chip *chip, const Quantity *q, double *value, HdError *err)
{
    enum { COUNT = 2, BYTES = 8, SHORT = SMALL_L2 }; // bytes
    unsigned blocks = 2 * chip->machine->gpu.sms;
    uint64_t step = (uint64_t)blocks * BLOCK * BYTES;
    char before[256], body[256];
    unsigned some = (unsigned)(SHORT / (step * COUNT)) + 1;
    uint64_t half = 2 * some * COUNT * step; // a copy's destination
    snprintf(before, sizeof before,
             "    mad.lo.u64 %%rd0, %%rd9, %d, %%rd8;\n"
             "    add.u64 %%rd1, %%rd0, %llu;\n", BYTES, (unsigned long long)half);
    snprintf(body, sizeof body, "%s    add.u64 %%rd0, %%rd0, %llu;\n"
             "    add.u64 %%rd1, %%rd1, %llu;\n", q->body, (unsigned long long)step,
             (unsigned long long)step);
    uint64_t cycles[3];
    for (unsigned i = 0; i < 3; i++) {
        Kernel kernel = {before, body, COUNT, COUNT};
        HdAddress data = hd_allocate(chip->device, 2 * half, "data", err);
        KernelRun run = {blocks, BLOCK, i < 2 ? some : 2 * some, data};
        KernelTimes times;
        if (!data || !micro_run(chip, &kernel, &run, &times, err)) return false;
        cycles[i] = times.launch;
    }
    double seconds =
        (double)(cycles[2] - cycles[1]) / (1e3 * (double)chip->machine->core.frequency);
    *value = chip->share * q->scale * some * COUNT * (double)step / seconds / 1e9;
    return true;
}

// ---- the tables ----

#define CYCLES "cycles"
#define PER_SM "ops/cycle/SM"
#define PER_GPU "ops/cycle"
#define BYTES_SM "bytes/cycle/SM"
#define FROM_ARGUMENT "    mov.u64 %rd0, %rd8;\n"
#define OWN_WORD "    mad.lo.u64 %rd0, %rd9, 4, %rd8;\n"
// Longer than the rings, by loads that bypass the L1.
#define WALK                                                                                       \
    "    mov.u32 %r0, 0;\n"                                                                        \
    "WALK:\n"                                                                                      \
    "    ld.global.cg.u64 %rd0, [%rd0];\n"                                                         \
    "    add.u32 %r0, %r0, 1;\n"                                                                   \
    "    setp.lt.u32 %p0, %r0, 384;\n"                                                             \
    "    @%p0 bra WALK;\n"
#define LOAD_8 "    ld.global.f64 %d#, [%rd0];\n"
#define SELF "    mov.u32 %r0, place;\n    st.shared.u32 [%r0], %r0;\n"

const Quantity micro_quantities[] = {
    {"latency.l1_hit", CYCLES, near_chase, FROM_ARGUMENT, "    ld.global.ca.u64 %rd0, [%rd0];\n", 0,
     "memory.global_in_l1=true"},
    {"latency.l2_hit", CYCLES, far_chase, FROM_ARGUMENT WALK,
     "    ld.global.u64 %rd0, [%rd0];\n", 0, NULL},
    {"latency.l2_far", CYCLES, far_chase, FROM_ARGUMENT WALK,
     "    ld.global.u64 %rd0, [%rd0];\n", 0, NULL},
    {"latency.dram", CYCLES, far_chase, FROM_ARGUMENT,
     "    ld.global.u64 %rd0, [%rd0];\n", 0, NULL},
    {"latency.readonly_hit", CYCLES, near_chase, FROM_ARGUMENT,
     "    ld.global.nc.u64 %rd0, [%rd0];\n", 0, NULL},
    {"latency.texture_hit", CYCLES, texture, "    mov.u32 %r0, 0;\n",
     "    tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd8, {%r0}];\n", 0, NULL},
    {"latency.constant_hit", CYCLES, latency, "    mov.u64 %rd0, bank;\n",
     "    ld.const.u64 %rd0, [%rd0];\n", 0, NULL},
    {"latency.shared", CYCLES, latency, SELF, "    ld.shared.u32 %r0, [%r0];\n", 0, NULL},
    {"latency.atomic_global", CYCLES, near_chase, FROM_ARGUMENT,
     "    atom.global.add.u64 %rd0, [%rd0], 0;\n", 0, NULL},
    {"latency.atomic_shared", CYCLES, latency, SELF,
     "    atom.shared.add.u32 %r0, [%r0], 0;\n", 0, NULL},
    {"conflicts.shared.2", CYCLES, conflict, NULL, "    ld.shared.u32 %r0, [%r0];\n", 2, NULL},
    {"conflicts.shared.4", CYCLES, conflict, NULL, "    ld.shared.u32 %r0, [%r0];\n", 4, NULL},
    {"conflicts.shared.8", CYCLES, conflict, NULL, "    ld.shared.u32 %r0, [%r0];\n", 8, NULL},
    {"conflicts.shared.16", CYCLES, conflict, NULL, "    ld.shared.u32 %r0, [%r0];\n", 16, NULL},
    {"conflicts.shared.32", CYCLES, conflict, NULL, "    ld.shared.u32 %r0, [%r0];\n", 32, NULL},
    {"bandwidth.l1", BYTES_SM, sm_rate, OWN_WORD, "    ld.global.ca.u32 %r#, [%rd0];\n", 4,
     "memory.global_in_l1=true"},
    {"bandwidth.shared", BYTES_SM, sm_rate,
     "    mov.u32 %r0, place;\n    mad.lo.u32 %r8, %r9, 8, %r0;\n",
     "    ld.shared.u64 %rd#, [%r8];\n", 8, NULL},
    {"bandwidth.l2", "bytes/cycle", gpu_rate, OWN_WORD,
     "    ld.global.cg.u32 %r#, [%rd0];\n", 4, NULL},
    {"bandwidth.dram", "GB/s", dram_stream, NULL, LOAD_8, 1, NULL},
    {"bandwidth.dram_copy", "GB/s", dram_stream, NULL,
     LOAD_8 "    st.global.f64 [%rd1], %d#;\n", 2, NULL},
    {"bandwidth.dram_write", "GB/s", dram_stream, NULL,
     "    st.global.f64 [%rd1], %d0;\n", 1, NULL},
    {"atomics.global_same", PER_GPU, gpu_rate, NULL,
     "    red.global.add.u32 [%rd8], 1;\n", 0, NULL},
    {"atomics.global_distinct", PER_GPU, gpu_rate, OWN_WORD,
     "    red.global.add.u32 [%rd0], 1;\n", 0, NULL},
    {"atomics.shared_same", PER_SM, sm_rate, NULL,
     "    atom.shared.add.u32 %r#, [place], 1;\n", 0, NULL},
    {0},
};

const InstructionClass micro_classes[] = {
    {"int_add", "    add.s32 %r#, %r#, %r9;\n"},
    {"int_mul", "    mul.lo.s32 %r#, %r#, %r9;\n"},
    {"int_mad", "    mad.lo.s32 %r#, %r#, %r9, %r9;\n"},
    {"int_div", "    div.s32 %r#, %r#, %r9;\n"},
    {"int_max", "    max.s32 %r#, %r#, %r9;\n"},
    {"mad24", "    mad24.lo.s32 %r#, %r#, %r9, %r9;\n"},
    {"sad", "    sad.s32 %r#, %r#, %r9, %r9;\n"},
    {"logic", "    xor.b32 %r#, %r#, %r9;\n"},
    {"shift", "    shl.b32 %r#, %r#, %r9;\n"},
    {"popc", "    popc.b32 %r#, %r#;\n"},
    {"bfe", "    bfe.u32 %r#, %r#, 1, 3;\n"},
    {"fp_add", "    add.rn.f32 %f#, %f#, %f9;\n"},
    {"fp_mul", "    mul.rn.f32 %f#, %f#, %f9;\n"},
    {"fp_fma", "    fma.rn.f32 %f#, %f#, %f9, %f9;\n"},
    {"fp_max", "    max.f32 %f#, %f#, %f9;\n"},
    {"fp_div", "    div.rn.f32 %f#, %f#, %f9;\n"},
    {"dp_add", "    add.rn.f64 %d#, %d#, %d9;\n"},
    {"dp_mul", "    mul.rn.f64 %d#, %d#, %d9;\n"},
    {"dp_fma", "    fma.rn.f64 %d#, %d#, %d9, %d9;\n"},
    {"dp_div", "    div.rn.f64 %d#, %d#, %d9;\n"},
    {"rcp_rn", "    rcp.rn.f32 %f#, %f#;\n"},
    {"rcp", "    rcp.approx.f32 %f#, %f#;\n"},
    {"sqrt_rn", "    sqrt.rn.f32 %f#, %f#;\n"},
    {"sqrt", "    sqrt.approx.f32 %f#, %f#;\n"},
    {"rsqrt", "    rsqrt.approx.f32 %f#, %f#;\n"},
    {"sin", "    sin.approx.f32 %f#, %f#;\n"},
    {"ex2", "    ex2.approx.f32 %f#, %f#;\n"},
    {"lg2", "    lg2.approx.f32 %f#, %f#;\n"},
    {"mufu", "    ex2.approx.ftz.f32 %f#, %f#;\n"},
    {"rcp64", "    rcp.rn.f64 %d#, %d#;\n"},
    {"sqrt64", "    sqrt.rn.f64 %d#, %d#;\n"},
    {"setp", "    setp.eq.and.u32 %p#, %r8, %r9, %p#;\n"},
    {"selp", "    selp.b32 %r#, %r#, %r9, %p9;\n"},
    {"cvt_f32_s32", "    cvt.rn.f32.s32 %r#, %r#;\n"},
    {"cvt_f32_f64", "    cvt.rn.f32.f64 %f#, %d#;\n    cvt.f64.f32 %d#, %f#;\n"},
    {"half_add", "    add.rn.f16 %h#, %h#, %h9;\n"},
    {"half_fma", "    fma.rn.f16 %h#, %h#, %h9, %h9;\n"},
    {"shuffle", "    shfl.sync.bfly.b32 %r#, %r#, 1, 31, -1;\n"},
    {"vote", "    vote.sync.all.pred %p#, %p#, -1;\n"},
    {"bar_sync", "    bar.sync 0;\n"},
    {0},
};

// ---- one measurement ----

// The quantity of a class: `latency.NAME` and `throughput.NAME`. false if there is none.
static bool of_class(const char *name, Quantity *quantity)
{
    const char *dot = strchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    bool is_latency = length == 7 && !strncmp(name, "latency", length);
    if (!is_latency && !(length == 10 && !strncmp(name, "throughput", length))) return false;
    for (const InstructionClass *c = micro_classes; c->name; c++) {
        if (strcmp(c->name, dot + 1)) continue;
        // Each instruction of a body counts; a chain waits for all of them.
        unsigned lines = 0;
        for (const char *at = c->body; *at; at++) lines += *at == '\n';
        *quantity = (Quantity){.name = name, .unit = is_latency ? CYCLES : PER_SM, .body = c->body,
                               .measure = is_latency ? latency : sm_rate,
                               .scale = is_latency ? 1.0 / lines : lines};
        return true;
    }
    return false;
}

// By how much a figure of unit `from` is multiplied to have unit `to`; 0: not comparable. `clock`
// in GHz.
static double conversion(const char *from, const char *to, double sms, double clock)
{
    static const char *const units[2][3] = {
        {"bytes/cycle/SM", "bytes/cycle", "GB/s"},
        {"ops/cycle/SM", "ops/cycle", "Gops/s"},
    };
    const double value[3] = {1, sms, sms * clock};
    for (int i = 0; i < 2; i++) {
        double a = 0, b = 0;
        for (int k = 0; k < 3; k++) {
            if (!strcmp(units[i][k], from)) a = value[k];
            if (!strcmp(units[i][k], to)) b = value[k];
        }
        if (a > 0 && b > 0) return b / a;
    }
    return strcmp(from, to) ? 0 : 1;
}

bool micro_name(unsigned index, char *name, size_t size)
{
    unsigned quantities = sizeof micro_quantities / sizeof *micro_quantities - 1;
    unsigned classes = sizeof micro_classes / sizeof *micro_classes - 1;
    if (index < quantities) return snprintf(name, size, "%s", micro_quantities[index].name) > 0;
    index -= quantities;
    if (index / 2 >= classes) return false;
    return snprintf(name, size, "%s.%s", index % 2 ? "throughput" : "latency",
                    micro_classes[index / 2].name) > 0;
}

// The quantity of this name, which is in the table or is written to *found. NULL and err: none.
static const Quantity *quantity_of(const char *name, Quantity *found, HdError *err)
{
    const Quantity *q = micro_quantities;
    while (q->name && strcmp(q->name, name)) q++;
    if (q->name) return q;
    if (of_class(name, found)) return found;
    enum { MOST_NAMES = 256 };
    char texts[MOST_NAMES][64];
    const char *names[MOST_NAMES];
    int count = 0;
    while (count < MOST_NAMES && micro_name((unsigned)count, texts[count], sizeof *texts)) {
        names[count] = texts[count];
        count++;
    }
    hd_fail(err, "no quantity '%s'%s%s%s", name, HD_DID_YOU_MEAN(hd_nearest(name, names, count)));
    return NULL;
}

static bool check_unit(const Quantity *q, const char *unit, HdError *err)
{
    return !unit || conversion(q->unit, unit, 1, 1) > 0 ||
           hd_fail(err, "%s in '%s': expected '%s'", q->name, unit, q->unit);
}

bool micro_check(const char *name, const char *unit, HdError *err)
{
    Quantity found;
    const Quantity *q = quantity_of(name, &found, err);
    return q && check_unit(q, unit, err);
}

static bool measure_as(Chip *chip, const Quantity *q, const char **unit, double *value,
                       HdError *err)
{
    if (!q->measure(chip, q, value, err)) return false;
    if (!*unit) *unit = q->unit;
    double clock = (double)chip->machine->core.frequency / 1e6;
    *value *= conversion(q->unit, *unit, chip->machine->gpu.sms, clock);
    return true;
}

// Opens the machine with the parameters of `chip`, of the quantity, and `extra` (up to a NULL).
static bool open_device(Chip *chip, const Quantity *q, const char *const *extra, HdError *err)
{
    HdSimulation simulation = chip->simulation;
    const char *set[MOST_SET + 6] = {NULL};
    unsigned count = 0;
    if (q->set) set[count++] = q->set;
    while (*extra) set[count++] = *extra++;
    for (unsigned i = 0; i < MOST_SET && chip->set[i]; i++) set[count++] = chip->set[i];
    simulation.set = set;
    simulation.threads = 1;
    chip->device = hd_device_simulate(&simulation, err);
    if (chip->device) chip->machine = gpu_machine(device_sim_gpu(chip->device));
    return chip->device;
}

static unsigned common_divisor(unsigned a, unsigned b) { return b ? common_divisor(b, a % b) : a; }

// Opens instead a share of the machine, so that short streams reach a steady state: SMs, slices and
// channels are divided by their common divisor, and the L2 has at most SMALL_L2 bytes.
static bool open_share(Chip *chip, const Quantity *q, HdError *err)
{
    const Machine *m = chip->machine;
    unsigned sms = m->gpu.sms, slices = m->slice.count, channels = m->dram.channels;
    chip->share = common_divisor(common_divisor(sms, slices), channels);
    uint64_t l2 = m->l2.size;
    while (l2 * slices / chip->share > SMALL_L2) l2 /= 2;
    char text[4][64];
    snprintf(text[0], sizeof text[0], "gpu.sms=%u", sms / chip->share);
    snprintf(text[1], sizeof text[1], "slice.count=%u", slices / chip->share);
    snprintf(text[2], sizeof text[2], "dram.channels=%u", channels / chip->share);
    snprintf(text[3], sizeof text[3], "l2.size=%lluB", (unsigned long long)l2);
    hd_device_close(chip->device);
    return open_device(chip, q, (const char *const[]){text[0], text[1], text[2], text[3], NULL},
                       err);
}

bool micro_measure(Chip *chip, const char *name, const char **unit, double *value, HdError *err)
{
    Quantity found;
    const Quantity *q = quantity_of(name, &found, err);
    if (!q || !check_unit(q, *unit, err)) return false;
    chip->kernels = 0;
    if (!open_device(chip, q, &(const char *){NULL}, err) ||
        (q->measure == dram_stream && !open_share(chip, q, err)))
        return false;
    bool ok = measure_as(chip, q, unit, value, err);
    hd_device_close(chip->device);
    return ok;
}
