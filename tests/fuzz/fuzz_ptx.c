// Fuzz targets of PTX: `ptx` loads a text and runs its kernels on a small machine, under limits;
// `ptx-link` parses and links two texts. The last byte of the input chooses the options.
#include "fuzz.h"

#include "config/config.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bits of the last byte.
enum {
    FUNCTIONAL = 1,
    ITS = 2,
    LENIENT = 4,
    CONTRACT = 8,
    GRANULES = 16,
    STRICT = 32,
    WIDE = 64,  // more than one warp and block
    BODY = 128, // the text is the body of a kernel
};

enum {
    MAX_CYCLES = 3000, // of one launch
    MAX_INSTRUCTIONS = 2000,
    MAX_KERNELS = 4,
    MAX_PARAMS = 1 << 16,
    BUFFER = 4096,
};

// Small caches make a small state, which each input sets up anew.
static const char *const settings[] = {
    "gpu.sms=1", "slice.count=2", "dram.channels=2", "slice.write_versions=64", "l2.size=16KiB",
    "l1d.size=16KiB", "l1i.size=2KiB", "memory.capacity=64MiB", NULL,
};

static const Machine *machine(bool its)
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
    return &machines[its];
}

// What stands in front of a text that is only the body of a kernel (BODY).
static const char body_start[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".const .align 16 .b8 bank[64];\n.global .align 8 .b8 data[256];\n"
    ".func callee() { ret; }\n"
    ".visible .entry k(.param .u64 p, .param .u32 n, .param .align 16 .b8 arguments[64])\n{\n"
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b16 %h<8>; .reg .f16 %hf<4>; .reg .b32 %r<99>;\n"
    ".reg .f32 %f<9>; .reg .b64 %rd<10>; .reg .f64 %fd<9>;\n"
    ".shared .align 16 .b8 tile[256]; .local .align 16 .b8 depot[64];\n"
    ".param .align 8 .b8 outgoing[8];\n";

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

static void run_kernel(Gpu *gpu, PtxModule *module, PtxFunction *kernel, uint64_t buffer, bool wide)
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
    bool own = err.set && !kernel->unusable;
    fuzz_check(!own || !strstr(err.text, "internal error, counters do not agree"), err.text);
    free(params);
}

static void run_text(const char *text, unsigned flags)
{
    GpuOptions options = {.max_cycles = MAX_CYCLES, .max_instructions = MAX_INSTRUCTIONS,
                          .functional = flags & FUNCTIONAL, .granules = flags & GRANULES,
                          .strict = flags & STRICT, .print = ignore, .print_error = ignore};
    const Machine *m = machine(flags & ITS);
    PtxOptions ptx_options = machine_ptx_options(m);
    ptx_options.lenient = flags & LENIENT;
    ptx_options.contract = flags & CONTRACT;
    HdError err = {0};
    PtxModule *module = ptx_parse_with(text, "input.ptx", ptx_options, &err);
    fuzz_check(!module == err.set, "a module, or a message");
    if (!module) return;
    Gpu *gpu = gpu_new(m, &options, 1, &err);
    fuzz_check(gpu != NULL, err.text);
    uint64_t buffer = gpu_allocate(gpu, BUFFER, "buffer", &err);
    if (buffer && gpu_load(gpu, module, &err)) {
        size_t runs = 0;
        for (size_t i = 0; i < module->function_count && runs < MAX_KERNELS; i++) {
            if (!module->functions[i].entry) continue;
            run_kernel(gpu, module, &module->functions[i], buffer, flags & WIDE);
            runs++;
        }
    }
    gpu_free(gpu);
}

// The texts are separated by the byte 1.
static void link_texts(char *text, unsigned flags)
{
    char *second = strchr(text, 1);
    if (second) *second++ = 0;
    PtxText texts[] = {{text, "a.ptx"}, {second, "b.ptx"}};
    PtxOptions options = {.lenient = flags & LENIENT, .contract = flags & CONTRACT};
    HdError err = {0};
    PtxModule *module = ptx_link(texts, second ? 2 : 1, "input.ptx", options, &err);
    fuzz_check(!module == err.set, "a module, or a message");
    ptx_free(module);
}

// Frees `body`.
static char *add_start(char *body)
{
    size_t size = sizeof body_start + strlen(body) + 16;
    char *text = malloc(size);
    fuzz_check(text != NULL, "out of memory");
    snprintf(text, size, "%s%s\nret;\n}\n", body_start, body);
    free(body);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) return 0;
    unsigned flags = bytes[size - 1];
    char *text = fuzz_text(bytes, size - 1);
    if (flags & BODY) text = add_start(text);
    if (strcmp(fuzz_target, "ptx") == 0)
        run_text(text, flags);
    else
        link_texts(text, flags);
    free(text);
    return 0;
}
