// The table of texture and surface handles. The lower bits of a handle are the number of a row,
// from 1. The upper bits count how often the row has been reused, so that the handle of a destroyed
// texture does not name its successor.
#include "exec/texture_table.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_BITS = 24 };

typedef struct Row {
    PreparedTexture texture;
    uint64_t uses;    // how often the row was used before
    const char *name; // of a texture reference; NULL: a texture or surface object
    bool live;        // the row is in use
    bool bound;       // `texture` is valid; false only for a reference that is not bound
    size_t next_free; // number of the next free row, 0: none
} Row;

struct TextureTable {
    Row *rows;
    size_t count, capacity;
    size_t free; // number of the first free row, 0: none
};

TextureTable *texture_table_new(HdError *err)
{
    TextureTable *table = hd_new(1, sizeof *table);
    if (!table) hd_fail_memory(err, "making a table of textures");
    return table;
}

void texture_table_free(TextureTable *table)
{
    if (!table) return;
    free(table->rows);
    free(table);
}

// ---- checking and completing a texture ----

static bool check_channels(const Texture *t, unsigned *channels, HdError *err)
{
    unsigned count = 0, bits = t->bits[0];
    while (count < 4 && t->bits[count]) count++;
    bool same = count == 1 || count == 2 || count == 4;
    for (unsigned i = 0; i < 4; i++) same &= t->bits[i] == (i < count ? bits : 0);
    bool size = bits == 16 || bits == 32 || (bits == 8 && t->channel != CHANNEL_FLOAT);
    *channels = count;
    if (same && size && t->channel <= CHANNEL_FLOAT) return true;
    return hd_fail(err, "texture channels of %u, %u, %u and %u bits: expected 1, 2 or 4 equal "
                        "channels of 8 (integers only), 16 or 32 bits",
                   t->bits[0], t->bits[1], t->bits[2], t->bits[3]);
}

static TextureRead channel_read(const Texture *t)
{
    bool small = t->bits[0] < 32;
    if (t->channel == CHANNEL_FLOAT) return small ? READ_HALF : READ_BITS;
    if (!small) return READ_BITS;
    if (t->channel == CHANNEL_UNSIGNED)
        return t->normalized_float ? READ_UNIT : READ_UNSIGNED;
    return t->normalized_float ? READ_SIGNED_UNIT : READ_SIGNED;
}

// An axis that the kind does not have is 1 long. Plain memory has no filter and no address modes.
static void complete(PreparedTexture *p)
{
    Texture *t = &p->desc;
    bool rows = t->kind != TEXTURE_LINEAR && t->kind != TEXTURE_1D && t->kind != TEXTURE_LAYERS_1D;
    bool slices = t->kind == TEXTURE_3D || t->kind >= TEXTURE_LAYERS_1D;
    if (!rows || !t->height) t->height = 1;
    if (!slices || !t->depth) t->depth = 1;
    if (!t->pitch) t->pitch = (uint64_t)t->width * p->texel_bytes;
    if (t->kind == TEXTURE_LINEAR) t->linear = t->normalized_coordinates = false;
    for (unsigned i = 0; i < 3; i++) {
        bool folds = t->mode[i] == TEXTURE_WRAP || t->mode[i] == TEXTURE_MIRROR;
        if (t->kind == TEXTURE_LINEAR) t->mode[i] = TEXTURE_BORDER;
        else if (folds && !t->normalized_coordinates) t->mode[i] = TEXTURE_CLAMP;
    }
    for (unsigned i = 0; i < 4 && t->kind == TEXTURE_LINEAR; i++) t->border[i] = 0;
}

static bool prepare(const Texture *texture, PreparedTexture *p, HdError *err)
{
    unsigned channels;
    *p = (PreparedTexture){.desc = *texture};
    const Texture *t = &p->desc;
    if (!check_channels(t, &channels, err)) return false;
    p->channels = (uint8_t)channels;
    p->channel_bytes = t->bits[0] / 8;
    p->texel_bytes = (uint8_t)(p->channels * p->channel_bytes);
    p->read = (uint8_t)channel_read(t);
    p->returns_float = t->channel == CHANNEL_FLOAT || p->read >= READ_UNIT;
    if ((unsigned)t->kind >= TEXTURE_KINDS || !t->width)
        return hd_fail(err, "texture of kind %u, %u texels wide: expected a kind below %u and a "
                            "width of 1 or more",
                       (unsigned)t->kind, t->width, (unsigned)TEXTURE_KINDS);
    for (unsigned i = 0; i < 3; i++)
        if ((unsigned)t->mode[i] > TEXTURE_BORDER)
            return hd_fail(err, "texture address mode %u: expected 0 (wrap), 1 (clamp), 2 (mirror) "
                                "or 3 (border)",
                           (unsigned)t->mode[i]);
    complete(p);
    if (t->linear && !p->returns_float)
        return hd_fail(err, "texture with a linear filter on integer texels: expected texels that "
                            "are read as floats");
    if (t->address % p->texel_bytes || t->pitch % p->texel_bytes)
        return hd_fail(err, "texture at 0x%" PRIx64 " with a pitch of %" PRIu64 " bytes: expected "
                            "multiples of the texel size, %u bytes",
                       t->address, t->pitch, p->texel_bytes);
    bool rows = t->height > 1 || t->depth > 1;
    if (rows && t->pitch < (uint64_t)t->width * p->texel_bytes)
        return hd_fail(err, "texture pitch of %" PRIu64 " bytes with rows of %u texels: expected "
                            "at least %" PRIu64 " bytes",
                       t->pitch, t->width, (uint64_t)t->width * p->texel_bytes);
    return true;
}

// ---- rows ----

static Row *find(const TextureTable *table, uint64_t handle)
{
    size_t row = handle & ((1u << ROW_BITS) - 1);
    if (!row || row > table->count) return NULL;
    Row *found = &table->rows[row - 1];
    return found->live && found->uses == handle >> ROW_BITS ? found : NULL;
}

static Row *new_row(TextureTable *table, uint64_t *handle, HdError *err)
{
    if (!table->free) {
        if ((table->count + 1) >> ROW_BITS ||
            !HD_PUSH(table->rows, table->count, table->capacity, (Row){0})) {
            hd_fail_memory(err, "making a texture");
            return NULL;
        }
        table->free = table->count;
    }
    size_t number = table->free;
    Row *row = &table->rows[number - 1];
    table->free = row->next_free;
    row->live = true;
    row->next_free = 0;
    *handle = row->uses << ROW_BITS | number;
    return row;
}

bool texture_add(TextureTable *table, const Texture *texture, uint64_t *handle, HdError *err)
{
    PreparedTexture prepared;
    if (!prepare(texture, &prepared, err)) return false;
    Row *row = new_row(table, handle, err);
    if (!row) return false;
    row->texture = prepared;
    row->name = NULL;
    row->bound = true;
    return true;
}

bool texture_add_reference(TextureTable *table, const char *name, uint64_t *handle, HdError *err)
{
    Row *row = new_row(table, handle, err);
    if (!row) return false;
    row->name = name;
    row->bound = false;
    return true;
}

bool texture_bind(TextureTable *table, uint64_t handle, const Texture *texture, HdError *err)
{
    PreparedTexture prepared = {0};
    Row *row = find(table, handle);
    if (!row || !row->name)
        return hd_fail(err, "handle 0x%" PRIx64 ": expected a texture or surface reference of a "
                            "loaded module", handle);
    if (texture && !prepare(texture, &prepared, err)) return false;
    row->texture = prepared;
    row->bound = texture != NULL;
    return true;
}

bool texture_remove(TextureTable *table, uint64_t handle)
{
    Row *row = find(table, handle);
    if (!row || row->name) return false;
    row->live = row->bound = false;
    row->uses++;
    row->next_free = table->free;
    table->free = (size_t)(row - table->rows) + 1;
    return true;
}

const PreparedTexture *texture_lookup_prepared(const TextureTable *table, uint64_t handle)
{
    const Row *row = table ? find(table, handle) : NULL;
    return row && row->bound ? &row->texture : NULL;
}

const Texture *texture_lookup(const TextureTable *table, uint64_t handle)
{
    const PreparedTexture *prepared = texture_lookup_prepared(table, handle);
    return prepared ? &prepared->desc : NULL;
}

void texture_describe_missing(const TextureTable *table, uint64_t handle, char *text, size_t size)
{
    const Row *row = table ? find(table, handle) : NULL;
    if (row && row->bound)
        snprintf(text, size, "handle 0x%" PRIx64 " is a %s: expected a %s", handle,
                 row->texture.desc.surface ? "surface" : "texture",
                 row->texture.desc.surface ? "texture" : "surface");
    else if (row && row->name)
        snprintf(text, size, "texture or surface reference '%s' is not bound: expected a bind "
                             "before its use",
                 row->name);
    else
        snprintf(text, size, "handle 0x%" PRIx64 ": expected a texture or surface that was "
                             "created and not destroyed",
                 handle);
}
