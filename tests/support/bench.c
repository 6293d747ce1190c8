// Builds a GPU from a machine file, loads PTX text, launches kernels, and finds their counters.
#include "support/bench.h"

Config *bench_config(const char *name, const char *const *settings)
{
    HdError err = {0};
    const char *const folders[] = {HEDDLE_MACHINES, NULL};
    Config *config = config_new(&machine_schema, &err);
    bool ok = config && config_load(config, name, folders, &err);
    for (; ok && settings && *settings; settings++)
        ok = config_set(config, *settings, "--set", &err);
    if (!ok) fail_msg("%s", err.text);
    return config;
}

Machine bench_machine(const char *name, const char *const *settings)
{
    Config *config = bench_config(name, settings);
    Machine machine = *(const Machine *)config_target(config);
    config_free(config);
    return machine;
}

Bench *bench_new(const char *name, const char *const *settings, const GpuOptions *options,
                 const char *ptx)
{
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    Machine machine = bench_machine(name, settings);
    bench->gpu = gpu_new(&machine, options ? options : &(GpuOptions){0}, 1, &bench->err);
    if (!bench->gpu) fail_msg("%s", bench->err.text);
    bench->machine = gpu_machine(bench->gpu);
    if (ptx) bench_load(bench, ptx);
    return bench;
}

void bench_free(Bench *bench)
{
    gpu_free(bench->gpu);
    free(bench);
}

void bench_load(Bench *bench, const char *ptx)
{
    bench->module = ptx_parse_with(ptx, "test.ptx", gpu_ptx_options(bench->gpu), &bench->err);
    if (!bench->module || !gpu_load(bench->gpu, bench->module, &bench->err))
        fail_msg("%s", bench->err.text);
}

const char *bench_ptx(const char *path)
{
    static char text[1 << 16];
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", HEDDLE_TESTS, path);
    FILE *file = fopen(whole, "r");
    if (!file) fail_msg("%s: cannot be opened", whole);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(size < sizeof text);
    text[size] = 0;
    return text;
}

// ---- memory ----

uint64_t bench_array(Bench *bench, const char *name, const void *from, uint64_t bytes)
{
    uint64_t address = gpu_allocate(bench->gpu, bytes, name, &bench->err);
    if (!address) fail_msg("%s", bench->err.text);
    if (from && !gpu_write(bench->gpu, address, from, bytes, &bench->err))
        fail_msg("%s", bench->err.text);
    return address;
}

void bench_read(Bench *bench, void *to, uint64_t address, uint64_t bytes)
{
    if (!gpu_read(bench->gpu, to, address, bytes, &bench->err)) fail_msg("%s", bench->err.text);
}

uint32_t bench_word(Bench *bench, uint64_t address, size_t index)
{
    uint32_t word;
    bench_read(bench, &word, address + index * sizeof word, sizeof word);
    return word;
}

uint64_t bench_long(Bench *bench, uint64_t address, size_t index)
{
    uint64_t word;
    bench_read(bench, &word, address + index * sizeof word, sizeof word);
    return word;
}

// ---- launches ----

static bool launch(Bench *bench, const BenchLaunch *l)
{
    Launch launch = {.dynamic_shared = l->shared, .stream = l->stream, .in_graph = l->in_graph};
    bench->err.set = false;
    launch.kernel = gpu_kernel(bench->gpu, l->kernel, &launch.module, &bench->err);
    if (!launch.kernel) fail_msg("%s", bench->err.text);
    for (int d = 0; d < 3; d++) {
        launch.grid[d] = l->grid[d] ? l->grid[d] : 1;
        launch.block[d] = l->block[d] ? l->block[d] : 1;
    }
    uint8_t *params = calloc(1, launch.kernel->param_bytes + sizeof(uint64_t));
    assert_non_null(params);
    for (size_t i = 0; i < launch.kernel->param_count; i++)
        memcpy(params + launch.kernel->params[i].offset, &l->args[i],
               launch.kernel->params[i].bytes);
    launch.params = params;
    bool ok = gpu_launch(bench->gpu, &launch, &bench->err);
    free(params);
    return ok;
}

const LaunchResult *bench_run(Bench *bench, const BenchLaunch *l)
{
    if (!launch(bench, l)) fail_msg("%s", bench->err.text);
    size_t count;
    const LaunchResult *record = gpu_results(bench->gpu, &count);
    if (!count) return NULL;
    record += count - 1;
    char broken[1024];
    gpu_check_invariants(bench->gpu, record, broken, sizeof broken);
    assert_string_equal(broken, "");
    return record;
}

const char *bench_fail(Bench *bench, const BenchLaunch *l)
{
    assert_false(launch(bench, l));
    assert_true(bench->err.set);
    return bench->err.text;
}

// ---- instructions ----

// Static instruction number of the only instruction of the last module that contains `text`.
static uint32_t find(const Bench *bench, const char *text)
{
    const PtxModule *m = bench->module;
    uint32_t found = UINT32_MAX;
    for (uint32_t pc = 0;; pc++) {
        PcLocation place = gpu_locate_pc(bench->gpu, pc);
        if (!place.module) break;
        if (place.module != m) continue;
        if (!strstr(ptx_source_text(m, place.function, place.index), text)) continue;
        if (found != UINT32_MAX) fail_msg("more than one instruction contains '%s'", text);
        found = pc;
    }
    if (found == UINT32_MAX) fail_msg("no instruction contains '%s'", text);
    return found;
}

PcCounters bench_at(const Bench *bench, const LaunchResult *record, const char *text)
{
    return record->sm.pcs[find(bench, text)];
}

const UOpTiming *bench_timing(const Bench *bench, const char *text)
{
    PcLocation place = gpu_locate_pc(bench->gpu, find(bench, text));
    return &place.function->timing[place.index];
}

// ---- text ----

void bench_put(void *text, const char *more, size_t length)
{
    BenchText *t = text;
    assert_true(t->length + length < sizeof t->all);
    memcpy(t->all + t->length, more, length);
    t->length += length;
    t->all[t->length] = 0;
}

char *bench_repeat(const char *text, unsigned count)
{
    size_t length = strlen(text);
    char *all = malloc(length * count + 1);
    assert_non_null(all);
    for (unsigned i = 0; i < count; i++) memcpy(all + i * length, text, length);
    all[length * count] = 0;
    return all;
}

const HdMechanism *bench_mechanism(const HdMechanism *all, size_t count, const char *name,
                                   void **library, HdError *err)
{
    *library = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    hd_fail(err, "there is no mechanism '%s'", name);
    return NULL;
}

Bench *bench_with(HookPlan *plan, const char *mechanisms, MechanismFinder *finder,
                  const char *name, const char *const *settings, GpuOptions options,
                  const char *ptx)
{
    HdError err = {0};
    if (!plan_read(plan, mechanisms, finder, &err)) fail_msg("%s", err.text);
    options.mechanisms = plan;
    return bench_new(name, settings, &options, ptx);
}
