// Textures of a GPU: objects that the host creates, and the references of loaded modules.
#include "gpu/texture_handles.h"

#include "gpu/gpu_internal.h"

#include <string.h>

bool gpu_texture_create(Gpu *gpu, const GpuTexture *description, uint64_t *handle, HdError *err)
{
    return texture_add(gpu->textures, description, handle, err);
}

bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, HdError *err)
{
    char why[256];
    if (texture_remove(gpu->textures, handle)) return true;
    texture_describe_missing(gpu->textures, handle, why, sizeof why);
    return hd_fail(err, "%s", why);
}

const GpuTexture *gpu_texture(const Gpu *gpu, uint64_t handle)
{
    return texture_lookup(gpu->textures, handle);
}

bool gpu_texture_reference(const Gpu *gpu, const PtxModule *module, const char *name,
                           uint64_t *handle, HdError *err)
{
    const LoadedModule *loaded = module_of(gpu, module);
    for (size_t i = 0; loaded && i < module->variable_count; i++) {
        const PtxVariable *v = &module->variables[i];
        if (!v->texture || strcmp(v->name, name)) continue;
        *handle = v->address;
        return true;
    }
    return hd_fail(err, "%s has no texture reference '%s'", module->path, name);
}

bool gpu_texture_bind(Gpu *gpu, uint64_t handle, const GpuTexture *description, HdError *err)
{
    return texture_bind(gpu->textures, handle, description, err);
}
