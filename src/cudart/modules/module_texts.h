// The PTX that a program registered for a module: one text, or with relocatable device code one for
// each source file.
#ifndef HEDDLE_CUDART_MODULE_TEXTS_H
#define HEDDLE_CUDART_MODULE_TEXTS_H

#include "base/fatbin_layout.h"
#include "cudart/runtime/cuda_types.h"
#include "ptx/ptx.h"

typedef struct ModuleTexts {
    PtxText *items; // owned, with their texts and paths
    size_t count, capacity;
    bool relocatable; // for ptx_link; else a single text for ptx_parse_lenient
} ModuleTexts;

// Reads the texts of a registered wrapper. `name` is the module's ("bfs.1.ptx"). false: the reason
// in *code and err. Free the texts in either case.
bool module_texts_read(ModuleTexts *texts, const FatbinWrapper *wrapper, const char *name,
                       CudaError *code, HdError *err);
void module_texts_free(ModuleTexts *texts);

#endif
