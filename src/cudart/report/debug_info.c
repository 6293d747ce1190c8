// Source lines, by libdw.
#include "cudart/report/debug_info.h"

#include "base/memory.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct DebugInfo {
    Dwfl *session;
    Dwfl_Callbacks callbacks;
};

// Separate debug files are not searched for, because that could access the network.
static int no_other_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

DebugInfo *debug_info_open(void)
{
    DebugInfo *info = hd_new(1, sizeof *info);
    if (!info) return NULL;
    info->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_linux_proc_find_elf,
                                       .find_debuginfo = no_other_file};
    info->session = dwfl_begin(&info->callbacks);
    if (info->session && dwfl_linux_proc_report(info->session, getpid()) == 0 &&
        dwfl_report_end(info->session, NULL, NULL) == 0)
        return info;
    debug_info_close(info);
    return NULL;
}

void debug_info_close(DebugInfo *info)
{
    if (!info) return;
    if (info->session) dwfl_end(info->session);
    free(info);
}

// Whether to skip a frame in this file, because the frame of its caller says more. Skips CUDA's
// headers, which wrap calls in templates (cudaMalloc(T **)), and unless `headers` all headers,
// where programs keep helpers that allocate.
static bool is_skipped(const char *path, bool headers)
{
    static const char *const ends[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!strncmp(name, "cuda_runtime", strlen("cuda_runtime")) || strstr(path, "/include/cuda/"))
        return true;
    const char *dot = headers ? NULL : strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(dot, ends[i])) return true;
    return false;
}

static bool write_line(const char *path, int line, char *text, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(text, size, "%s:%d", slash ? slash + 1 : path, line);
    return true;
}

// The compilation unit that contains the address. Not all compilers write the table for fast lookup
// (.debug_aranges).
static Dwarf_Die *unit_of(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit) return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) == 1) return unit;
    return NULL;
}

// Writes the line of the innermost call of an inlined function at the address, outside of skipped
// headers.
static bool inlined_call(Dwarf_Die *unit, Dwarf_Addr address, bool headers, char *text,
                         size_t size)
{
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    Dwarf_Files *files;
    size_t file_count;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return false;
    // dwarf_getscopes gives the scopes in which an inlined function was written;
    // dwarf_getscopes_die of the innermost gives those into which it was inlined.
    int count = dwarf_getscopes(unit, address, &innermost);
    if (count > 0) count = dwarf_getscopes_die(&innermost[0], &scopes);
    free(innermost);
    bool found = false;
    for (int i = 0; !found && i < count; i++) {
        Dwarf_Attribute file, line;
        Dwarf_Word file_number, line_number;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
        if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &file), &file_number) != 0 ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &line), &line_number) != 0)
            continue;
        const char *path = dwarf_filesrc(files, file_number, NULL, NULL);
        found =
            path && !is_skipped(path, headers) && write_line(path, (int)line_number, text, size);
    }
    free(scopes);
    return found;
}

bool debug_info_line(DebugInfo *info, uintptr_t address, bool headers, char *text, size_t size)
{
    Dwfl_Module *module = dwfl_addrmodule(info->session, address);
    Dwarf_Addr bias;
    Dwarf_Die *unit = module ? unit_of(module, address, &bias) : NULL;
    Dwarf_Line *at = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
    const char *path = at ? dwarf_linesrc(at, NULL, NULL) : NULL;
    int line;
    if (!path || dwarf_lineno(at, &line) != 0) return false;
    if (!is_skipped(path, headers)) return write_line(path, line, text, size);
    return inlined_call(unit, address - bias, headers, text, size);
}

const char *debug_info_symbol(DebugInfo *info, uintptr_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(info->session, address);
    return module ? dwfl_module_addrname(module, address) : NULL;
}
