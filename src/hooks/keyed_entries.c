// Open addressing with linear probing; the table doubles when half of its buckets are used.
#include "hooks/keyed_entries.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 1024 };

static bool allocate(Remembered *r, size_t buckets)
{
    r->keys = hd_new(buckets, sizeof *r->keys);
    r->entries = hd_new(buckets, r->bytes);
    r->mask = buckets - 1;
    r->count = 0;
    if (r->keys && r->entries) return true;
    remembered_free(r);
    return false;
}

bool remembered_init(Remembered *r, size_t bytes)
{
    *r = (Remembered){.bytes = bytes};
    return allocate(r, FIRST_BUCKETS);
}

void remembered_free(Remembered *r)
{
    free(r->keys);
    free(r->entries);
    r->keys = NULL;
    r->entries = NULL;
}

static size_t bucket_of(const Remembered *r, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15); // multiplicative (golden ratio)
    size_t bucket = (size_t)(hash >> 32) & r->mask;
    while (r->keys[bucket] && r->keys[bucket] != key + 1) bucket = (bucket + 1) & r->mask;
    return bucket;
}

static bool grow(Remembered *r)
{
    Remembered larger = {.bytes = r->bytes};
    if (!allocate(&larger, 2 * (r->mask + 1))) return false;
    for (size_t i = 0; i <= r->mask; i++) {
        if (!r->keys[i]) continue;
        size_t bucket = bucket_of(&larger, r->keys[i] - 1);
        larger.keys[bucket] = r->keys[i];
        memcpy(larger.entries + bucket * r->bytes, r->entries + i * r->bytes, r->bytes);
    }
    larger.count = r->count;
    remembered_free(r);
    *r = larger;
    return true;
}

void *remembered_find(Remembered *r, uint64_t key, bool *fresh)
{
    if (r->failed) return NULL;
    size_t bucket = bucket_of(r, key);
    *fresh = !r->keys[bucket];
    if (*fresh) {
        if (2 * r->count > r->mask) {
            if (!grow(r)) {
                r->failed = true;
                return NULL;
            }
            bucket = bucket_of(r, key);
        }
        r->keys[bucket] = key + 1;
        r->count++;
    }
    return r->entries + bucket * r->bytes;
}

void *remembered_get(const Remembered *r, uint64_t key)
{
    size_t bucket = bucket_of(r, key);
    return r->keys[bucket] ? r->entries + bucket * r->bytes : NULL;
}

void remembered_clear(Remembered *r)
{
    if (!r->count) return;
    memset(r->keys, 0, (r->mask + 1) * sizeof *r->keys);
    memset(r->entries, 0, (r->mask + 1) * r->bytes);
    r->count = 0;
}
