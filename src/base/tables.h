// Zeroed tables that are freed together: what a machine is built of. The host provides their pages
// on first access, so that a machine costs what is used of it.
#ifndef HEDDLE_BASE_TABLES_H
#define HEDDLE_BASE_TABLES_H

#include <stddef.h>

// Zero-initialise.
typedef struct HdTables {
    struct HdTablesRegion *regions;
    size_t left; // bytes at the end of the newest region
} HdTables;

// `count` zeroed elements of `size` bytes, at a multiple of 64 bytes: at least one of the host's
// cache lines, also for a count of 0. NULL: too large, or out of memory. Valid until
// hd_tables_free.
void *hd_tables_new(HdTables *tables, size_t count, size_t size);
void hd_tables_free(HdTables *tables);

#endif
