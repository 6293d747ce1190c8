// Runs the kernels of a module on a small machine, under limits.
#include "fuzz_gpu.h"

#include "fuzz.h"

#include "config/config.h"
#include "gpu/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CYCLES = 3000, // of one launch
    MAX_INSTRUCTIONS = 2000,
    MAX_KERNELS = 4,
    MAX_PARAMS = 1 << 16,
    BUFFER = 4096,
    MAX_MEMORY = 256 << 20, // of the host; to ask what it has left takes as long as an input
};

// Small caches make a small state, which each input sets up anew.
static const char *const settings[] = {
    "gpu.sms=1", "slice.count=2", "dram.channels=2", "slice.write_versions=64", "l2.size=16KiB",
    "l1d.size=16KiB", "l1i.size=2KiB", "memory.capacity=64MiB", NULL,
};

static const Machine *machine(bool independent)
{
    static Machine machines[2];
    static bool ready;
    for (int i = 0; i < 2 && !ready; i++) {
        const char *const folders[] = {HEDDLE_MACHINES, NULL};
        HdError err = {0};
        Config *config = config_new(&machine_schema, &err);
        bool ok = config && config_load(config, "fermi-gtx480", folders, &err);
        for (const char *const *set = settings; ok && *set; set++)
            ok = config_set(config, *set, "--set", &err);
        if (ok && i) ok = config_set(config, "core.divergence=its", "--set", &err);
        fuzz_check(ok, err.text);
        machines[i] = *(const Machine *)config_target(config);
        config_free(config);
    }
    ready = true;
    return &machines[independent];
}

PtxOptions fuzz_ptx_options(unsigned options)
{
    PtxOptions ptx = machine_ptx_options(machine(options & FUZZ_ITS));
    ptx.lenient = options & FUZZ_LENIENT;
    ptx.contract = options & FUZZ_CONTRACT;
    return ptx;
}

static void ignore(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}

// Parameters of 8 bytes point to the buffer, others are small numbers.
static void fill_params(uint8_t *block, const PtxFunction *kernel, uint64_t buffer)
{
    for (size_t i = 0; i < kernel->param_count; i++) {
        const PtxParam *param = &kernel->params[i];
        uint64_t value = param->bytes == sizeof buffer ? buffer : i + 5;
        size_t bytes = param->bytes < sizeof value ? param->bytes : sizeof value;
        memcpy(block + param->offset, &value, bytes);
    }
}

static void run_kernel(Gpu *gpu, PtxModule *module, PtxFunction *kernel, uint64_t buffer, bool wide,
                       bool counts)
{
    if (kernel->param_bytes > MAX_PARAMS) return;
    // At least a byte, as a launch passes it.
    uint8_t *params = calloc(1, kernel->param_bytes + 1);
    fuzz_check(params != NULL, "out of memory");
    fill_params(params, kernel, buffer);
    Launch launch = {.kernel = kernel, .module = module, .grid = {wide ? 3 : 1, 1, 1},
                     .block = {wide ? 96 : 32, 1, 1}, .dynamic_shared = wide ? 1024 : 0,
                     .params = params};
    if (kernel->required_threads[0])
        for (int d = 0; d < 3; d++)
            launch.block[d] = kernel->required_threads[d] ? kernel->required_threads[d] : 1;
    HdError err = {0};
    bool ok = gpu_launch(gpu, &launch, &err);
    fuzz_check(ok != err.set, err.set ? err.text : "no message");
    // The message of an unusable kernel quotes the input.
    bool own = counts && err.set && !kernel->unusable;
    fuzz_check(!own || !strstr(err.text, "internal error, counters do not agree"), err.text);
    free(params);
}

void fuzz_run(PtxModule *module, unsigned options, bool counts)
{
    GpuOptions gpu_options = {.max_cycles = MAX_CYCLES, .max_instructions = MAX_INSTRUCTIONS,
                              .max_memory = MAX_MEMORY, .functional = options & FUZZ_FUNCTIONAL,
                              .granules = options & FUZZ_GRANULES,
                              .strict = options & FUZZ_STRICT, .print = ignore,
                              .print_error = ignore};
    HdError err = {0};
    Gpu *gpu = gpu_new(machine(options & FUZZ_ITS), &gpu_options, 1, &err);
    fuzz_check(gpu != NULL, err.text);
    uint64_t buffer = gpu_allocate(gpu, BUFFER, "buffer", &err);
    if (buffer && gpu_load(gpu, module, &err)) {
        size_t runs = 0;
        for (size_t i = 0; i < module->function_count && runs < MAX_KERNELS; i++) {
            if (!module->functions[i].entry) continue;
            run_kernel(gpu, module, &module->functions[i], buffer, options & FUZZ_WIDE, counts);
            runs++;
        }
    }
    gpu_free(gpu);
}

static const char body_start[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".const .align 16 .b8 bank[64];\n.global .align 8 .b8 data[256];\n"
    ".func callee() { ret; }\n"
    ".visible .entry k(.param .u64 p, .param .u32 n, .param .align 16 .b8 arguments[64])\n{\n"
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b16 %h<8>; .reg .f16 %hf<4>; .reg .b32 %r<99>;\n"
    ".reg .f32 %f<9>; .reg .b64 %rd<10>; .reg .f64 %fd<9>;\n"
    ".shared .align 16 .b8 tile[256]; .local .align 16 .b8 depot[64];\n"
    ".param .align 8 .b8 outgoing[8];\n";

char *fuzz_kernel(const char *body)
{
    size_t size = sizeof body_start + strlen(body) + 16;
    char *text = malloc(size);
    fuzz_check(text != NULL, "out of memory");
    snprintf(text, size, "%s%s\nret;\n}\n", body_start, body);
    return text;
}
