// A program's libraries, as the system's loader lists them for ldd.
#include "cli/cuda/program_libraries.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "device/vendor_libraries.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTING_TEXT = 1 << 16, NAME_TEXT = 256 };

typedef struct Libraries {
    const ProgramFile *program;
    const char *folder;
    char *preload;
    bool runtime;                  // has the shared CUDA runtime
    bool driver, no_driver;        // needs libcuda; which is missing
    char brings_kernels[NAME_TEXT]; // NVIDIA's first library with kernels of its own
    char is_static[NAME_TEXT];     // the first other library with the static runtime
} Libraries;

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    char text[HD_ERROR_TEXT], escaped[HD_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    number_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "heddle: %s\n", text_escape(escaped, sizeof escaped, text, "\n"));
}

static bool starts(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static void preload(Libraries *libraries, const char *name)
{
    size_t used = strlen(libraries->preload);
    snprintf(libraries->preload + used, PRELOAD_TEXT - used, "%s%s/%s", used ? ":" : "",
             libraries->folder, name);
}

// path: "" if the loader does not find the library.
static void take(Libraries *libraries, const char *name, const char *path)
{
    if (starts(name, "libcudart.so.")) {
        // A DT_RPATH precedes LD_LIBRARY_PATH: if another runtime would be loaded, Heddle's is
        // preloaded.
        size_t folder = strlen(libraries->folder);
        libraries->runtime = true;
        if (strncmp(path, libraries->folder, folder) != 0 || path[folder] != '/')
            preload(libraries, name);
    } else if (starts(name, "libcuda.so")) {
        libraries->driver = true;
        libraries->no_driver = !*path;
    } else if (is_vendor_library(name)) {
        if (!*libraries->brings_kernels) strcpy(libraries->brings_kernels, name);
    } else if (*path && !*libraries->is_static && program_file_is_static(path)) {
        strcpy(libraries->is_static, name);
    }
}

// "	libm.so.6 => /lib/libm.so.6 (0x00007f...)", "	libm.so.6 => not found".
static void take_line(Libraries *libraries, const char *line)
{
    char name[NAME_TEXT], path[PROGRAM_PATH];
    const char *arrow = strstr(line, " => "), *end;
    if (*line != '\t' || !arrow || arrow - line > NAME_TEXT) return;
    snprintf(name, sizeof name, "%.*s", (int)(arrow - line - 1), line + 1);
    arrow += strlen(" => ");
    end = strstr(arrow, " (0x");
    snprintf(path, sizeof path, "%.*s", end ? (int)(end - arrow) : 0, arrow);
    take(libraries, name, path);
}

static void list(Libraries *libraries)
{
    const char *words[] = {libraries->program->loader, libraries->program->path, NULL};
    char *text = hd_new(LISTING_TEXT, 1);
    if (text && setenv("LD_TRACE_LOADED_OBJECTS", "1", 1) == 0) {
        subprocess_output(words, text, LISTING_TEXT); // with lines for missing libraries
        unsetenv("LD_TRACE_LOADED_OBJECTS");
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) take_line(libraries, line);
    }
    free(text);
}

// A program that is linked to the driver, as in many Makefiles, but calls none of its functions
// needs only a library of that name.
static bool judge_driver(Libraries *libraries, HdError *err)
{
    static const char driver[] = "of libcuda.so.1, the CUDA driver; Heddle replaces the "
                                 "runtime (cuda...), not the driver's functions (cu...)";
    const ProgramFile *program = libraries->program;
    if (!libraries->driver) return true;
    if (!*program->driver_call) {
        if (libraries->no_driver) preload(libraries, "libcuda-unused.so");
        return true;
    }
    if (libraries->no_driver)
        return hd_fail(err, "%s: calls %s %s", program->path, program->driver_call, driver);
    note("%s: calls %s %s", program->path, program->driver_call, driver);
    return true;
}

bool program_libraries_check(const ProgramFile *program, const char *folder,
                             char preload[PRELOAD_TEXT], HdError *err)
{
    static const char relink[] = "which cannot be replaced; link it with nvcc -cudart shared";
    const char *path = program->path;
    Libraries libraries = {.program = program, .folder = folder, .preload = preload};
    *preload = 0;
    if (!program->elf) return true; // a script may start any program
    if (*program->loader) list(&libraries);
    libraries.runtime |= *program->runtime != 0;
    if (!judge_driver(&libraries, err)) return false;
    if (*libraries.is_static && !libraries.runtime)
        return hd_fail(err, "%s: needs %s, which is linked to the static CUDA runtime, %s", path,
                       libraries.is_static, relink);
    if (*libraries.is_static)
        note("%s: needs %s, which is linked to the static CUDA runtime, %s", path,
             libraries.is_static, relink);
    if (*libraries.brings_kernels)
        note("%s: needs %s, whose kernels are machine code, which Heddle does not run: its calls "
             "will fail", path, libraries.brings_kernels);
    else if (!libraries.runtime && !libraries.driver)
        note("%s: does not use the CUDA runtime itself; only what it starts or opens later can run "
             "on the simulated GPU", path);
    return true;
}
