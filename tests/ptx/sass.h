// Machine code of ptxas for compute capability 7.5: which floating-point multiplications and
// additions a kernel has.
#ifndef HEDDLE_TESTS_PTX_SASS_H
#define HEDDLE_TESTS_PTX_SASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The operations of a kernel as words, see contract.txt.
enum { OPS_WORDS = 64, OPS_WORD = 32 };
typedef struct Ops {
    char words[OPS_WORDS][OPS_WORD];
    unsigned count;
} Ops;

// Adds a word. `literal`: the factor's value, or 0 for none.
void ops_add(Ops *ops, const char *name, bool minus_product, bool minus_addend, double literal);
// Sorts the words, and writes them to `text` with blanks between them.
void ops_text(Ops *ops, char *text, size_t size);

// Compiles a file of PTX with the ptxas of this machine to the file `cubin`, and writes its version
// to `version`. false: no ptxas is there, or it does not compile for sm_75.
bool ptxas_run(const char *ptx, const char *cubin, char *version, size_t size);
// Finds a kernel's operations in such a file's contents. false: the file does not hold the kernel.
bool sass_ops(const uint8_t *cubin, size_t size, const char *kernel, Ops *ops);

#endif
