// What an instrument remembers of each line that it has met: entries by address, which are never
// given up.
#ifndef HEDDLE_HOOKS_REMEMBERED_H
#define HEDDLE_HOOKS_REMEMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Remembered {
    uint64_t *keys; // + 1; 0: a free place
    char *entries;
    size_t bytes;   // of an entry
    size_t mask, count; // places less 1; in use
    bool failed;    // memory is out
} Remembered;

bool remembered_init(Remembered *r, size_t bytes); // false: memory is out
void remembered_free(Remembered *r);
// The entry of a key (not UINT64_MAX), all 0 where there was none (*fresh). NULL: memory is out.
void *remembered_find(Remembered *r, uint64_t key, bool *fresh);

#endif
