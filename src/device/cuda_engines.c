// Instructions of mechanisms' engines on a real GPU, which has no such engines. Its driver compiles
// the other kernels of a text; a launch of a kernel that has such an instruction is refused.
#include "device/cuda_internal.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

static char *start_of_line(char *text, uint32_t line)
{
    while (--line) text = strchr(text, '\n') + 1;
    return text;
}

static bool in_name(char c)
{
    return text_is_alphanumeric(c) || c == '_' || c == '$' || c == '%';
}

// Replaces the first instruction with this opcode from `at` on by a trap. The text keeps its length
// and its lines.
static void replace(char *at, const char *opcode, size_t length)
{
    static const char trap[] = "trap";
    const char *start = at;
    for (; *at; at++) {
        bool begins = at == start || !in_name(at[-1]);
        if (begins && strncmp(at, opcode, length) == 0 &&
            (at[length] == '.' || text_is_blank(at[length])))
            break;
    }
    size_t end = strcspn(at, ";");
    if (end < strlen(trap)) return; // the driver says what is wrong
    for (size_t i = 0; i < end; i++)
        if (at[i] != '\n') at[i] = ' ';
    memcpy(at, trap, strlen(trap));
}

char *cuda_text_without_engines(const char *text, const PtxModule *module)
{
    char *copy = hd_new(strlen(text) + 1, 1);
    if (!copy) return NULL;
    strcpy(copy, text);
    for (size_t f = 0; f < module->function_count; f++) {
        const PtxFunction *function = &module->functions[f];
        for (uint32_t i = 0; i < function->op_count; i++) {
            const UOp *op = &function->ops[i];
            if (op->code != UOP_ENGINE) continue;
            const char *name = engine_instruction(&module->engines->items[op->imm])->name;
            replace(start_of_line(copy, function->timing[i].line), name, strcspn(name, "."));
        }
    }
    return copy;
}

bool cuda_check_engines(const CudaDevice *cuda, const CudaKernel *kernel, HdError *err)
{
    for (size_t i = 0; i < cuda->module_count; i++) {
        const PtxModule *ptx = cuda->modules[i].ptx;
        size_t number = (size_t)(kernel->function - ptx->functions);
        if (kernel->function < ptx->functions || number >= ptx->function_count) continue;
        const EngineUse *use = engine_uses_next(&cuda->modules[i].engines, NULL, (uint32_t)number);
        if (use) return engine_use_fail(use, ptx,
                                        "which a real GPU lacks: expected a simulated GPU", err);
    }
    return true;
}
