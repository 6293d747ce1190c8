// Source lines of this process's code, from debug symbols.
#ifndef HEDDLE_CUDART_DEBUG_INFO_H
#define HEDDLE_CUDART_DEBUG_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DebugInfo DebugInfo;

// Opens the debug information of the files that are loaded now; reads no other files. NULL: not
// available.
DebugInfo *debug_info_open(void);
void debug_info_close(DebugInfo *info);

// Writes the source line of the instruction at `address`: "bfs.cu:120". Skips headers of the CUDA
// runtime and, unless `headers`, all headers: for a function that was inlined from a skipped
// header, writes the line of the call. false: no such line.
bool debug_info_line(DebugInfo *info, uintptr_t address, bool headers, char *text, size_t size);

// The symbol of the function that contains the address; NULL: unknown.
const char *debug_info_symbol(DebugInfo *info, uintptr_t address);

#endif
