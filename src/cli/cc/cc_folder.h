// The folder of one compilation's intermediate files.
#ifndef HEDDLE_CLI_CC_CC_FOLDER_H
#define HEDDLE_CLI_CC_CC_FOLDER_H

#include "base/fail.h"

typedef struct CcFolder {
    char path[64]; // "": not made
    int lock;
} CcFolder;

// Makes the folder in $TMPDIR or /tmp, after removing folders that killed compilations of this user
// left there.
bool cc_folder_make(CcFolder *folder, HdError *err);
// Removes it with its files.
void cc_folder_remove(CcFolder *folder);

#endif
