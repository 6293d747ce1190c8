// Call sites of allocations: recorded as addresses, named on demand.
#include "cudart/report/allocation_sites.h"

#include "base/memory.h"
#include "base/text.h"
#include "cudart/report/debug_info.h"
#include "cudart/runtime/process_context.h"
#include "report/shorten.h"

#include <dlfcn.h>
#include <libiberty/demangle.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

// ---- recording ----

static int find_own_code(struct dl_phdr_info *object, size_t size, void *to)
{
    AllocationSites *sites = to;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t low = object->dlpi_addr + header->p_vaddr,
                  own = (uintptr_t)&allocation_site_record;
        if (header->p_type != PT_LOAD || own < low || own >= low + header->p_memsz) continue;
        sites->low = low;
        sites->high = low + header->p_memsz;
        return 1;
    }
    return 0;
}

static _Unwind_Reason_Code record_frame(struct _Unwind_Context *frame, void *result)
{
    const AllocationSites *sites = cudart_allocation_sites();
    SiteFrames *frames = result;
    uintptr_t at = _Unwind_GetIP(frame);
    if (!at) return _URC_END_OF_STACK;
    at--; // the return address is after the call
    if (at >= sites->low && at < sites->high) return _URC_NO_REASON;
    unsigned i = 0;
    while (i < SITE_FRAMES && frames->at[i]) i++;
    if (i == SITE_FRAMES) return _URC_END_OF_STACK;
    frames->at[i] = at;
    return _URC_NO_REASON;
}

// Finds or adds the call site with these frames; returns its index + 1. 0: out of memory. Searches
// backward, because most calls come from a recent call site.
static uint32_t site_number(AllocationSites *sites, const SiteFrames *frames)
{
    for (size_t i = sites->site_count; i; i--)
        if (!memcmp(&sites->sites[i - 1].frames, frames, sizeof *frames)) return (uint32_t)i;
    AllocationSite site = {.frames = *frames};
    return HD_PUSH(sites->sites, sites->site_count, sites->site_capacity, site)
               ? (uint32_t)sites->site_count
               : 0;
}

void allocation_site_record(unsigned number)
{
    AllocationSites *sites = cudart_allocation_sites();
    if (!sites->high) dl_iterate_phdr(find_own_code, sites);
    SiteFrames frames = {0};
    _Unwind_Backtrace(record_frame, &frames);
    // Out of memory is no error: the call site stays unknown.
    while (sites->count < number)
        if (!HD_PUSH(sites->by_allocation, sites->count, sites->capacity, 0)) return;
    sites->by_allocation[number - 1] = site_number(sites, &frames);
}

// ---- naming ----

char *symbol_demangle(const char *symbol, bool whole)
{
    char *name = cplus_demangle(symbol, whole ? DMGL_PARAMS | DMGL_ANSI : DMGL_ANSI);
    return name ? name : strdup(symbol);
}

// Names a call site by the innermost frame in the program's own code: its line in a source file;
// else its line in a header; else the function that is not a template of CUDA's headers.
static void name_site(AllocationSite *site)
{
    AllocationSites *sites = cudart_allocation_sites();
    if (!sites->info_opened) sites->info = debug_info_open();
    sites->info_opened = true;
    const uintptr_t *at = site->frames.at;
    for (unsigned headers = 0; sites->info && headers < 2; headers++)
        for (unsigned i = 0; i < SITE_FRAMES && at[i]; i++)
            if (debug_info_line(sites->info, at[i], headers, site->name, sizeof site->name))
                return;
    for (unsigned i = 0; sites->info && i < SITE_FRAMES && at[i]; i++) {
        const char *symbol = debug_info_symbol(sites->info, at[i]);
        char *name = symbol ? symbol_demangle(symbol, false) : NULL;
        bool runtime = name && !strncmp(name, "cuda", 4);
        if (name && !runtime)
            snprintf(site->name, sizeof site->name, "in %.*s", (int)strcspn(name, "<"), name);
        free(name);
        if (!runtime) return;
    }
}

const char *allocation_site_text(unsigned number)
{
    AllocationSites *sites = cudart_allocation_sites();
    if (!number || number > sites->count || !sites->by_allocation[number - 1]) return "";
    AllocationSite *site = &sites->sites[sites->by_allocation[number - 1] - 1];
    if (!site->named) {
        name_site(site);
        text_mask(site->name, "");
    }
    site->named = true;
    return site->name;
}

// The number in the name of an allocation ("cudaMalloc #3", as memory_allocate makes it) that ends
// at `end`; 0: another name.
static unsigned number_of(const char *name, const char *end)
{
    const char *digits = end;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') digits--;
    if (digits == end || digits < name + 2 || digits[-1] != '#' || digits[-2] != ' ') return 0;
    return (unsigned)strtoul(digits, NULL, 10);
}

void allocation_site_annotate(const char *message, char *text, size_t size)
{
    size_t used = 0;
    const char *open = NULL; // the opening quote
    for (const char *c = message; *c && used + 1 < size; c++) {
        if (*c == '"' && open) {
            const char *where = allocation_site_text(number_of(open + 1, c));
            open = NULL;
            int more = *where ? snprintf(text + used, size - used, ", %s", where) : 0;
            used += (size_t)more;
            if (used + 1 >= size) break;
        } else if (*c == '"') {
            open = c;
        }
        text[used++] = *c;
    }
    text[used < size ? used : size - 1] = 0;
}

void allocation_sites_name_all(Gpu *gpu)
{
    GuestMemory *memory = gpu_memory(gpu);
    for (size_t i = 0; i < memory->allocation_count; i++) {
        GuestAllocation *array = &memory->allocations[i];
        size_t length = strlen(array->name);
        const char *where = allocation_site_text(number_of(array->name, array->name + length));
        char *variable = strncmp(array->name, "_Z", 2) ? NULL : symbol_demangle(array->name, true);
        if (variable) shorten_name(variable, sizeof array->name - 1, array->name);
        free(variable);
        if (!*where) continue;
        char whole[sizeof array->name + SITE_TEXT + 2];
        snprintf(whole, sizeof whole, "%s, %s", array->name, where);
        shorten_name(whole, sizeof array->name - 1, array->name);
    }
}

void allocation_sites_close(void)
{
    AllocationSites *sites = cudart_allocation_sites();
    debug_info_close(sites->info);
    free(sites->by_allocation);
    free(sites->sites);
    *sites = (AllocationSites){0};
}
