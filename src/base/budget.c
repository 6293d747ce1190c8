// Counts memory against a limit, and finds what this host has left.
#include "base/budget.h"
#include "base/memory.h"
#include "base/number.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- what is left ----

// The number after `key` at the start of a line of a file, in `unit` bytes; UINT64_MAX if there is
// none ("max" is none). An empty key reads the first line.
static uint64_t number_in(const char *path, const char *key, uint64_t unit)
{
    char line[256];
    uint64_t value = UINT64_MAX;
    size_t length = strlen(key);
    FILE *file = fopen(path, "r");
    while (file && value == UINT64_MAX && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, length) != 0) continue;
        char *end, *start = line + length;
        unsigned long long number = strtoull(start, &end, 10);
        if (end == start || __builtin_mul_overflow(number, unit, &value)) value = UINT64_MAX;
        if (!length) break;
    }
    if (file) fclose(file);
    return value;
}

static uint64_t minus(uint64_t limit, uint64_t used)
{
    return limit == UINT64_MAX || used == UINT64_MAX ? limit : limit > used ? limit - used : 0;
}

// What the cgroup of this process leaves, and those around it. Pages of files that it no longer
// uses count as free.
static uint64_t left_by_cgroups(void)
{
    char line[2048], path[4096], *group = NULL;
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    bool first_version = false;
    while (file && !group && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':')
                                                                   : NULL;
        if (!name) continue;
        first_version = strncmp(controllers, ":memory:", 8) == 0;
        if (first_version || name == controllers + 1) group = name + 1;
    }
    if (file) fclose(file);
    const char *root = first_version ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    while (group) {
        const char *at = strcmp(group, "/") == 0 ? "" : group;
        snprintf(path, sizeof path, "%s%s/%s", root, at,
                 first_version ? "memory.limit_in_bytes" : "memory.max");
        uint64_t limit = number_in(path, "", 1);
        snprintf(path, sizeof path, "%s%s/%s", root, at,
                 first_version ? "memory.usage_in_bytes" : "memory.current");
        uint64_t used = number_in(path, "", 1);
        snprintf(path, sizeof path, "%s%s/memory.stat", root, at);
        uint64_t files = number_in(path, "inactive_file ", 1);
        if (used != UINT64_MAX && files != UINT64_MAX) used -= files < used ? files : used;
        if (minus(limit, used) < least) least = minus(limit, used);
        char *slash = strrchr(group, '/');
        if (!slash || !*at) break;
        slash[slash == group] = 0;
    }
    return least;
}

static uint64_t left_by_address_space(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return minus(limit.rlim_cur, number_in("/proc/self/statm", "", page));
}

static MemoryBudget least_left(bool address_space, const char *task, HdError *err)
{
    const struct {
        uint64_t bytes;
        const char *name;
    } left[] = {
        {number_in("/proc/meminfo", "MemAvailable:", 1024), "this host has left"},
        {left_by_cgroups(), "the cgroup has left"},
        {address_space ? left_by_address_space() : UINT64_MAX, "RLIMIT_AS leaves"},
    };
    MemoryBudget budget = {.limit = UINT64_MAX, .task = task, .err = err};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        if (left[i].bytes >= budget.limit) continue;
        budget.limit = left[i].bytes;
        snprintf(budget.source, sizeof budget.source, "what %s", left[i].name);
    }
    return budget;
}

MemoryBudget budget_of_host(const char *task, HdError *err) { return least_left(true, task, err); }

// Names the option that changes the limit.
static void name_option(MemoryBudget *budget)
{
    size_t used = strlen(budget->source);
    snprintf(budget->source + used, sizeof budget->source - used, "; --max-memory changes it");
}

MemoryBudget budget_of_pages(const char *task, HdError *err)
{
    MemoryBudget budget = least_left(false, task, err);
    name_option(&budget);
    return budget;
}

MemoryBudget budget_start(uint64_t limit, const char *task, HdError *err)
{
    if (limit)
        return (MemoryBudget){.limit = limit, .given = true, .task = task, .err = err,
                              .source = "--max-memory"};
    MemoryBudget budget = budget_of_host(task, err);
    name_option(&budget);
    return budget;
}

// ---- counting ----

void memory_text(unsigned __int128 bytes, bool up, char text[MEMORY_TEXT])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned __int128 unit = 1024;
    size_t i = 0;
    if (bytes < unit) {
        snprintf(text, MEMORY_TEXT, "%u bytes", (unsigned)bytes);
        return;
    }
    for (; i + 1 < sizeof units / sizeof *units && bytes >= unit * 1024; i++) unit *= 1024;
    unsigned __int128 tenths = (bytes * 10 + (up ? unit - 1 : 0)) / unit;
    snprintf(text, MEMORY_TEXT, "%llu.%u %s", (unsigned long long)(tenths / 10),
             (unsigned)(tenths % 10), units[i]);
}

static uint64_t left_of(const MemoryBudget *budget)
{
    return budget->limit > budget->used ? budget->limit - budget->used : 0;
}

bool budget_check(const MemoryBudget *budget, unsigned __int128 bytes, const char *format, ...)
{
    if (bytes <= left_of(budget)) return true;
    bytes += budget->used;
    char who[HD_ERROR_TEXT / 2], need[MEMORY_TEXT], limit[MEMORY_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(who, sizeof who, format, args);
    va_end(args);
    memory_text(bytes, true, need);
    memory_text(budget->limit, false, limit);
    return hd_fail(budget->err, "%s need %s of memory: expected at most %s in all (%s)", who, need,
                   limit, budget->source);
}

// The allocator may give a little more than was asked for; what it gives counts.
static void count_in(MemoryBudget *budget, void *pointer)
{
    budget->used += pointer ? malloc_usable_size(pointer) : 0;
}

static void count_out(MemoryBudget *budget, void *pointer)
{
    uint64_t bytes = pointer ? malloc_usable_size(pointer) : 0;
    budget->used -= bytes < budget->used ? bytes : budget->used;
}

void *budget_new(MemoryBudget *budget, uint64_t count, size_t size, const char *what)
{
    unsigned __int128 bytes = (unsigned __int128)count * size;
    if (!budget_check(budget, bytes, "%s: %s", budget->task, what)) return NULL;
    void *pointer = hd_new(count, size);
    if (!pointer) hd_fail(budget->err, "%s: out of memory for %s", budget->task, what);
    count_in(budget, pointer);
    return pointer;
}

void budget_free(MemoryBudget *budget, void *pointer)
{
    count_out(budget, pointer);
    free(pointer);
}

bool budget_resize(MemoryBudget *budget, void *items, size_t *capacity, size_t wanted, size_t size,
                   const char *what)
{
    void *old, *resized = NULL;
    memcpy(&old, items, sizeof old);
    count_out(budget, old);
    unsigned __int128 bytes = (unsigned __int128)wanted * size;
    bool fits = budget_check(budget, bytes, "%s: %s", budget->task, what);
    if (fits) resized = realloc(old, wanted * size);
    count_in(budget, resized ? resized : old);
    if (fits && !resized) hd_fail(budget->err, "%s: out of memory for %s", budget->task, what);
    if (!resized) return false;
    memcpy(items, &resized, sizeof resized);
    *capacity = wanted;
    return true;
}

bool budget_grow(MemoryBudget *budget, void *items, size_t *capacity, size_t size,
                 const char *what)
{
    size_t wanted = *capacity ? *capacity * 2 : 8, most = *capacity + left_of(budget) / size;
    // As much as the budget allows, if it does not allow twice as much.
    if (wanted > most) wanted = most > *capacity ? most : *capacity + 1;
    return budget_resize(budget, items, capacity, wanted, size, what);
}
