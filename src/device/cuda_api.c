// Opens the CUDA driver, and formats its errors.
#include "device/cuda_api.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const files[] = {"libcuda.so.1", NULL};
static const char *const names[] = {CUDA_FUNCTIONS(LIBRARY_NAME)};

bool cuda_fail(const CudaApi *api, int code, HdError *err, const char *what, ...)
{
    char text[512];
    const char *name = NULL, *sentence = NULL;
    va_list arguments;
    va_start(arguments, what);
    number_format_list(text, sizeof text, what, arguments);
    va_end(arguments);
    if (api->cuGetErrorName(code, &name) || !name) // an error unknown to this driver
        return hd_fail(err, "%s: error %d of the CUDA driver", text, code);
    if (api->cuGetErrorString(code, &sentence) || !sentence) sentence = "no description";
    return hd_fail(err, "%s: %s: %s", text, name, sentence);
}

void *cuda_api_open(CudaApi *api, HdError *err)
{
    HdError why = {0};
    void *library =
        library_open(files, names, sizeof names / sizeof *names, api, &why);
    if (!library) {
        hd_fail(err, "a real GPU cannot be used: %s (it comes with the driver of an NVIDIA GPU)",
                why.text);
        return NULL;
    }
    int code = api->cuInit(0);
    if (!code) return library;
    if (code == CUDA_NO_DEVICE)
        hd_fail(err, "a real GPU cannot be used: the driver is there, but it finds no GPU "
                     "(CUDA_ERROR_NO_DEVICE; CUDA_VISIBLE_DEVICES may hide it)");
    else
        cuda_fail(api, code, err, "a real GPU cannot be used: starting the driver");
    library_close(library);
    return NULL;
}
