// Addresses and values of memory instructions.
#include "core/execute/access.h"

#include "core/execute/simt.h"

static const char *const space_names[] = {
    [SPACE_SHARED] = "shared", [SPACE_LOCAL] = "local", [SPACE_CONST] = "constant",
    [SPACE_PARAM] = "parameter", [SPACE_FRAME_PARAM] = "function parameter"};

static bool fault_private(SmContext *context, const Warp *w, PtxSpace space, int lane,
                          const uint64_t *addresses, unsigned bytes)
{
    uint64_t offset = addresses[lane];
    sm_fault_as(context, offset & (bytes - 1) ? GPU_FAULT_MISALIGNED : GPU_FAULT_ADDRESS,
                NO_FAULT_ADDRESS);
    return sm_fault(context, w, (unsigned)lane,
                    "access of %u bytes at offset 0x%llx of %s memory %s",
                    bytes, (unsigned long long)offset, space_names[space],
                    offset & (bytes - 1) ? "is not aligned" : "is outside it");
}

bool access_frame_param(SmContext *context, Warp *w, const UOp *op, LaneMask lanes)
{
    uint64_t addresses[HD_MAX_LANES];
    exec_addresses(op, &w->exec, addresses);
    int lane = op->code == UOP_LD
                   ? exec_private_load(op, &w->exec, SPACE_FRAME_PARAM, lanes, addresses)
                   : exec_private_store(op, &w->exec, SPACE_FRAME_PARAM, lanes, addresses);
    return lane < 0 || fault_private(context, w, SPACE_FRAME_PARAM, lane, addresses,
                                     ptx_type_bytes(op->type) * op->vec);
}

bool access_private(SmContext *context, Warp *w, const UOp *op, const ResolvedAccess *a)
{
    ExecWarp *x = &w->exec;
    bool atomic = op->code == UOP_ATOM || op->code == UOP_RED;
    // A generic address may lie in a space that the instruction cannot access.
    bool elsewhere = atomic && a->space != SPACE_SHARED;
    bool read_only = op->code == UOP_ST && (a->space == SPACE_CONST || a->space == SPACE_PARAM);
    if (elsewhere || read_only) {
        sm_fault_as(context, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
        return sm_fault(context, w, lanes_first(a->lanes),
                        elsewhere
                            ? "atomic on %s memory; atomics work on global and shared memory only"
                            : "store to %s memory, which a kernel can only read",
                        space_names[a->space]);
    }
    int lane = atomic               ? exec_shared_atomic(op, x, a->lanes, a->addresses,
                                                         &context->atomic_changes)
               : op->code == UOP_LD ? exec_private_load(op, x, a->space, a->lanes, a->addresses)
                                    : exec_private_store(op, x, a->space, a->lanes, a->addresses);
    return lane < 0 || fault_private(context, w, a->space, lane, a->addresses,
                                     ptx_type_bytes(op->type) * op->vec);
}

bool access_resolve_generic(SmContext *context, Warp *w, ResolvedAccess *a)
{
    LaneMask first;
    a->space = exec_generic_space(a->lanes, a->addresses, &first);
    if (first != a->lanes && !simt_separate(context, w, a->lanes, first)) return false;
    a->lanes = first;
    exec_generic_offset(a->space, first, a->addresses);
    return true;
}

// ---- surfaces ----

bool surface_resolve(SmContext *context, const Warp *w, const UOp *op, LaneMask lanes,
                     SurfaceAccess *access, unsigned *allocation)
{
    char why[256];
    int lane = exec_surface_plan(op, &w->exec, lanes, access, why, sizeof why);
    if (lane >= 0) {
        if (access->missing) sm_fault_as(context, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
        return sm_fault(context, w, (unsigned)lane, "%s", why);
    }
    *allocation = GUEST_NO_ALLOCATION;
    return !access->inside ||
           bounds_check(context, w, access->inside, access->address,
                        ptx_type_bytes((PtxType)op->type) * op->vec, op->code != UOP_SULD,
                        allocation);
}

void surface_load(SmContext *context, Warp *w, const UOp *op, LaneMask lanes,
                  const SurfaceAccess *access)
{
    exec_global_load(op, &w->exec, access->inside, access->address, context->guest, context->log);
    exec_surface_zero(op, &w->exec, lanes & ~access->inside);
}

// ---- textures ----

static LaneMask lanes_of_texture(const TextureFetch *fetch, LaneMask lanes, unsigned first)
{
    LaneMask same = 0;
    for (LaneMask m = lanes; m; m &= m - 1)
        if (fetch->texture[lanes_first(m)] == fetch->texture[first]) same |= m & -m;
    return same;
}

bool texture_resolve(SmContext *context, const Warp *w, const UOp *op, LaneMask lanes,
                     TextureFetch *fetch, unsigned *allocation)
{
    uint64_t handle;
    char why[256];
    int lane = exec_texture_plan(op, &w->exec, lanes, fetch, &handle);
    if (lane >= 0) {
        texture_describe_missing(context->launch->textures, handle, why, sizeof why);
        sm_fault_as(context, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
        return sm_fault(context, w, (unsigned)lane, "%s", why);
    }
    bool any = false;
    *allocation = GUEST_NO_ALLOCATION;
    for (unsigned k = 0; k < fetch->corners; k++)
        for (LaneMask left = fetch->touched[k]; left;) {
            unsigned first = lanes_first(left), found;
            LaneMask same = lanes_of_texture(fetch, left, first);
            left &= ~same;
            if (!bounds_check(context, w, same, fetch->address[k],
                              exec_texture_bytes(fetch, first), false, &found))
                return false;
            *allocation = !any || found == *allocation ? found : GUEST_NO_ALLOCATION;
            any = true;
        }
    return true;
}
