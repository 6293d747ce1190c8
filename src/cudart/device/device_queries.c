// The API of device properties and attributes.
#include "cudart/device/properties.h"
#include "cudart/runtime/process_context.h"

#include <stdio.h>
#include <string.h>

static void fill(Properties *all)
{
    Gpu *gpu = cudart_gpu();
    const Config *config = device_sim_config(cudart_device());
    const char *name = config_description(config);
    properties_from_machine(gpu_machine(gpu), *name ? name : config_name(config),
                            gpu_memory_total(gpu), all);
}

static CudaError check(const void *to, int device)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !to) code = cudaErrorInvalidValue;
    if (!code && device) code = cudaErrorInvalidDevice;
    return code;
}

CUDART_API CudaError cudaGetDeviceProperties(void *properties, int device)
{
    CudaError code = check(properties, device);
    if (code) return cudart_leave(code);
    Properties all;
    fill(&all);
    if (cudart_version >= 13000)
        properties_13(&all, properties);
    else
        properties_11(&all, properties);
    return cudart_leave(code);
}

// The layout of CUDA 12. Programs built for CUDA 11 call the function above, with the older layout.
CUDART_API CudaError cudaGetDeviceProperties_v2(void *properties, int device)
{
    CudaError code = check(properties, device);
    if (code) return cudart_leave(code);
    Properties all;
    fill(&all);
    properties_12(&all, properties);
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    CudaError code = check(value, device);
    if (code) return cudart_leave(code);
    Properties all;
    fill(&all);
    return cudart_leave(properties_attribute(&all, attribute, value) ? cudaSuccess
                                                                     : cudaErrorInvalidValue);
}

// The only device is always the best match.
CUDART_API CudaError cudaChooseDevice(int *device, const void *wanted)
{
    CudaError code = check(wanted ? device : NULL, 0);
    if (!code) *device = 0;
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *channels,
                                                          int device)
{
    CudaError code = check(channels ? width : NULL, device);
    if (code) return cudart_leave(code);
    Properties all;
    fill(&all);
    *width = (size_t)all.maxTexture1DLinear;
    return cudart_leave(code);
}

// ---- PCI address: a simulated one, because programs print it and look devices up by it ----

enum { PCI_TEXT = 13 }; // "0000:01:00.0"

static void pci_text(char text[PCI_TEXT])
{
    Properties all;
    fill(&all);
    snprintf(text, PCI_TEXT, "%04x:%02x:%02x.0", (unsigned)all.pciDomainID & 0xffff,
             (unsigned)all.pciBusID & 0xff, (unsigned)all.pciDeviceID & 0xff);
}

CUDART_API CudaError cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    CudaError code = check(text, device);
    if (!code && length < PCI_TEXT) code = cudaErrorInvalidValue;
    if (!code) pci_text(text);
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    CudaError code = check(text ? device : NULL, 0);
    if (code) return cudart_leave(code);
    char own[PCI_TEXT];
    pci_text(own);
    // "01:00.0" and "0000:01:00" are accepted as well.
    size_t length = strlen(text);
    bool match = length && (!strcmp(text, own) || !strcmp(text, own + 5) ||
                            (length == PCI_TEXT - 3 && !strncmp(text, own, length)));
    if (match) *device = 0;
    return cudart_leave(match ? cudaSuccess : cudaErrorInvalidDevice);
}
