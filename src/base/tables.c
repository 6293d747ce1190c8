// Tables in regions of whole pages. With ASan, a gap that may not be accessed follows each table.
#include "base/tables.h"

#include "base/bits.h"
#include "base/memory.h"

#ifdef __SANITIZE_ADDRESS__
#define HD_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_ADDRESS_SANITIZER
#endif
#endif

#ifdef HD_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
static void forbid(void *at, size_t bytes) { __asan_poison_memory_region(at, bytes); }
static void allow(void *at, size_t bytes) { __asan_unpoison_memory_region(at, bytes); }
#else
enum { GAP = 0 };
static void forbid(void *at, size_t bytes) { (void)at, (void)bytes; }
static void allow(void *at, size_t bytes) { (void)at, (void)bytes; }
#endif

typedef struct HdTablesRegion {
    struct HdTablesRegion *next;
    size_t bytes; // this head included
} HdTablesRegion;

enum { ALIGNMENT = 64, REGION_BYTES = 256 * 1024 };
_Static_assert(sizeof(HdTablesRegion) <= ALIGNMENT, "the head of a region lies before its tables");

static bool add_region(HdTables *tables, size_t bytes)
{
    size_t all = bytes + ALIGNMENT > REGION_BYTES ? bytes + ALIGNMENT : REGION_BYTES;
    HdTablesRegion *region = hd_pages_new(all);
    if (!region) return false;
    *region = (HdTablesRegion){.next = tables->regions, .bytes = all};
    tables->regions = region;
    tables->left = all - ALIGNMENT;
    forbid((char *)region + ALIGNMENT, tables->left);
    return true;
}

void *hd_tables_new(HdTables *tables, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) return NULL;
    size_t taken = round_up(bytes ? bytes : 1, ALIGNMENT) + GAP;
    if (tables->left < taken && !add_region(tables, taken)) return NULL;
    char *table = (char *)tables->regions + tables->regions->bytes - tables->left;
    tables->left -= taken;
    allow(table, bytes);
    return table;
}

void hd_tables_free(HdTables *tables)
{
    while (tables->regions) {
        HdTablesRegion *region = tables->regions;
        tables->regions = region->next;
        size_t bytes = region->bytes;
        allow(region, bytes);
        hd_pages_free(region, bytes);
    }
    tables->left = 0;
}
