// API functions that the runtime does not support.
#include "cudart/runtime/unsupported.h"

#include "cudart/runtime/runtime_state.h"
#include "cudart/runtime/unsupported_names.h"
#include "device/vendor_libraries.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

// Counts a call that fails. Returns whether `feature` has not been reported yet. Requires the lock;
// `feature` must be static.
static bool first_time(const char *feature)
{
    ReportedFeatures *reported = &cudart_state()->reported;
    reported->calls++;
    for (unsigned i = 0; i < reported->count; i++)
        if (!strcmp(reported->texts[i], feature)) return false;
    if (reported->count == MAX_REPORTED) return false;
    reported->texts[reported->count++] = feature;
    return true;
}

const char *unsupported_reported(unsigned index)
{
    const ReportedFeatures *reported = &cudart_state()->reported;
    return index < reported->count ? reported->texts[index] : NULL;
}

void unsupported_launch(void) { cudart_state()->reported.launches++; }

// Adds the name of a library to the vendor's that are listed, each once.
static int add_library(struct dl_phdr_info *info, size_t size, void *to)
{
    (void)size;
    VendorLibraries *found = to;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    if (is_vendor_library(name) && found->count < MAX_VENDOR_LIBRARIES)
        snprintf(found->names[found->count++], sizeof *found->names, "%s", name);
    return 0;
}

Incomplete unsupported_summary(void)
{
    const ReportedFeatures *reported = &cudart_state()->reported;
    Incomplete incomplete = {.calls = reported->calls, .launches = reported->launches};
    dl_iterate_phdr(add_library, &incomplete.libraries);
    incomplete.any = incomplete.calls || incomplete.launches || incomplete.libraries.count;
    return incomplete;
}

CudaError unsupported_part(const char *call, const char *what, const char *instead)
{
    if (first_time(what)) cudart_warn("%s: %s are not supported: %s", call, what, instead);
    return cudaErrorNotSupported;
}

static CudaError unsupported(const char *call, const char *instead)
{
    cudart_enter(CALL_HOST);
    if (first_time(call)) cudart_warn("%s is not supported: %s", call, instead);
    return cudart_leave(cudaErrorNotSupported);
}

// Ignores all arguments.
#define CALL(name, instead)                                                                        \
    CUDART_API CudaError name(void) { return unsupported(#name, instead); }

#define GRAPHS(name)                                                                               \
    CALL(name, "a graph may hold kernels, copies, fills, allocations, events and host functions")
UNSUPPORTED_GRAPHS(GRAPHS)
#define GRAPHICS(name) CALL(name, "a simulated GPU has no graphics; copy to the host")
UNSUPPORTED_GRAPHICS(GRAPHICS)
#define EXTERNAL(name) CALL(name, "the simulated GPU belongs to one process; copy through the host")
UNSUPPORTED_EXTERNAL(EXTERNAL)
#define MIPMAPS(name) CALL(name, "use plain arrays and textures of one level, or linear memory")
UNSUPPORTED_MIPMAPS(MIPMAPS)
#define LIBRARIES(name) CALL(name, "link the kernels into the program; there is no driver")
UNSUPPORTED_LIBRARIES(LIBRARIES)
#define BATCHES(name) CALL(name, "call the function for a single range once per range")
UNSUPPORTED_BATCHES(BATCHES)
#define LOGS(name) CALL(name, "a simulated GPU has no driver log and no notifications")
UNSUPPORTED_LOGS(LOGS)
#define DEVICES(name) CALL(name, "one GPU is simulated; launch on one device")
UNSUPPORTED_DEVICES(DEVICES)
