// Textures of a GPU: texture objects and texture references.
//
// Kernels get a handle: 64 bits, never 0. A texture reads ordinary guest memory (gpu_allocate),
// which outlives it. No function here may be called while a launch runs.
#ifndef HEDDLE_GPU_TEXTURE_HANDLES_H
#define HEDDLE_GPU_TEXTURE_HANDLES_H

#include "exec/texture.h"
#include "gpu/gpu.h"

typedef Texture GpuTexture;

// Creates a texture object. false and err if the description is not possible.
bool gpu_texture_create(Gpu *gpu, const GpuTexture *description, uint64_t *handle, HdError *err);
bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, HdError *err);
// The texture of a handle; NULL: none. Valid until the next texture is created.
const GpuTexture *gpu_texture(const Gpu *gpu, uint64_t handle);

// The handle of a module's texture reference (.texref) by exact name. It has no texture until it is
// bound.
bool gpu_texture_reference(const Gpu *gpu, const PtxModule *module, const char *name,
                           uint64_t *handle, HdError *err);
// Binds a texture to a reference; NULL unbinds it.
bool gpu_texture_bind(Gpu *gpu, uint64_t handle, const GpuTexture *description, HdError *err);

#endif
