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

// `count` zeroed elements of `size` bytes. They begin at a multiple of 64 bytes and share no line
// of the host's cache with another table, also if there are none. NULL: too large, or out of
// memory. Valid until hd_tables_free.
void *hd_tables_new(HdTables *tables, size_t count, size_t size);
void hd_tables_free(HdTables *tables);

#endif
