// Handles and what they stand for. A handle is the number of a row, from 1, and in its upper bits
// how often the row has been used: that of a destroyed texture does not stand for the next one.
#include "exec/texture_table.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_BITS = 24 };

typedef struct Row {
    PreparedTexture texture;
    uint64_t uses;    // before this one
    const char *name; // of a reference, else NULL
    bool live;        // the handle is given out
    bool bound;       // the handle belongs to a texture
    size_t next_free; // + 1
} Row;

struct TextureTable {
    Row *rows;
    size_t count, capacity;
    size_t free; // + 1: the row to use next; 0: a new one
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

// ---- what a texture can be ----

static bool check_channels(const Texture *t, unsigned *channels, HdError *err)
{
    unsigned count = 0, bits = t->bits[0];
    while (count < 4 && t->bits[count]) count++;
    bool same = count == 1 || count == 2 || count == 4;
    for (unsigned i = 0; i < 4; i++) same &= t->bits[i] == (i < count ? bits : 0);
    bool size = bits == 16 || bits == 32 || (bits == 8 && t->channel != CHANNEL_FLOAT);
    *channels = count;
    if (same && size && t->channel <= CHANNEL_FLOAT) return true;
    return hd_fail(err, "a texel of channels of %u, %u, %u and %u bits is not possible; 1, 2 or 4 "
                        "channels of 8 (whole numbers), 16 or 32 bits are",
                   t->bits[0], t->bits[1], t->bits[2], t->bits[3]);
}

static TextureRead how_to_read(const Texture *t)
{
    bool small = t->bits[0] < 32;
    if (t->channel == CHANNEL_FLOAT) return small ? READ_HALF : READ_BITS;
    if (!small) return READ_BITS;
    if (t->channel == CHANNEL_UNSIGNED)
        return t->normalized_float ? READ_UNIT : READ_UNSIGNED;
    return t->normalized_float ? READ_SIGNED_UNIT : READ_SIGNED;
}

// The axes that the kind does not have are 1 long; plain memory has neither filter nor modes.
static void complete(PreparedTexture *p)
{
    Texture *t = &p->is;
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
    *p = (PreparedTexture){.is = *texture};
    const Texture *t = &p->is;
    if (!check_channels(t, &channels, err)) return false;
    p->channels = (uint8_t)channels;
    p->channel_bytes = t->bits[0] / 8;
    p->texel_bytes = (uint8_t)(p->channels * p->channel_bytes);
    p->read = (uint8_t)how_to_read(t);
    p->gives_float = t->channel == CHANNEL_FLOAT || p->read >= READ_UNIT;
    if ((unsigned)t->kind >= TEXTURE_KINDS || !t->width)
        return hd_fail(err, "a texture of kind %u, %u texels wide, is not possible",
                       (unsigned)t->kind, t->width);
    for (unsigned i = 0; i < 3; i++)
        if ((unsigned)t->mode[i] > TEXTURE_BORDER)
            return hd_fail(err, "a texture has no address mode %u; 0 wrap, 1 clamp, 2 mirror and "
                                "3 border are",
                           (unsigned)t->mode[i]);
    complete(p);
    if (t->linear && !p->gives_float)
        return hd_fail(err, "a linear filter needs texels that are read as floats");
    if (t->address % p->texel_bytes || t->pitch % p->texel_bytes)
        return hd_fail(err, "a texture at 0x%" PRIx64 " with rows of %" PRIu64 " bytes: both must "
                            "be multiples of the texel's %u bytes",
                       t->address, t->pitch, p->texel_bytes);
    bool rows = t->height > 1 || t->depth > 1;
    if (rows && t->pitch < (uint64_t)t->width * p->texel_bytes)
        return hd_fail(err, "a texture's rows of %u texels do not fit into a pitch of %" PRIu64
                            " bytes",
                       t->width, t->pitch);
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
        return hd_fail(err, "0x%" PRIx64 " is no texture or surface reference of a loaded "
                            "module", handle);
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
    return prepared ? &prepared->is : NULL;
}

void texture_describe_missing(const TextureTable *table, uint64_t handle, char *text, size_t size)
{
    const Row *row = table ? find(table, handle) : NULL;
    if (row && row->bound)
        snprintf(text, size, "0x%" PRIx64 " stands for a %s, and is used as a %s", handle,
                 row->texture.is.surface ? "surface" : "texture",
                 row->texture.is.surface ? "texture" : "surface");
    else if (row && row->name)
        snprintf(text, size, "the texture or surface reference '%s' is bound to nothing",
                 row->name);
    else
        snprintf(text, size, "0x%" PRIx64 " is no texture or surface object: it was never made, or "
                             "has been destroyed",
                 handle);
}
