// Texture and surface objects: the program's descriptions, and the GPU's handle, which is also the
// program's handle.
#ifndef HEDDLE_CUDART_IMAGE_OBJECTS_H
#define HEDDLE_CUDART_IMAGE_OBJECTS_H

#include "cudart/runtime/handles.h"
#include "cudart/textures/texture_descriptors.h"

// A resource view, by which a texture reads an array in another format. Only the format "none" is
// supported. A layout of CUDA's.
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
    // Only for textures:
    CudaTexture how;
    bool has_view;
    TextureView view;
} ImageObject;

// All require the lock. `list`: the textures or the surfaces of the runtime state.

// Creates a texture on the GPU and an object for it. On failure returns the code; reports why the
// GPU rejects the texture.
CudaError image_object_new(const char *call, Handle **list, const TextureResource *resource,
                           const GpuTexture *texture, ImageObject **object);
ImageObject *image_object_find(Handle *list, uint64_t handle); // NULL: no such object
// Destroys all objects of the list. `closing`: the device is closed next.
void image_objects_reset(Handle **list, bool closing);

// Complete API calls, which take the lock: destroy an object (0 is allowed); get its resource.
CudaError image_object_destroy(Handle **list, uint64_t handle);
CudaError image_object_resource(Handle **list, uint64_t handle, void *resource);

#endif
