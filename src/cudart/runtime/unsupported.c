// The calls that the runtime does not have.
#include "cudart/runtime/unsupported.h"

#include "cudart/runtime/runtime_state.h"
#include "cudart/runtime/unsupported_names.h"

#include <string.h>

// Under the lock. `text` lives as long as the process.
static bool first_time(const char *text)
{
    ReportedFeatures *told = &cudart_state()->told;
    for (unsigned i = 0; i < told->count; i++)
        if (!strcmp(told->texts[i], text)) return false;
    if (told->count == MAX_REPORTED) return false;
    told->texts[told->count++] = text;
    return true;
}

const char *unsupported_reported(unsigned index)
{
    const ReportedFeatures *told = &cudart_state()->told;
    return index < told->count ? told->texts[index] : NULL;
}

CudaError unsupported_part(const char *call, const char *what, const char *instead)
{
    if (first_time(what)) cudart_warn("%s: %s: not supported; %s", call, what, instead);
    return cudaErrorNotSupported;
}

static CudaError unsupported(const char *call, const char *instead)
{
    cudart_enter(CALL_HOST);
    if (first_time(call)) cudart_warn("%s is not supported: %s", call, instead);
    return cudart_leave(cudaErrorNotSupported);
}

// Whatever a call is given, it is left alone.
#define CALL(name, instead)                                                                        \
    CUDART_API CudaError name(void) { return unsupported(#name, instead); }

#define GRAPHS(name) CALL(name, "graphs have kernels, copies, fills, memory, events and calls")
UNSUPPORTED_GRAPHS(GRAPHS)
#define GRAPHICS(name) CALL(name, "a simulated GPU has no graphics; copy to the host")
UNSUPPORTED_GRAPHICS(GRAPHICS)
#define EXTERNAL(name) CALL(name, "the simulated GPU belongs to one process; copy through the host")
UNSUPPORTED_EXTERNAL(EXTERNAL)
#define MIPMAPS(name) CALL(name, "use plain arrays and textures of one level, or linear memory")
UNSUPPORTED_MIPMAPS(MIPMAPS)
#define LIBRARIES(name) CALL(name, "link the kernels into the program; there is no driver")
UNSUPPORTED_LIBRARIES(LIBRARIES)
#define BATCHES(name) CALL(name, "make a call for each range")
UNSUPPORTED_BATCHES(BATCHES)
#define LOGS(name) CALL(name, "a simulated GPU has nothing to tell here")
UNSUPPORTED_LOGS(LOGS)
#define DEVICES(name) CALL(name, "one GPU is simulated; launch on it alone")
UNSUPPORTED_DEVICES(DEVICES)
