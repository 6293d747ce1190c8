// Opens shared libraries: see library.h.
#include "device/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *library_open(const char *const *files, const char *const *names, size_t count,
                   void *functions, HdError *err)
{
    void *library = NULL;
    char why[512] = ""; // for the first file, the usual one
    for (; *files && !library; files++) {
        library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
        const char *text = library ? NULL : dlerror();
        if (text && !*why) snprintf(why, sizeof why, "%s", text);
    }
    if (!library) {
        hd_fail(err, "%s", why);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, names[i]);
        if (!symbol) {
            hd_fail(err, "%s: has no function %s", files[-1], names[i]);
            library_close(library);
            return NULL;
        }
        // ISO C does not convert an object pointer to a function pointer; in POSIX they have the
        // same representation.
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return library;
}

void library_close(void *library)
{
    if (library) dlclose(library);
}
