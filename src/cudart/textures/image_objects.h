// Texture and surface objects that the program has: what was described, and the GPU's handle of it,
// which is the program's, too.
#ifndef HEDDLE_CUDART_IMAGE_OBJECTS_H
#define HEDDLE_CUDART_IMAGE_OBJECTS_H

#include "cudart/runtime/handles.h"
#include "cudart/textures/texture_descriptors.h"

// What it is read through when it is not the array's own format; of it only "none" is there. A
// layout of CUDA's.
typedef struct TextureView {
    int format;
    size_t extent[3];
    unsigned levels[2], layers[2], reserved[16];
} TextureView;
enum { VIEW_BYTES_12 = 48 };
_Static_assert(sizeof(TextureView) == 112, "the layout is CUDA's");

typedef struct ImageObject {
    Handle list;
    uint64_t handle; // the GPU's
    TextureResource resource;
    // Of textures only:
    CudaTexture how;
    bool has_view;
    TextureView view;
} ImageObject;

// Under the lock; `list` is that of the textures or of the surfaces (cudart/runtime/runtime_state.h).

// Gives the GPU a texture, and the program an object of it. On failure the code, and a line on
// stderr where the GPU refuses it.
CudaError image_object_new(const char *call, Handle **list, const TextureResource *resource,
                             const GpuTexture *texture, ImageObject **object);
ImageObject *image_object_find(Handle *list, uint64_t handle); // NULL: there is none
void image_objects_reset(Handle **list, bool gone);

// Calls of the API: destroy one (0 is allowed), tell what it was made of.
CudaError image_object_destroy(Handle **list, uint64_t handle);
CudaError image_object_resource(Handle **list, uint64_t handle, void *resource);

#endif
