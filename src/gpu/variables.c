// Access of the host to the variables of loaded modules.
#include "gpu/gpu_internal.h"

#include <stdlib.h>
#include <string.h>

const PtxVariable *gpu_variable(const Gpu *gpu, const PtxModule *module, const char *name,
                                HdError *err)
{
    bool loaded = module_of(gpu, module);
    for (size_t i = 0; loaded && i < module->variable_count; i++) {
        const PtxVariable *v = &module->variables[i];
        bool reachable = v->space == SPACE_GLOBAL || v->space == SPACE_CONST;
        if (reachable && !strcmp(v->name, name)) return v;
    }
    if (loaded) hd_fail(err, "%s: the module has no variable '%s'", module->path, name);
    else hd_fail(err, "%s: the module is not loaded", module->path);
    return NULL;
}

uint64_t gpu_constants(Gpu *gpu, const PtxModule *module, HdError *err)
{
    LoadedModule *loaded = (LoadedModule *)module_of(gpu, module);
    if (!loaded) {
        hd_fail(err, "%s: the module is not loaded", module->path);
        return 0;
    }
    if (loaded->constants_at) return loaded->constants_at;
    uint64_t at = guest_allocate(&gpu->memory, module->const_bytes, "constants", err);
    if (!at) return 0;
    if (!guest_take(&gpu->memory, at, module->const_bytes, err)) {
        (void)guest_release(&gpu->memory, at);
        return 0;
    }
    uint8_t *bank = guest_host(&gpu->memory, at);
    memcpy(bank, loaded->constants, module->const_bytes);
    free(loaded->constants);
    loaded->constants = bank;
    return loaded->constants_at = at;
}

bool gpu_reset_variables(Gpu *gpu, const PtxModule *module, HdError *err)
{
    const LoadedModule *loaded = module_of(gpu, module);
    if (!loaded) return hd_fail(err, "%s: the module is not loaded", module->path);
    for (size_t i = 0; i < module->variable_count; i++) {
        const PtxVariable *v = &module->variables[i];
        uint64_t zeros = v->bytes - v->initial_bytes;
        if (v->texture || v->space == SPACE_SHARED) continue;
        uint8_t *at = v->space == SPACE_GLOBAL ? guest_host(&gpu->memory, v->address)
                                               : loaded->constants + v->address;
        if (v->initial) memcpy(at, v->initial, v->initial_bytes);
        if (v->space == SPACE_CONST) memset(at + v->initial_bytes, 0, zeros);
        else guest_clear(&gpu->memory, v->address + v->initial_bytes, zeros);
    }
    return true;
}
