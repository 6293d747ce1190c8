// The backend `sim`: a Gpu of src/gpu, built from a machine file.
#include "device/sim.h"

#include "base/memory.h"
#include "base/team.h"
#include "device/backend.h"
#include "gpu/machine.h"
#include "gpu/texture_handles.h"
#include "mechanisms/mechanism_registry.h"
#include "mechanisms/settings.h"

#include <stdlib.h>
#include <string.h>

typedef struct SimDevice {
    Config *config; // owns the Machine that the Gpu reads
    Gpu *gpu;
    HookPlan plan; // its mechanisms
    EngineInstructions engines;
    const PtxModule **modules; // the loaded ones, which the Gpu owns
    size_t module_count, module_capacity;
} SimDevice;

static void sim_close(void *state)
{
    SimDevice *sim = state;
    gpu_free(sim->gpu);
    config_free(sim->config);
    engine_instructions_free(&sim->engines);
    plan_free(&sim->plan);
    free(sim->modules);
    free(sim);
}

static unsigned sim_warp_width(const void *state)
{
    const SimDevice *sim = state;
    return gpu_machine(sim->gpu)->core.width;
}

static HdAddress sim_allocate(void *state, uint64_t bytes, const char *name, HdError *err)
{
    return gpu_allocate(((SimDevice *)state)->gpu, bytes, name, err);
}

static bool sim_release(void *state, HdAddress address, HdError *err)
{
    return gpu_release(((SimDevice *)state)->gpu, address, err);
}

// Copies from and to the host wait for the launches before, as cudaMemcpy does.
static bool sim_write(void *state, HdAddress to, const void *from, uint64_t bytes, HdError *err)
{
    gpu_host_waits(((SimDevice *)state)->gpu);
    return gpu_write(((SimDevice *)state)->gpu, to, from, bytes, err);
}

static bool sim_read(void *state, void *to, HdAddress from, uint64_t bytes, HdError *err)
{
    gpu_host_waits(((SimDevice *)state)->gpu);
    return gpu_read(((SimDevice *)state)->gpu, to, from, bytes, err);
}

static bool sim_fill(void *state, HdAddress to, int byte, uint64_t bytes, HdError *err)
{
    return gpu_fill(((SimDevice *)state)->gpu, to, byte, bytes, err);
}

static uint64_t sim_texture(void *state, HdAddress floats, uint64_t count, HdError *err)
{
    const GpuTexture texture = {
        .kind = TEXTURE_LINEAR,
        .address = floats,
        .width = (uint32_t)count,
        .bits = {32},
        .channel = CHANNEL_FLOAT,
    };
    uint64_t handle;
    return gpu_texture_create(((SimDevice *)state)->gpu, &texture, &handle, err) ? handle : 0;
}

static bool sim_load(void *state, const char *text, const char *path, HdError *err)
{
    SimDevice *sim = state;
    PtxModule *module = ptx_parse_with(text, path, gpu_ptx_options(sim->gpu), err);
    if (!module || !gpu_load(sim->gpu, module, err)) return false;
    return HD_PUSH(sim->modules, sim->module_count, sim->module_capacity, module) ||
           hd_fail_memory(err, "loading a module");
}

static HdAddress sim_variable(void *state, const char *name, HdError *err)
{
    SimDevice *sim = state;
    for (size_t i = sim->module_count; i-- > 0;) {
        const PtxModule *module = sim->modules[i];
        const PtxVariable *v = gpu_variable(sim->gpu, module, name, err);
        if (!v) continue;
        if (err) err->set = false;
        if (v->space == SPACE_GLOBAL) return v->address;
        uint64_t bank = gpu_constants(sim->gpu, module, err);
        return bank ? bank + v->address : 0;
    }
    if (!sim->module_count) hd_fail(err, "there is no variable %s: no module is loaded", name);
    return 0;
}

static bool sim_find(void *state, const char *name, DeviceKernel *kernel, HdError *err)
{
    PtxModule *module;
    PtxFunction *function = gpu_kernel(((SimDevice *)state)->gpu, name, &module, err);
    if (!function) return false;
    *kernel = (DeviceKernel){
        .handle = function,
        .module = module,
        .name = name,
        .param_count = function->param_count,
        .param_bytes = function->param_bytes,
    };
    return true;
}

static DeviceParam sim_param(const DeviceKernel *kernel, size_t index)
{
    return device_param_of(kernel->handle, index);
}

static bool sim_launch(void *state, const DeviceKernel *kernel, const HdLaunch *launch,
                       const void *block, HdError *err)
{
    Launch run = {
        .kernel = kernel->handle,
        .module = kernel->module,
        .dynamic_shared = launch->dynamic_shared,
        .params = block,
    };
    for (int i = 0; i < 3; i++) {
        run.grid[i] = launch->grid[i];
        run.block[i] = launch->block[i];
    }
    return gpu_launch(((SimDevice *)state)->gpu, &run, err);
}

// gpu_launch returns after the kernel has ended, so that there is nothing to wait for but in device
// time.
static bool sim_synchronise(void *state, HdError *err)
{
    (void)err;
    gpu_host_waits(((SimDevice *)state)->gpu);
    return true;
}

static bool sim_has_mechanism(const void *state, const char *name)
{
    const HookPlan *plan = &((const SimDevice *)state)->plan;
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->items[i].mechanism->name, name) == 0) return true;
    return false;
}

static bool sim_call(void *state, const char *mechanism, const char *verb, const uint64_t *values,
                     size_t count, HdError *err)
{
    return gpu_call(((SimDevice *)state)->gpu, mechanism, verb, values, count, err);
}

static const DeviceBackend sim_backend = {
    .name = "sim",
    .close = sim_close,
    .warp_width = sim_warp_width,
    .allocate = sim_allocate,
    .release = sim_release,
    .write = sim_write,
    .read = sim_read,
    .fill = sim_fill,
    .texture = sim_texture,
    .load = sim_load,
    .variable = sim_variable,
    .find = sim_find,
    .param = sim_param,
    .launch = sim_launch,
    .synchronise = sim_synchronise,
    .has_mechanism = sim_has_mechanism,
    .call = sim_call,
};

// A filled and checked configuration; settles the plan by it. NULL and err on failure.
static Config *new_machine(HookPlan *plan, const HdSimulation *options, char *notes, size_t size,
                           HdError *err)
{
    static const char *const nowhere[] = {NULL};
    const char *const *directories = options->directories ? options->directories : nowhere;
    const ConfigAssignments set = {options->set, options->set_origins};
    Config *config = settings_new(&machine_schema, plan, err);
    if (config && config_read(config, options->machine, directories, &set, err)) {
        if (!machine_check(config_target(config), notes, size, err))
            config_append_origins(config, err);
        else if (settings_settle(config, plan, err))
            return config;
    }
    config_free(config);
    return NULL;
}

Config *sim_machine(const HdSimulation *options, char *notes, size_t size, HdError *err)
{
    HookPlan none = {0};
    return new_machine(&none, options, notes, size, err);
}

HdDevice *hd_device_simulate(const HdSimulation *options, HdError *err)
{
    char notes[1024];
    SimDevice *sim = hd_new(1, sizeof *sim);
    if (!sim) {
        hd_fail_memory(err, "opening a device");
        return NULL;
    }
    GpuOptions gpu_options = {
        .threads = options->threads ? options->threads : team_cpus(),
        .no_skip = options->no_skip,
        .shuffle = options->shuffle,
        .functional = options->functional,
        .only_totals = options->only_totals,
        .detail_first = options->detail_first,
        .detail_last = options->detail_last,
        .max_cycles = options->max_cycles,
        .max_instructions = options->max_instructions,
        .max_thread_instructions = options->max_thread_instructions,
        .max_memory = options->max_memory,
        .stop = options->stop,
        .progress = options->progress,
        .progress_context = options->progress_context,
        .granules = options->granules,
        .strict = options->strict,
        .print = options->print,
        .print_error = options->print_error,
        .print_context = options->print_context,
        .registers = options->registers,
        .mechanisms = &sim->plan,
        .engines = &sim->engines,
    };
    if ((!options->mechanisms || plan_open(&sim->plan, options->mechanisms, mechanism_find, err)) &&
        engine_instructions_list(&sim->engines, &sim->plan, mechanisms, err))
        sim->config = new_machine(&sim->plan, options, notes, sizeof notes, err);
    if (sim->config)
        sim->gpu = gpu_new(config_target(sim->config), &gpu_options, options->seed, err);
    if (!sim->gpu) {
        sim_close(sim);
        return NULL;
    }
    return device_new(&sim_backend, sim, err);
}

static const SimDevice *sim_of(const HdDevice *device)
{
    return device_backend(device) == &sim_backend ? device_state(device) : NULL;
}

Gpu *device_sim_gpu(const HdDevice *device)
{
    const SimDevice *sim = sim_of(device);
    return sim ? sim->gpu : NULL;
}

Config *device_sim_config(const HdDevice *device)
{
    const SimDevice *sim = sim_of(device);
    return sim ? sim->config : NULL;
}

bool device_sim_check_functional(const HdDevice *device, HdError *err)
{
    const HookPlan *plan = &sim_of(device)->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const HdEngineInstruction *instructions = plan->items[i].mechanism->instructions;
        if (instructions && instructions->name) return true;
    }
    return hd_fail(err, "--mechanism has no effect with --functional, which runs no launch timed");
}
