// Entries by address: open addressing, twice as many places where half of them are taken.
#include "hooks/remembered.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_PLACES = 1024 };

static bool allocate(Remembered *r, size_t places)
{
    r->keys = hd_new(places, sizeof *r->keys);
    r->entries = hd_new(places, r->bytes);
    r->mask = places - 1;
    r->count = 0;
    if (r->keys && r->entries) return true;
    remembered_free(r);
    return false;
}

bool remembered_init(Remembered *r, size_t bytes)
{
    *r = (Remembered){.bytes = bytes};
    return allocate(r, FIRST_PLACES);
}

void remembered_free(Remembered *r)
{
    free(r->keys);
    free(r->entries);
    r->keys = NULL;
    r->entries = NULL;
}

static size_t place_of(const Remembered *r, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15); // by the golden ratio
    size_t place = (size_t)(hash >> 32) & r->mask;
    while (r->keys[place] && r->keys[place] != key + 1) place = (place + 1) & r->mask;
    return place;
}

static bool grow(Remembered *r)
{
    Remembered larger = {.bytes = r->bytes};
    if (!allocate(&larger, 2 * (r->mask + 1))) return false;
    for (size_t i = 0; i <= r->mask; i++) {
        if (!r->keys[i]) continue;
        size_t place = place_of(&larger, r->keys[i] - 1);
        larger.keys[place] = r->keys[i];
        memcpy(larger.entries + place * r->bytes, r->entries + i * r->bytes, r->bytes);
    }
    larger.count = r->count;
    remembered_free(r);
    *r = larger;
    return true;
}

void *remembered_find(Remembered *r, uint64_t key, bool *fresh)
{
    if (r->failed) return NULL;
    size_t place = place_of(r, key);
    *fresh = !r->keys[place];
    if (*fresh) {
        if (2 * r->count > r->mask) {
            if (!grow(r)) {
                r->failed = true;
                return NULL;
            }
            place = place_of(r, key);
        }
        r->keys[place] = key + 1;
        r->count++;
    }
    return r->entries + place * r->bytes;
}
