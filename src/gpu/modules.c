// Loads modules: places their variables in device memory and numbers their instructions.
#include "gpu/gpu_internal.h"

#include "base/memory.h"
#include "ptx/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void modules_free(Gpu *gpu)
{
    for (size_t i = 0; i < gpu->module_count; i++) {
        ptx_free(gpu->modules[i].module);
        free(gpu->modules[i].pc_base);
        free(gpu->modules[i].totals);
        engine_uses_free(&gpu->modules[i].engines);
        if (!gpu->modules[i].constants_at) free(gpu->modules[i].constants);
    }
    free(gpu->modules);
}

const LoadedModule *module_of(const Gpu *gpu, const PtxModule *module)
{
    for (size_t i = 0; i < gpu->module_count; i++)
        if (gpu->modules[i].module == module) return &gpu->modules[i];
    return NULL;
}

// Allocates a global variable in what is left of the device's memory. Returns its address, or 0.
static uint64_t place_global(Gpu *gpu, const PtxVariable *v, HdError *err)
{
    uint64_t free_bytes = gpu_memory_free(gpu);
    if (v->bytes <= free_bytes) return gpu_allocate(gpu, v->bytes, ptx_source_name(v->name), err);
    hd_fail_at(err, v->path, v->line, 0,
               "'%s' needs %" PRIu64 " bytes of device memory: expected at most %" PRIu64
               ", which are free of %" PRIu64 " (memory.capacity)",
               v->name, v->bytes, free_bytes, gpu_memory_total(gpu));
    return 0;
}

// Allocates the module's global variables, resolves pointers to them, and copies initial values.
static bool place_variables(Gpu *gpu, LoadedModule *loaded, HdError *err)
{
    PtxModule *m = loaded->module;
    uint64_t *addresses = hd_new(m->variable_count, sizeof *addresses);
    loaded->constants = hd_new(m->const_bytes, 1);
    if (!addresses || !loaded->constants) {
        free(addresses);
        return hd_fail_memory(err, "loading a module");
    }
    bool ok = true;
    for (size_t i = 0; i < m->variable_count && ok; i++) {
        if (m->variables[i].texture)
            ok = texture_add_reference(gpu->textures, m->variables[i].name, &addresses[i], err);
        if (m->variables[i].space != SPACE_GLOBAL || m->variables[i].texture) continue;
        addresses[i] = place_global(gpu, &m->variables[i], err);
        ok = addresses[i] != 0;
    }
    if (ok) ptx_relocate(m, addresses);
    for (size_t i = 0; i < m->variable_count && ok; i++) {
        const PtxVariable *v = &m->variables[i];
        if (!v->initial) continue;
        ok = v->space != SPACE_GLOBAL ||
             guest_take(&gpu->memory, addresses[i], v->initial_bytes, err);
        if (!ok) break;
        uint8_t *to = v->space == SPACE_GLOBAL ? guest_host(&gpu->memory, addresses[i])
                                               : loaded->constants + v->address;
        memcpy(to, v->initial, v->initial_bytes);
    }
    free(addresses);
    return ok;
}

PtxOptions gpu_ptx_options(const Gpu *gpu)
{
    PtxOptions options = machine_ptx_options(&gpu->machine);
    options.engines = gpu->options.engines;
    return options;
}

bool gpu_load(Gpu *gpu, PtxModule *module, HdError *err)
{
    if (!HD_PUSH(gpu->modules, gpu->module_count, gpu->module_capacity,
                 (LoadedModule){.module = module})) {
        ptx_free(module);
        return hd_fail_memory(err, "loading a module");
    }
    LoadedModule *loaded = &gpu->modules[gpu->module_count - 1];
    if (!ptx_verify(module, err) || !exec_bind(module, err) ||
        !place_variables(gpu, loaded, err))
        return false;
    loaded->pc_base = hd_new(module->function_count, sizeof *loaded->pc_base);
    loaded->totals = hd_new(module->function_count, sizeof *loaded->totals);
    if (!loaded->pc_base || !loaded->totals || !engine_uses_find(&loaded->engines, module))
        return hd_fail_memory(err, "loading a module");
    for (size_t i = 0; i < module->function_count; i++) {
        loaded->pc_base[i] = gpu->pcs;
        gpu->pcs += module->functions[i].op_count;
    }
    return true;
}

uint32_t kernel_engine_instructions(const Gpu *gpu, const SmLaunch *launch, unsigned mechanism,
                                    uint32_t *pc)
{
    const EngineUses *uses = &module_of(gpu, launch->module)->engines;
    uint32_t kernel = (uint32_t)(launch->kernel - launch->module->functions), set = 0;
    *pc = HD_NO_PC;
    for (const EngineUse *use = NULL; (use = engine_uses_next(uses, use, kernel));) {
        if (use->instruction->planned != mechanism) continue;
        uint32_t at = launch->pc_base[use->function] + use->index;
        if (at < *pc) *pc = at;
        set |= UINT32_C(1) << use->instruction->number;
    }
    return set;
}

PtxFunction *gpu_kernel(Gpu *gpu, const char *name, PtxModule **module, HdError *err)
{
    for (size_t i = gpu->module_count; i-- > 0;) {
        PtxFunction *kernel = ptx_find_kernel(gpu->modules[i].module, name, err);
        if (!kernel) continue;
        *module = gpu->modules[i].module;
        if (err) err->set = false;
        return kernel;
    }
    if (!gpu->module_count) hd_fail(err, "there is no kernel %s: no module is loaded", name);
    return NULL;
}

PcLocation gpu_locate_pc(const Gpu *gpu, uint32_t pc)
{
    for (size_t i = 0; i < gpu->module_count; i++) {
        const LoadedModule *loaded = &gpu->modules[i];
        for (size_t f = 0; f < loaded->module->function_count; f++) {
            const PtxFunction *function = &loaded->module->functions[f];
            if (pc >= loaded->pc_base[f] && pc < loaded->pc_base[f] + function->op_count)
                return (PcLocation){loaded->module, function, pc - loaded->pc_base[f]};
        }
    }
    return (PcLocation){0};
}
