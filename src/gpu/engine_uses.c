// Which instructions of mechanisms' engines the kernels of a module have.
#include "gpu/engine_uses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// The functions that a kernel may call.
typedef struct Reach {
    const PtxModule *module;
    bool *reached;    // by function
    bool *signatures; // by signature: all its functions are reached
    uint32_t *stack, depth;
    bool *seen; // by instruction of engines
} Reach;

static bool has_engine(const PtxFunction *f)
{
    for (uint32_t i = 0; i < f->op_count; i++)
        if (f->ops[i].code == UOP_ENGINE) return true;
    return false;
}

static void reach(Reach *r, uint32_t function)
{
    if (r->reached[function]) return;
    r->reached[function] = true;
    r->stack[r->depth++] = function;
}

static void reach_signature(Reach *r, uint32_t signature)
{
    if (!signature || r->signatures[signature]) return;
    r->signatures[signature] = true;
    for (uint32_t i = 0; i < r->module->function_count; i++)
        if (r->module->functions[i].signature == signature) reach(r, i);
}

static void reach_all(Reach *r, uint32_t kernel)
{
    size_t functions = r->module->function_count;
    memset(r->reached, 0, functions * sizeof *r->reached);
    memset(r->signatures, 0, (functions + 1) * sizeof *r->signatures);
    memset(r->seen, 0, r->module->engines->count * sizeof *r->seen);
    reach(r, kernel);
    while (r->depth) {
        const PtxFunction *f = &r->module->functions[r->stack[--r->depth]];
        for (uint32_t i = 0; i < f->op_count; i++) {
            const UOp *op = &f->ops[i];
            if (op->code == UOP_CALL) reach(r, op->target);
            if (op->code == UOP_CALL_POINTER)
                reach_signature(r, r->module->calls[op->imm].signature);
        }
    }
}

static bool add_uses(EngineUses *uses, Reach *r, uint32_t kernel)
{
    reach_all(r, kernel);
    for (uint32_t f = 0; f < r->module->function_count; f++) {
        const PtxFunction *function = &r->module->functions[f];
        for (uint32_t i = 0; r->reached[f] && i < function->op_count; i++) {
            const UOp *op = &function->ops[i];
            if (op->code != UOP_ENGINE || r->seen[op->imm]) continue;
            r->seen[op->imm] = true;
            EngineUse use = {kernel, f, i, &r->module->engines->items[op->imm]};
            if (!HD_PUSH(uses->items, uses->count, uses->capacity, use)) return false;
        }
    }
    return true;
}

bool engine_uses_find(EngineUses *uses, const PtxModule *module)
{
    size_t functions = module->function_count;
    bool any = false;
    for (size_t i = 0; !any && i < functions; i++) any = has_engine(&module->functions[i]);
    *uses = (EngineUses){0};
    if (!any) return true;
    Reach r = {.module = module, .reached = hd_new(functions, sizeof *r.reached),
               .signatures = hd_new(functions + 1, sizeof *r.signatures),
               .stack = hd_new(functions, sizeof *r.stack),
               .seen = hd_new(module->engines->count, sizeof *r.seen)};
    bool ok = r.reached && r.signatures && r.stack && r.seen;
    for (uint32_t i = 0; ok && i < functions; i++)
        if (module->functions[i].entry) ok = add_uses(uses, &r, i);
    free(r.reached);
    free(r.signatures);
    free(r.stack);
    free(r.seen);
    return ok;
}

void engine_uses_free(EngineUses *uses)
{
    free(uses->items);
    *uses = (EngineUses){0};
}

const EngineUse *engine_uses_next(const EngineUses *uses, const EngineUse *use, uint32_t kernel)
{
    for (size_t i = use ? (size_t)(use - uses->items) + 1 : 0; i < uses->count; i++)
        if (uses->items[i].kernel == kernel) return &uses->items[i];
    return NULL;
}

bool engine_use_fail(const EngineUse *use, const PtxModule *module, const char *what, HdError *err)
{
    const PtxFunction *f = &module->functions[use->function];
    char name[256];
    ptx_base_name(module->functions[use->kernel].name, name, sizeof name);
    return hd_fail_at(err, f->path, (int)f->timing[use->index].line, 0,
                      "%s has '%s', an instruction of the mechanism %s, %s", name,
                      engine_instruction(use->instruction)->name,
                      use->instruction->mechanism->name, what);
}
