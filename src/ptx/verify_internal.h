// What the parts of the verifier share (verify.h).
#ifndef HEDDLE_PTX_VERIFY_INTERNAL_H
#define HEDDLE_PTX_VERIFY_INTERNAL_H

#include "ptx/verify.h"

// What holds for all functions that one call may reach.
typedef struct Callees {
    bool any;
    bool unbounded, allocates; // of any of them
    uint32_t param_bytes, local_bytes; // the least
    uint32_t depth, local, slots, predicates, params; // the maxima over call chains, the most
} Callees;

typedef struct Verifier {
    const PtxModule *module;
    const PtxFunction *f; // being verified
    uint32_t index;       // of the instruction being verified
    HdError *err;
    uint32_t *table_ends; // by branch table: the largest target + 1
    uint64_t *called;     // bit set of the call sites whose instruction has been seen
    Callees *by_signature; // the functions that a pointer with this signature may call
} Verifier;

// Report what is wrong with the current instruction, or with the current function. Return false.
bool verify_fail_op(const Verifier *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool verify_fail_function(const Verifier *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- verify_module.c ----
// Verifies what concerns the whole module, and makes the tables that verify_call uses.
bool verify_module(Verifier *v);
// ---- verify_calls.c ----
void callees_add(Callees *callees, const PtxFunction *f);
// Verifies the current instruction, a call.
bool verify_call(Verifier *v, const UOp *op);

#endif
