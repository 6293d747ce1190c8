// Textures of a GPU: what texture objects and texture references stand for.
//
// Handles are what kernels get: 64 bits, never 0. What a texture reads is guest memory like any
// other (gpu_allocate), which outlives it. Nothing here may be called while a launch runs.
#ifndef HEDDLE_GPU_TEXTURES_H
#define HEDDLE_GPU_TEXTURES_H

#include "exec/texture.h"
#include "gpu/gpu.h"

typedef Texture GpuTexture;

// A texture object. false and err: a texture cannot be so.
bool gpu_texture_create(Gpu *gpu, const GpuTexture *description, uint64_t *handle, HdError *err);
bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, HdError *err);
// What a handle stands for; NULL: nothing. Valid until the next texture is made.
const GpuTexture *gpu_texture(const Gpu *gpu, uint64_t handle);

// The handle of a module's texture reference (.texref) by exact name. It stands for nothing until
// it is bound; NULL unbinds it.
bool gpu_texture_reference(const Gpu *gpu, const PtxModule *module, const char *name,
                           uint64_t *handle, HdError *err);
bool gpu_texture_bind(Gpu *gpu, uint64_t handle, const GpuTexture *description, HdError *err);

#endif
