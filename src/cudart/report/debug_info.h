// The source lines of this process's code, from its debug symbols.
#ifndef HEDDLE_CUDART_DEBUG_INFO_H
#define HEDDLE_CUDART_DEBUG_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DebugInfo DebugInfo;

// Of what is loaded now; NULL where it cannot be read. Looks at nothing but the loaded files.
DebugInfo *debug_info_open(void);
void debug_info_close(DebugInfo *info);

// "bfs.cu:120" for the instruction at `address`; where that is in a header of the CUDA runtime (or,
// without `headers`, in any header) that was inlined, for the call of it. false: there is no such
// line outside these headers.
bool debug_info_line(DebugInfo *info, uintptr_t address, bool headers, char *text, size_t size);

// The symbol of the function that the address is in; NULL: not known.
const char *debug_info_symbol(DebugInfo *info, uintptr_t address);

#endif
