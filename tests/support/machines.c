// Reads the folder of machine files.
#include "machines.h"

#include "scratch.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACHINES = 64 };

static int is_machine_file(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".yaml") == 0;
}

const char *const *machine_names(void)
{
    static const char *names[MOST_MACHINES + 1];
    if (names[0]) return names;
    struct dirent **entries;
    int count = scandir(HEDDLE_MACHINES, &entries, is_machine_file, alphasort);
    assert_in_range(count, 1, MOST_MACHINES);
    for (int i = 0; i < count; i++) {
        *strrchr(entries[i]->d_name, '.') = 0;
        names[i] = entries[i]->d_name;
    }
    free(entries);
    return names;
}
