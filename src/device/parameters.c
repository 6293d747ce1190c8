// A kernel's parameters as its PTX declares them: the same for every backend.
#include "device/backend.h"

DeviceParam device_param_of(const PtxFunction *function, size_t index)
{
    const PtxParam *param = &function->params[index];
    return (DeviceParam){
        .name = param->name,
        .type = ptx_type_name(param->type),
        .offset = param->offset,
        .bytes = param->bytes,
        .floating = param->type == PTX_F32 || param->type == PTX_F64,
        .array = param->bytes != ptx_type_bytes(param->type),
    };
}
