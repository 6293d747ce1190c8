// The mechanisms that Heddle comes with (list.h), and those of shared objects.
#include "mechanisms/registry.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MECHANISM(name) extern const HdMechanism mechanism_##name;
#include "mechanisms/list.h"
#undef MECHANISM

const HdMechanism *const mechanisms[] = {
#define MECHANISM(name) &mechanism_##name,
#include "mechanisms/list.h"
#undef MECHANISM
    NULL,
};

static const HdMechanism *load(const char *path, void **library, HdError *err)
{
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        hd_fail(err, "--mechanism %s: %s", path, dlerror());
        return NULL;
    }
    const int *version = dlsym(*library, "hd_mechanism_version");
    const HdMechanism *mechanism = dlsym(*library, "hd_mechanism");
    if (mechanism && version && *version == HD_MECHANISM_VERSION) return mechanism;
    if (!mechanism || !version)
        hd_fail(err, "--mechanism %s: it does not export hd_mechanism and hd_mechanism_version "
                     "(HD_MECHANISM in heddle/mechanism.h does)", path);
    else
        hd_fail(err, "--mechanism %s: it was built for version %d of heddle/mechanism.h, this is "
                     "version %d: build it again", path, *version, HD_MECHANISM_VERSION);
    dlclose(*library);
    *library = NULL;
    return NULL;
}

const HdMechanism *mechanism_find(const char *name, void **library, HdError *err)
{
    *library = NULL;
    if (strchr(name, '/')) return load(name, library, err);
    char known[1024] = "";
    for (size_t i = 0; mechanisms[i]; i++) {
        if (strcmp(mechanisms[i]->name, name) == 0) return mechanisms[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", mechanisms[i]->name);
    }
    hd_fail(err, "there is no mechanism '%s': choose from %s, or give the path of a shared object "
                 "(./mine.so)", name, known);
    return NULL;
}
