// The memory that a task may take in all: each allocation is counted, and refused before it is
// taken if it exceeds what is left.
#ifndef HEDDLE_BASE_BUDGET_H
#define HEDDLE_BASE_BUDGET_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_TEXT = 32, BUDGET_SOURCE = 96 };

typedef struct MemoryBudget {
    uint64_t limit, used;      // bytes
    bool given;                // the user set the limit
    const char *task;          // for messages: the file or the spec that memory is needed for
    char source[BUDGET_SOURCE]; // for messages: what sets the limit
    HdError *err;
} MemoryBudget;

// A budget for a task, which sets err if memory is refused: what this host has left, which is the
// least of MemAvailable, RLIMIT_AS, and the limits of the cgroups of this process.
MemoryBudget budget_of_host(const char *task, HdError *err);
// The same for a task with the option --max-memory. `limit` is its value; 0: what this host has
// left.
MemoryBudget budget_start(uint64_t limit, const char *task, HdError *err);

// As budget_of_host, for pages whose addresses are reserved already: RLIMIT_AS does not count.
MemoryBudget budget_of_pages(const char *task, HdError *err);

// Checks that `bytes` more are left. Otherwise the message is "WHO need SIZE of memory: expected at
// most LIMIT in all (SOURCE)", where SIZE includes the memory in use.
bool budget_check(const MemoryBudget *budget, unsigned __int128 bytes, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

// `count` zeroed elements of `size` bytes, counted. NULL and err ("TASK: WHAT need ...") if they
// exceed the budget, or out of memory. Free with budget_free.
void *budget_new(MemoryBudget *budget, uint64_t count, size_t size, const char *what);
// Frees what budget_new or budget_resize gave (NULL is allowed), and counts it as free.
void budget_free(MemoryBudget *budget, void *pointer);
// Gives *items room for exactly `wanted` elements, at least one; new ones have any value. false and
// err: *items is unchanged.
bool budget_resize(MemoryBudget *budget, void *items, size_t *capacity, size_t wanted, size_t size,
                   const char *what);
// Makes room for more elements after *capacity: as many again, or as many as the budget allows.
bool budget_grow(MemoryBudget *budget, void *items, size_t *capacity, size_t size,
                 const char *what);
// Makes room for one more element after the `count` in a vector.
#define BUDGET_RESERVE(budget, items, count, capacity, what)                                       \
    ((count) < (capacity) ||                                                                       \
     budget_grow(budget, &(items), &(capacity), sizeof *(items), what))

// Writes a number of bytes as "1.5 GiB". A need is rounded up and a limit down, so that a need that
// exceeds a limit never reads like less.
void memory_text(unsigned __int128 bytes, bool up, char text[MEMORY_TEXT]);

#endif
