// Surface accesses: loads go the way of texture fetches, stores and reductions that of any other.
#include "core/surface.h"

bool surface_plan(Sm *sm, const Warp *w, const UOp *op, LaneMask lanes, SurfaceAccess *access,
                  unsigned *array)
{
    char why[256];
    int lane = exec_surface_plan(op, &w->exec, lanes, access, why, sizeof why);
    if (lane >= 0) {
        if (access->missing) sm_fault_as(sm, GPU_FAULT_ADDRESS, NO_FAULT_ADDRESS);
        return sm_fault(sm, w, (unsigned)lane, "%s", why);
    }
    *array = GUEST_NO_ARRAY;
    return !access->inside ||
           access_check_global(sm, w, access->inside, access->address,
                               ptx_type_bytes((PtxType)op->type) * op->vec, w->pc_base + w->pc,
                               array);
}

void surface_load(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const SurfaceAccess *access)
{
    exec_global_load(op, &w->exec, access->inside, access->address, sm->guest, sm->log);
    exec_surface_zero(op, &w->exec, lanes & ~access->inside);
}

static bool values(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const SurfaceAccess *access)
{
    if (op->code == UOP_SURED) return true; // at the slice
    if (op->code == UOP_SULD) {
        surface_load(sm, w, op, lanes, access);
        return true;
    }
    return exec_global_store(op, &w->exec, access->inside, access->address, sm->log, sm->now) ||
           sm_out_of_memory(sm, "logging a store");
}

IssueOutcome surface_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    SurfaceAccess access;
    unsigned array;
    uint32_t index;
    if (!surface_plan(sm, w, op, lanes, &access, &array)) return ISSUE_FAILED;
    if (access_meets_own_atomic(sm, w, access.inside, access.address)) return ISSUE_BLOCKED;
    if (!values(sm, w, op, lanes, &access)) return ISSUE_FAILED;
    AccessRecord *r = access_record(sm, w, op, SPACE_GLOBAL, access.inside, &index);
    if (!r) return ISSUE_FAILED;
    if (access.inside) {
        if (!access_shape(sm, w, op, r, access.address, array)) return ISSUE_FAILED;
        shadow_issue(sm, w, r);
        SmTrace *trace = trace_of(sm, w->id);
        if (trace) trace_access(trace, sm, r, access.address);
    } else {
        access_shape_nothing(r);
    }
    return access_send(sm, w, r, index);
}
