// Runs programs by Heddle, through the library. A GPU is kept for some programs, because each
// loaded module stays.
#include "runners.h"

#include "config/config.h"
#include "gpu/machine.h"
#include "mechanisms/mechanism_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES_PER_GPU = 8, MAX_CYCLES = 4000000, MAX_INSTRUCTIONS = 40000000 };

void runners_of(unsigned machine, Runner runners[RUNNERS])
{
    static const struct { const char *name, *width; } machines[] = {
        {"fermi-gtx480", "core.width=32"}, {"volta-v100", "core.width=32"},
        {"maxwell-gtx980", "core.width=32"}, {"fermi-macsim", "core.width=32"},
        {"fermi-gtx480", "core.width=16"}, {"hopper-h200", "core.width=32"},
        {"kepler-k40c", "core.width=8"}, {"volta-v100-gpgpusim4", "core.width=32"},
        {"fermi-gtx480-gpgpusim4", "core.width=4"},
    };
    static const Runner all[RUNNERS] = {
        {.name = "timed, stack", .divergence = "core.divergence=stack"},
        {.name = "timed, its", .divergence = "core.divergence=its"},
        {.name = "functional, stack", .divergence = "core.divergence=stack", .functional = true},
        {.name = "functional, its", .divergence = "core.divergence=its", .functional = true},
        {.name = "timed, scalars", .divergence = "core.divergence=stack",
         .scalar = "scalar.mode=execute"},
        {.name = "timed, waves", .divergence = "core.divergence=stack",
         .scalar = "scalar.mode=waves"},
        {.name = "timed, waves, go on", .divergence = "core.divergence=stack",
         .scalar = "scalar.mode=waves", .go_on = "scalar.go_on=on"},
        {.name = "timed, consecutive waves, go on", .divergence = "core.divergence=stack",
         .scalar = "scalar.mode=waves", .go_on = "scalar.go_on=on",
         .members = "scalar.members=consecutive"},
#define INJECTS(text)                                                                              \
        {.name = "timed, " text, .divergence = "core.divergence=stack", .mechanism = text}
        INJECTS("repeat-any"),
        INJECTS("repeat-any:registers=62"),
        INJECTS("spref"),
        INJECTS("spref:detect=compiler,distance=dynamic"),
        INJECTS("spref:distance=3,registers=7"),
        INJECTS("spref:tails=cache"),
#undef INJECTS
    };
    unsigned which = machine % (sizeof machines / sizeof *machines);
    for (unsigned i = 0; i < RUNNERS; i++) {
        runners[i] = all[i];
        runners[i].machine = machines[which].name;
        runners[i].width = machines[which].width;
    }
}

unsigned runner_width(const Runner *r) { return (unsigned)atoi(strchr(r->width, '=') + 1); }

void runner_free(Runner *r)
{
    if (r->gpu) gpu_free(r->gpu);
    r->gpu = NULL;
    plan_free(&r->mechanisms);
    r->modules = 0;
}

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return strcmp(name, repeat_any.name) ? mechanism_find(name, library, err) : &repeat_any;
}

static bool start(Runner *r, HdError *err)
{
    static const char *const folders[] = {HEDDLE_MACHINES, NULL};
    bool pairs = r->scalar && 2 * runner_width(r) <= HD_MAX_LANES;
    const char *const settings[] = {"gpu.sms=2", r->divergence, r->width,
                                    r->scalar ? r->scalar : "scalar.mode=off",
                                    r->scalar ? "core.issue=1" : "gpu.sms=2",
                                    r->go_on ? r->go_on : "scalar.go_on=off",
                                    r->members ? r->members : "scalar.members=fixed",
                                    pairs ? "core.paired=on" : "core.paired=off"};
    if (r->mechanism && !plan_read(&r->mechanisms, r->mechanism, find, err)) return false;
    enum { SETTINGS = sizeof settings / sizeof *settings };
    Config *config = config_new(&machine_schema, err);
    bool ok = config && config_load(config, r->machine, folders, err);
    for (unsigned i = 0; ok && i < SETTINGS; i++)
        ok = config_set(config, settings[i], "--set", err);
    if (ok) {
        GpuOptions options = {.functional = r->functional, .max_cycles = MAX_CYCLES,
                              .max_instructions = MAX_INSTRUCTIONS, .only_totals = true,
                              .mechanisms = r->mechanism ? &r->mechanisms : NULL};
        r->gpu = gpu_new(config_target(config), &options, 1, err);
    }
    config_free(config);
    if (!r->gpu) return false;
    r->memory = gpu_allocate(r->gpu, MEMORY_BYTES, "memory", err);
    return r->memory != 0;
}

static bool launch(Runner *r, const Program *p, const char *ptx, const char *kernel, HdError *err)
{
    uint8_t params[PARAMETER_AT + PARAMETER_BYTES] = {0};
    Launch l = {.grid = {p->grid, 1, 1}, .params = params};
    memcpy(params, &r->memory, sizeof r->memory);
    memcpy(params + PARAMETER_AT, p->constants, PARAMETER_BYTES);
    memcpy(l.block, p->block, sizeof l.block);
    PtxModule *module =
        ptx_parse_with(ptx, "random.ptx", machine_ptx_options(gpu_machine(r->gpu)), err);
    if (!module || !gpu_load(r->gpu, module, err)) return false;
    l.kernel = gpu_kernel(r->gpu, kernel, &l.module, err);
    return l.kernel && gpu_launch(r->gpu, &l, err);
}

bool runner_run(Runner *r, const Program *p, const char *ptx, uint8_t *memory, HdError *err)
{
    if (r->modules == MODULES_PER_GPU) runner_free(r);
    if (!r->gpu && !start(r, err)) {
        runner_free(r);
        return false;
    }
    // Each module has another kernel name: "k007" for "k000".
    char *text = strdup(ptx), name[8];
    snprintf(name, sizeof name, "k%03u", r->modules++);
    if (text) memcpy(strstr(text, "k000"), name, 4);
    bool ok = text && gpu_write(r->gpu, r->memory, memory, program_bytes(p), err) &&
              launch(r, p, text, name, err) &&
              gpu_read(r->gpu, memory, r->memory, program_bytes(p), err);
    free(text);
    if (!ok) runner_free(r); // after a fault a GPU runs no more
    return ok;
}

// ---- comparison ----

void memory_describe(const Program *p, size_t at, char *text, size_t size)
{
    size_t threads = program_threads(p);
    if (at < SUMS_AT) {
        snprintf(text, size, "input byte %zu", at);
    } else if (at < BLOCKS_AT) {
        snprintf(text, size, "sum %zu", (at - SUMS_AT) / 8);
    } else if (at < THREADS_AT) {
        at -= BLOCKS_AT;
        snprintf(text, size, "block %zu, shared sum %zu", at / BLOCK_BYTES, at % BLOCK_BYTES / 8);
    } else {
        static const char *const names[] = {"%h", "%r", "%d"};
        size_t thread = (at - THREADS_AT) / THREAD_BYTES, byte = (at - THREADS_AT) % THREAD_BYTES;
        int used = snprintf(text, size, "block %zu, thread %zu, ", thread / threads,
                            thread % threads);
        if (used < 0 || (size_t)used >= size) return;
        text += used;
        size -= (size_t)used;
        if (byte < OWN_BYTES) {
            snprintf(text, size, "own byte %zu", byte);
            return;
        }
        byte -= OWN_BYTES;
        for (int b = BANK_64; b >= 0; b--) {
            size_t bytes = bank_bits((Bank)b) / 8;
            if (byte < bytes * bank_registers[b]) {
                snprintf(text, size, "register %s%zu", names[b], byte / bytes);
                return;
            }
            byte -= bytes * bank_registers[b];
        }
        snprintf(text, size, "predicate %%p%zu", byte);
    }
}

static uint32_t word_of(const uint8_t *memory, size_t at)
{
    uint32_t word;
    memcpy(&word, memory + at, sizeof word);
    return word;
}

static bool differs(const Program *p, const uint8_t *expected, const uint8_t *got, Difference *d)
{
    char where[128];
    size_t at = 0;
    if (!memcmp(expected, got, program_bytes(p))) return false;
    while (expected[at] == got[at]) at++;
    memory_describe(p, at, where, sizeof where);
    at &= ~(size_t)3;
    snprintf(d->text, sizeof d->text, "%s (word at byte %zu): 0x%08x, expected 0x%08x", where, at,
             word_of(got, at), word_of(expected, at));
    return true;
}

bool runners_compare(Runner *runners, unsigned first, unsigned last, const Program *p,
                     Difference *d)
{
    static uint8_t before[MEMORY_BYTES], expected[MEMORY_BYTES], got[MEMORY_BYTES];
    char *ptx = program_ptx(p, "k000");
    d->found = false;
    program_memory(p, before);
    memcpy(expected, before, program_bytes(p));
    program_interpret(p, runner_width(runners), expected);
    for (unsigned i = first; i < last && !d->found; i++) {
        HdError err = {0};
        d->runner = i;
        memcpy(got, before, program_bytes(p));
        if (!ptx || !runner_run(&runners[i], p, ptx, got, &err)) {
            d->found = true;
            snprintf(d->text, sizeof d->text, "%.1000s", ptx ? err.text : "out of memory");
        } else {
            d->found = differs(p, expected, got, d);
        }
    }
    free(ptx);
    return d->found;
}
