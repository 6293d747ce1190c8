// Finds mechanisms: the built-in ones (list.h) by name, those of shared objects by path.
#include "mechanisms/mechanism_registry.h"

#include "mechanisms/shared_object.h"

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

const HdMechanism *mechanism_find(const char *name, void **library, HdError *err)
{
    *library = NULL;
    if (strchr(name, '/')) return shared_object_load(name, library, err);
    const char *names[sizeof mechanisms / sizeof *mechanisms];
    char known[1024];
    int count = sizeof mechanisms / sizeof *mechanisms - 1;
    for (size_t i = 0; mechanisms[i]; i++) {
        if (strcmp(mechanisms[i]->name, name) == 0) return mechanisms[i];
        names[i] = mechanisms[i]->name;
    }
    hd_list_names(known, sizeof known, names, count);
    const char *near = hd_nearest(name, names, count);
    hd_fail(err, "there is no mechanism '%s': expected %s, or the path of a shared object "
                 "(./mine.so)%s%s%s%s", name, known, HD_DID_YOU_MEAN(near),
            strchr(name, ',') ? "; several mechanisms are joined by +" : "");
    return NULL;
}
