// Modules: registered before main, loaded at their first use.
#include "cudart/modules/cuda_modules.h"

#include "base/memory.h"
#include "cudart/launch/kernel_attributes.h"
#include "cudart/modules/module_texts.h"
#include "cudart/process/ending_signals.h"
#include "cudart/runtime/process_context.h"
#include "gpu/machine.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RtModule {
    RtModule *self; // the program's handle is a pointer to a pointer
    const FatbinWrapper *wrapper;
    char name[128]; // for messages: "bfs.1.ptx"
    RtKernel *kernels;
    RtVariable *variables;
    RtTexture *textures;
    PtxModule *ptx;   // NULL: not loaded
    CudaError failed; // why loading failed, which was reported
    bool stale;       // variables need their initial values again
    RtModule *next;
};

// ---- registration ----

RtModule *module_register(const void *wrapper)
{
    RtModule *module = hd_new(1, sizeof *module);
    if (!module) {
        cudart_warn("out of memory while registering a module");
        return NULL;
    }
    Registry *registry = cudart_registry();
    registry->count++;
    module->self = module;
    module->wrapper = wrapper;
    module->next = registry->modules;
    registry->modules = module;
    // The second module of the process is named "bfs.2.ptx" if it is in the program or library bfs.
    Dl_info info = {0};
    const char *file = dladdr(wrapper, &info) && info.dli_fname ? info.dli_fname : "";
    const char *slash = strrchr(file, '/');
    if (slash) file = slash + 1;
    snprintf(module->name, sizeof module->name, "%.100s.%u.ptx", *file ? file : "module",
             registry->count);
    return module;
}

// Adds a new entry to a map. On failure reports and frees it.
static bool add_entry(PointerMap *map, const void *host, void *entry, const char *name)
{
    if (entry && pointer_map_put(map, host, entry)) return true;
    cudart_warn("out of memory while registering %s", name);
    free(entry);
    return false;
}

void module_add_kernel(RtModule *module, const void *host, const char *name)
{
    RtKernel *kernel = hd_new(1, sizeof *kernel);
    if (!add_entry(&cudart_registry()->kernels, host, kernel, name)) return;
    *kernel = (RtKernel){.module = module, .host = host, .name = name, .next = module->kernels};
    module->kernels = kernel;
    // If this fails, only the kernel's handle is unknown.
    pointer_map_put(&cudart_registry()->kernels, kernel, kernel);
}

void module_add_variable(RtModule *module, const void *host, const char *name, void **managed)
{
    RtVariable *variable = hd_new(1, sizeof *variable);
    if (!add_entry(&cudart_registry()->variables, host, variable, name)) return;
    *variable = (RtVariable){.module = module, .host = host, .name = name, .managed = managed,
                             .next = module->variables};
    module->variables = variable;
}

void module_add_texture(RtModule *module, const void *host, const char *name, int dimensions,
                        bool normalised)
{
    RtTexture *texture = hd_new(1, sizeof *texture);
    if (!add_entry(&cudart_registry()->textures, host, texture, name)) return;
    *texture = (RtTexture){.module = module, .host = host, .name = name, .dimensions = dimensions,
                           .normalised = normalised, .next = module->textures};
    module->textures = texture;
}

// Frees a list of entries and removes them from their map. An inline entity is registered by each
// file that uses it, so its key may belong to another module's entry, which stays.
#define FREE_LIST(type, list, map)                                                                 \
    for (type *entry = (list), *next; entry; entry = next) {                                       \
        next = entry->next;                                                                        \
        if (pointer_map_get(map, entry->host) == entry) pointer_map_remove(map, entry->host);      \
        free(entry);                                                                               \
    }

void module_unregister(RtModule *module)
{
    Registry *registry = cudart_registry();
    RtModule **link = &registry->modules;
    while (*link && *link != module) link = &(*link)->next;
    if (!*link) return;
    *link = module->next;
    for (RtKernel *kernel = module->kernels; kernel; kernel = kernel->next) {
        pointer_map_remove(&registry->kernels, kernel);
        free(kernel->param_block);
    }
    for (RtVariable *v = module->variables; v; v = v->next)
        if (v->managed) pointer_map_remove(&registry->variables, *v->managed);
    FREE_LIST(RtKernel, module->kernels, &registry->kernels)
    FREE_LIST(RtVariable, module->variables, &registry->variables)
    FREE_LIST(RtTexture, module->textures, &registry->textures)
    free(module);
    if (registry->modules) return;
    pointer_map_free(&registry->kernels);
    pointer_map_free(&registry->variables);
    pointer_map_free(&registry->textures);
}

// ---- loading ----

// Reports why a module cannot be used, and remembers the code.
static CudaError fail(RtModule *module, CudaError code, const char *text)
{
    cudart_warn("%s: %s", module->name, text);
    return module->failed = code;
}

// Warns once if the PTX is for a newer major compute capability than the machine's, because device
// properties return the machine's capability. Instructions of the newer capability run if they are
// supported, and fail by name if not. Newer minor versions are not reported: nvcc 13 generates code
// for 7.5 or later, and the default machine has 7.0.
static void warn_newer_target(const RtModule *module, const PtxModule *ptx)
{
    unsigned wanted = (unsigned)ptx_target_capability(ptx->target);
    unsigned has = machine_capability(gpu_machine(cudart_gpu()));
    bool *noted = &cudart_registry()->newer_target_warned;
    if (wanted / 10 <= has / 10 || *noted) return;
    *noted = true;
    cudart_warn("%s is PTX for compute capability %u.%u, but %s has %u.%u: it runs by the "
                "machine's rules", module->name, wanted / 10, wanted % 10,
                config_name(device_sim_config(cudart_device())), has / 10, has % 10);
}

// Whether the result of the instruction depends on the lanes that a warp has.
static bool exchanges_lanes(const UOp *op)
{
    switch (op->code) {
    case UOP_SHFL:
    case UOP_VOTE:
    case UOP_MATCH:
    case UOP_REDUX:
    case UOP_ELECT:
    case UOP_ACTIVEMASK:
    case UOP_BAR_WARP: return true;
    default: return false;
    }
}

// Warns once of the first instruction by which lanes exchange values, if warps do not have the 32
// lanes of all of NVIDIA's GPUs: nvcc and clang compile warpSize as 32, and programs count on it.
static void warn_of_lanes(const RtModule *module, const PtxModule *ptx)
{
    unsigned width = gpu_machine(cudart_gpu())->core.width;
    bool *warned = &cudart_registry()->lanes_warned;
    for (size_t i = 0; i < ptx->function_count && !*warned && width != HD_MAX_LANES; i++) {
        const PtxFunction *f = &ptx->functions[i];
        for (uint32_t k = 0; k < f->op_count && !*warned; k++) {
            if (!exchanges_lanes(&f->ops[k])) continue;
            *warned = true;
            cudart_warn("%s:%u: %s is for the lanes of a warp, and %s has warps of %u lanes: a "
                        "program that assumes 32 may compute something else", module->name,
                        f->timing[k].line, uop_name((UopCode)f->ops[k].code),
                        config_name(device_sim_config(cudart_device())), width);
        }
    }
}

static CudaError load(RtModule *module)
{
    CudaError code = cudaSuccess;
    HdError err = {0};
    ModuleTexts texts = {0};
    signals_defer();
    if (!module_texts_read(&texts, module->wrapper, module->name, &code, &err)) {
        module_texts_free(&texts);
        return fail(module, code, err.text);
    }
    PtxOptions options = gpu_ptx_options(cudart_gpu());
    options.lenient = true;
    PtxModule *ptx = texts.relocatable
                         ? ptx_link(texts.items, texts.count, module->name, options, &err)
                         : ptx_parse_with(texts.items->text, texts.items->path, options, &err);
    module_texts_free(&texts);
    if (!ptx || !gpu_load(cudart_gpu(), ptx, &err)) {
        cudart_warn("%s", err.text);
        return module->failed = cudaErrorInvalidPtx;
    }
    module->ptx = ptx;
    warn_newer_target(module, ptx);
    warn_of_lanes(module, ptx);
    return cudaSuccess;
}

CudaError module_use(RtModule *module)
{
    if (module->failed) return module->failed;
    if (!module->ptx) return load(module);
    if (!module->stale) return cudaSuccess;
    HdError err = {0};
    module->stale = false;
    if (gpu_reset_variables(cudart_gpu(), module->ptx, &err)) return cudaSuccess;
    return fail(module, cudaErrorUnknown, err.text);
}

bool module_has_managed(const RtModule *module)
{
    for (const RtVariable *v = module->variables; v; v = v->next)
        if (v->managed) return true;
    return false;
}

bool modules_have_managed(void)
{
    for (const RtModule *module = cudart_registry()->modules; module; module = module->next)
        if (module_has_managed(module)) return true;
    return false;
}

CudaError module_use_managed(RtModule *module)
{
    CudaError code = module_use(module);
    if (!code && !guest_is_identity_mapped(gpu_memory(cudart_gpu()))) {
        cudart_warn("%s: this process already uses the host addresses from 4 GiB on, which managed "
                    "variables need", module->name);
        return cudaErrorNotSupported;
    }
    for (RtVariable *v = module->variables; v && !code; v = v->next) {
        if (!v->managed) continue;
        RtVariable *placed;
        code = variable_use(v->host, &placed);
        if (code) continue;
        *v->managed = (void *)placed->address;
        pointer_map_put(&cudart_registry()->variables, *v->managed, v);
    }
    return code;
}

void modules_reset(bool closing)
{
    for (RtModule *module = cudart_registry()->modules; module; module = module->next) {
        module->stale = !closing && module->ptx;
        if (!closing) continue;
        module->ptx = NULL;
        for (RtKernel *kernel = module->kernels; kernel; kernel = kernel->next) {
            kernel->ptx = NULL;
            kernel->function = NULL;
            free(kernel->param_block);
            kernel->param_block = NULL;
        }
        for (RtVariable *variable = module->variables; variable; variable = variable->next)
            variable->ptx = NULL;
    }
}

// ---- use ----

RtKernel *kernel_find(const void *host)
{
    return pointer_map_get(&cudart_registry()->kernels, host);
}

CudaError texture_use(const void *host, RtTexture **texture, const PtxModule **ptx)
{
    *texture = texture_find(host);
    if (!*texture) return cudaErrorInvalidTexture;
    CudaError code = module_use((*texture)->module);
    *ptx = (*texture)->module->ptx;
    return code;
}

RtTexture *texture_find(const void *host)
{
    return pointer_map_get(&cudart_registry()->textures, host);
}

static CudaError find_function(RtKernel *kernel)
{
    PtxModule *ptx = kernel->module->ptx;
    for (size_t i = 0; i < ptx->function_count && !kernel->function; i++) {
        PtxFunction *function = &ptx->functions[i];
        if (function->entry && !strcmp(function->name, kernel->name)) kernel->function = function;
    }
    if (!kernel->function) {
        cudart_warn("%s: the module has no kernel %s", kernel->module->name, kernel->name);
        return cudaErrorInvalidDeviceFunction;
    }
    kernel->ptx = ptx;
    kernel->param_block = hd_new(kernel->function->param_bytes + 1, 1);
    if (kernel->param_block) return cudaSuccess;
    kernel->function = NULL;
    return cudaErrorMemoryAllocation;
}

CudaError kernel_use(const void *host, RtKernel **kernel)
{
    *kernel = kernel_find(host);
    if (!*kernel) return cudaErrorInvalidDeviceFunction;
    CudaError code = module_use((*kernel)->module);
    return code || (*kernel)->function ? code : find_function(*kernel);
}

CudaError variable_use(const void *host, RtVariable **variable)
{
    RtVariable *v = *variable = pointer_map_get(&cudart_registry()->variables, host);
    if (!v) return cudaErrorInvalidSymbol;
    CudaError code = module_use(v->module);
    if (code || v->ptx) return code;
    HdError err = {0};
    const PtxVariable *placed = gpu_variable(cudart_gpu(), v->module->ptx, v->name, &err);
    if (!placed) {
        cudart_warn("%s: %s", v->module->name, err.text);
        return cudaErrorInvalidSymbol;
    }
    v->space = placed->space;
    v->address = placed->address;
    v->bytes = placed->bytes;
    v->ptx = v->module->ptx;
    return cudaSuccess;
}
