// Verifies calls: the copies between the frames of caller and callee, and that the caller has room
// for the frames of all its callees.
//
// A chain of calls places the frames one after the other, in storage for the kernel's maxima. Each
// function has claimed maxima. If those of each caller are at least its own frame and its callee's
// claim, then by induction a kernel's claim is enough for every chain. The depth of a caller that
// claims one is larger than its callee's, so the chain ends: a recursive function cannot claim a
// depth. Without a claim (max_call_depth 0), storage is for a number of frames of the largest
// function, which the core counts.
#include "ptx/verify_internal.h"

#include "base/bits.h"
#include "ptx/internal.h"
#include "ptx/system_signatures.h"

void callees_add(Callees *c, const PtxFunction *f)
{
    if (!c->any) c->param_bytes = c->local_bytes = UINT32_MAX;
    c->any = true;
    c->unbounded |= !f->max_call_depth;
    c->allocates |= f->allocates;
    c->param_bytes = smaller(c->param_bytes, f->frame_param_bytes);
    c->local_bytes = smaller(c->local_bytes, f->local_bytes);
    c->depth = larger(c->depth, f->max_call_depth);
    c->local = larger(c->local, f->max_call_local);
    c->slots = larger(c->slots, f->max_call_slots);
    c->predicates = larger(c->predicates, f->max_call_predicates);
    c->params = larger(c->params, f->max_call_param_bytes);
}

// ---- copies ----

static bool check_copies(const Verifier *v, const char *what, const PtxCopy *copies, uint32_t count,
                         uint32_t from_bytes, uint32_t to_bytes)
{
    if (count && !copies) return verify_fail_op(v, "which has no list of its %ss", what);
    for (uint32_t i = 0; i < count; i++) {
        const PtxCopy *c = &copies[i];
        if (range_fits(c->from, c->bytes, from_bytes) && range_fits(c->to, c->bytes, to_bytes))
            continue;
        return verify_fail_op(v, "whose %s %u copies %u bytes from byte %u to byte %u: expected "
                                 "within %u and %u bytes, the parameters of the two frames",
                              what, i, c->bytes, c->from, c->to, from_bytes, to_bytes);
    }
    return true;
}

// ---- room for frames ----

static bool check_room(const Verifier *v, const Callees *c)
{
    const PtxFunction *f = v->f;
    if (c->allocates && !f->allocates)
        return verify_fail_op(v, "which calls a function that uses alloca: expected '%s' to have a "
                                 "stack", f->name);
    if (!f->max_call_depth) return true;
    if (c->unbounded)
        return verify_fail_op(v, "which reaches a recursion: expected '%s' to have no maximum "
                                 "depth of calls, found %u", f->name, f->max_call_depth);
    const struct {
        const char *what;
        uint32_t claim, own, callees;
    } rooms[] = {
        {"calls", f->max_call_depth, 1, c->depth},
        {"register slots", f->max_call_slots, f->frame_slots, c->slots},
        {"predicates", f->max_call_predicates, f->frame_predicates, c->predicates},
        {"bytes of parameters", f->max_call_param_bytes, f->frame_param_bytes, c->params},
        {"bytes of local memory", f->max_call_local, f->local_bytes, c->local},
    };
    for (unsigned i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        uint64_t needed = (uint64_t)rooms[i].own + rooms[i].callees;
        if (needed > rooms[i].claim)
            return verify_fail_op(v, "whose chain of calls needs %llu %s: expected at most %u, the "
                                     "maximum of '%s'", (unsigned long long)needed, rooms[i].what,
                                  rooms[i].claim, f->name);
    }
    return true;
}

// ---- calls of the system ----

// Its arguments are read as numbers of up to 8 bytes, and its result is written, without a frame.
static bool check_system(const Verifier *v, const UOp *op, const PtxCall *call)
{
    const SystemSignature *s = &system_signatures[op->modifier];
    uint32_t own = v->f->frame_param_bytes, arguments = 0;
    while (arguments < SYSTEM_ARGUMENTS && s->arguments[arguments]) arguments++;
    if (call->argument_count != arguments || call->result_count != (s->result ? 1 : 0) ||
        (arguments && !call->arguments) || (s->result && !call->results))
        return verify_fail_op(v, "with %u arguments and %u results: expected %u and %u, as %s has",
                              call->argument_count, call->result_count, arguments,
                              s->result ? 1 : 0, s->name);
    for (uint32_t i = 0; i < arguments + call->result_count; i++) {
        bool result = i == arguments;
        const PtxCopy *c = result ? call->results : &call->arguments[i];
        uint32_t bytes = result ? s->result : s->arguments[i], at = result ? c->to : c->from;
        if (c->bytes != bytes || !range_fits(at, bytes, own))
            return verify_fail_op(v, "whose %s %u has %u bytes at byte %u: expected %u bytes "
                                     "within %u, the parameters of the frame",
                                  result ? "result" : "argument", result ? 0 : i, c->bytes, at,
                                  bytes, own);
    }
    bool heap = op->modifier == SYSTEM_MALLOC || op->modifier == SYSTEM_FREE;
    return !heap || v->module->heap ||
           verify_fail_op(v, "which uses the heap: expected a module that has one");
}

// ---- calls ----

// Finds the functions that a call may reach.
static bool find_callees(const Verifier *v, const UOp *op, const PtxCall *call, Callees *callees)
{
    const PtxModule *m = v->module;
    if (op->code == UOP_CALL_POINTER) {
        if (call->callee != PTX_NO_FUNCTION || call->signature > m->function_count)
            return verify_fail_op(v, "with the signature %u and the callee %u: expected a "
                                     "signature up to %zu and no callee", call->signature,
                                  call->callee, m->function_count);
        *callees = call->signature ? v->by_signature[call->signature] : (Callees){0};
        return true;
    }
    if (call->callee >= m->function_count || op->target != call->callee)
        return verify_fail_op(v, "whose target is the function %u, and whose call site has %u: "
                                 "expected one function below %zu", op->target, call->callee,
                              m->function_count);
    const PtxFunction *callee = &m->functions[call->callee];
    if (callee->entry)
        return verify_fail_op(v, "which calls the kernel '%s': expected a function", callee->name);
    *callees = (Callees){0};
    callees_add(callees, callee);
    return true;
}

bool verify_call(Verifier *v, const UOp *op)
{
    if ((uint64_t)op->imm >= v->module->call_count)
        return verify_fail_op(v, "whose call site is %lld: expected less than %zu",
                              (long long)op->imm, v->module->call_count);
    if (bit_get(v->called, (uint32_t)op->imm))
        return verify_fail_op(v, "whose call site %lld is another instruction's: expected its own",
                              (long long)op->imm);
    bit_set(v->called, (uint32_t)op->imm);
    const PtxCall *call = &v->module->calls[op->imm];
    if (op->code == UOP_SYSTEM) return check_system(v, op, call);
    Callees callees;
    uint32_t own = v->f->frame_param_bytes;
    if (!find_callees(v, op, call, &callees)) return false;
    if (!callees.any) return true; // every pointer is refused as the call executes
    const PtxCopy *variable = &call->variable;
    if (variable->bytes && (!range_fits(variable->from, variable->bytes, own) ||
                            variable->bytes > callees.local_bytes))
        return verify_fail_op(v, "whose variadic arguments have %u bytes at byte %u: expected "
                                 "within %u bytes of the caller's parameters and %u bytes of the "
                                 "callee's local memory", variable->bytes, variable->from, own,
                              callees.local_bytes);
    return check_copies(v, "argument", call->arguments, call->argument_count, own,
                        callees.param_bytes) &&
           check_copies(v, "result", call->results, call->result_count, callees.param_bytes, own) &&
           check_room(v, &callees);
}
