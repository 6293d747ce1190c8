// A folder of temporary files on this host's own disk, locked as base/temporary.h says.
#ifndef HEDDLE_BASE_TEMPORARY_FOLDER_H
#define HEDDLE_BASE_TEMPORARY_FOLDER_H

#include "base/fail.h"

#include <limits.h>

typedef struct TemporaryFolder {
    char path[PATH_MAX]; // "": not made
    int lock;
} TemporaryFolder;

// Makes a folder "PREFIXxxxxxx" in $TMPDIR or /tmp, after removing those of this prefix that killed
// processes of this user left there. prefix: such as "heddle-cc-". false and err: it cannot be
// made.
bool temporary_folder_make(TemporaryFolder *folder, const char *prefix, HdError *err);
// Removes it with its files. A folder that was not made is allowed.
void temporary_folder_remove(TemporaryFolder *folder);

#endif
