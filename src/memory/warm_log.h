// Requests by which the accesses of an SM warm the L2, from a round's start to its end in a
// functional launch. The slices are divided into shares, which may serve their requests at the same
// time.
//
// Where no mechanism reads requests, sectors of a line are all that there is to a request
// (memory_side_warms_lines), and the log has them in a word.
#ifndef HEDDLE_MEMORY_WARM_LOG_H
#define HEDDLE_MEMORY_WARM_LOG_H

#include "memory/memory_side.h"

enum { WARM_SHARES = 16 };

typedef struct WarmLog WarmLog; // one per SM

// The memory side outlives the log, and its mechanisms are attached. NULL: out of memory.
WarmLog *warm_log_new(const MemorySide *memory);
void warm_log_free(WarmLog *log);

// Whether the log takes accesses to lines, and no requests.
bool warm_log_of_lines(const WarmLog *log);
// Appends an access to sectors of a line. bytes: of a store, a bit for each byte of the line; else
// not read, NULL. Without memory for it, warm_log_failed says so.
void warm_log_line(WarmLog *log, uint64_t line, uint8_t sectors, WarmKind kind,
                   const uint64_t *bytes);
// Appends a request. Without memory for it, warm_log_failed says so.
void warm_log_add(WarmLog *log, const MemRequest *request);
// Whether a request did not fit into the host's memory.
bool warm_log_failed(const WarmLog *log);

// Serves the requests of one share, log by log, and removes them: memory_side_access_warm. The
// versions of data are lost, so no mechanism may read them.
void warm_log_apply(MemorySide *memory, WarmLog *const *logs, unsigned count, unsigned share);

#endif
