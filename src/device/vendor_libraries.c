// The names of NVIDIA's libraries with kernels.
#include "device/vendor_libraries.h"

#include <string.h>

bool is_vendor_library(const char *name)
{
    static const char *const known[] = {"libcublas", "libcudnn", "libcufft", "libcurand",
                                        "libcusolver", "libcusparse", "libnccl", "libnpp",
                                        "libnvjpeg", "libcutensor", "libcudss"};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i]))) return true;
    return false;
}
