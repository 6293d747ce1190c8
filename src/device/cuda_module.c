// Modules on a real GPU: the driver compiles the text; Heddle's front end reads it to check
// launches.
#include "device/cuda_internal.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lines for a driver that no longer supports the module's target: the oldest target that drivers of
// 2025 support, and the newest version of PTX that has the warp instructions without a mask on it.
static const char new_version[] = ".version 6.3";
static const char new_target[] = ".target sm_75";

static void free_module(CudaModule *module)
{
    ptx_free(module->ptx);
    free(module->kernels);
    engine_uses_free(&module->engines);
}

void cuda_modules_free(CudaDevice *cuda)
{
    for (size_t i = 0; i < cuda->module_count; i++) {
        CudaModule *module = &cuda->modules[i];
        if (module->handle) cuda->api.cuModuleUnload(module->handle);
        free_module(module);
    }
    free(cuda->modules);
}

// Appends `from` up to the next line that starts with `word`, then `line` in its place.
static const char *copy_to(char **to, const char *from, const char *word, const char *line)
{
    const char *at = strstr(from, word);
    while (at && at != from && at[-1] != '\n') at = strstr(at + 1, word);
    if (!at) return NULL;
    memcpy(*to, from, (size_t)(at - from));
    *to += at - from;
    *to = stpcpy(*to, line);
    return at + strcspn(at, "\n");
}

// The text with the new version and target; NULL if it has no such lines, or out of memory.
static char *retarget(const char *text)
{
    char *copy = hd_new(strlen(text) + sizeof new_version + sizeof new_target, 1), *to = copy;
    const char *rest = copy ? copy_to(&to, text, ".version", new_version) : NULL;
    rest = rest ? copy_to(&to, rest, ".target", new_target) : NULL;
    if (rest) {
        strcpy(to, rest);
        return copy;
    }
    free(copy);
    return NULL;
}

static int compile(const CudaDevice *cuda, const char *text, CudaModuleHandle *handle, char *log,
                   size_t size)
{
    const int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)size};
    *log = 0;
    int code = cuda->api.cuModuleLoadDataEx(handle, text, 2, options, values);
    log[size - 1] = 0;
    return code;
}

// Compiles the text; if its target is too old for the driver, compiles it for a newer one.
static bool compile_or_retarget(CudaDevice *cuda, const char *text, const char *path,
                        CudaModuleHandle *handle, HdError *err)
{
    enum { LOG_BYTES = 4096 };
    char log[LOG_BYTES], other_log[LOG_BYTES];
    int code = compile(cuda, text, handle, log, sizeof log);
    if (!code) return true;
    bool old = code == CUDA_INVALID_PTX || code == CUDA_UNSUPPORTED_PTX || code == CUDA_NO_BINARY;
    char *other = old ? retarget(text) : NULL;
    bool ok = other && !compile(cuda, other, handle, other_log, sizeof other_log);
    free(other);
    if (ok) cuda->target = new_target;
    if (ok) return true;
    const char *line = log + strspn(log, " \n\t"); // the first line of the compiler's message
    return cuda_fail(&cuda->api, code, err, "%s: the driver's compiler%s%.*s", path,
                     *line ? ": " : "", (int)strcspn(line, "\n"), line);
}

bool cuda_load(CudaDevice *cuda, const char *text, const char *path, HdError *err)
{
    PtxOptions options = {.engines = &cuda->engines};
    CudaModule module = {.ptx = ptx_parse_with(text, path, options, err)};
    if (!module.ptx) return false;
    module.kernels = hd_new(module.ptx->function_count, sizeof *module.kernels);
    bool ok = module.kernels && engine_uses_find(&module.engines, module.ptx) &&
              hd_reserve(&cuda->modules, cuda->module_count, &cuda->module_capacity,
                         sizeof *cuda->modules);
    char *known = ok ? cuda_text_without_engines(text, module.ptx) : NULL;
    if (!known) hd_fail_memory(err, "loading a module");
    ok = known && compile_or_retarget(cuda, known, path, &module.handle, err);
    if (ok) cuda->modules[cuda->module_count++] = module;
    else free_module(&module);
    free(known);
    return ok;
}

static bool query_kernel(const CudaDevice *cuda, const CudaModule *module, CudaKernel *kernel,
                       HdError *err)
{
    const CudaApi *api = &cuda->api;
    const char *name = kernel->function->name;
    int code = api->cuModuleGetFunction(&kernel->handle, module->handle, name);
    if (!code)
        code = api->cuFuncGetAttribute(&kernel->registers, CUDA_FUNCTION_REGISTERS, kernel->handle);
    if (!code)
        code = api->cuFuncGetAttribute(&kernel->shared_bytes, CUDA_FUNCTION_SHARED_BYTES,
                                       kernel->handle);
    if (!code)
        code = api->cuFuncGetAttribute(&kernel->local_bytes, CUDA_FUNCTION_LOCAL_BYTES,
                                       kernel->handle);
    if (!code) return true;
    kernel->handle = NULL;
    return cuda_fail(api, code, err, "kernel %s", name);
}

bool cuda_find(CudaDevice *cuda, const char *name, CudaKernel **kernel, HdError *err)
{
    for (size_t i = cuda->module_count; i-- > 0;) {
        CudaModule *module = &cuda->modules[i];
        PtxFunction *function = ptx_find_kernel(module->ptx, name, err);
        if (!function) continue;
        if (err) err->set = false;
        *kernel = &module->kernels[function - module->ptx->functions];
        (*kernel)->function = function;
        return (*kernel)->handle || query_kernel(cuda, module, *kernel, err);
    }
    if (!cuda->module_count) hd_fail(err, "there is no kernel %s: no module is loaded", name);
    return false;
}

CudaAddress cuda_variable(CudaDevice *cuda, const char *name, HdError *err)
{
    CudaAddress at = 0;
    size_t bytes;
    int code = 0;
    for (size_t i = cuda->module_count; i-- > 0;) {
        code = cuda->api.cuModuleGetGlobal_v2(&at, &bytes, cuda->modules[i].handle, name);
        if (!code) return at;
    }
    if (code) cuda_fail(&cuda->api, code, err, "variable %s", name);
    else hd_fail(err, "there is no variable %s: no module is loaded", name);
    return 0;
}
