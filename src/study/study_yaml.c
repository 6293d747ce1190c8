// Reads mappings and lists of a YAML document into structs.
#include "study/study_yaml.h"

#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 32, MESSAGE = 1024, MOST_PAIRS = 256 };

bool yaml_fail(const YamlFile *file, const yaml_node_t *node, const char *format, ...)
{
    char text[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    number_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return hd_fail_at(file->err, file->path, (int)node->start_mark.line + 1,
                      (int)node->start_mark.column + 1, "%s", text);
}

static bool out_of_memory(const YamlFile *file)
{
    return hd_fail_memory(file->err, "reading a study");
}

// ---- scalars ----

const char *yaml_text(YamlFile *file, yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) {
        yaml_fail(file, node, "expected a text, not a list or keys");
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;
    if (strlen(text) != node->data.scalar.length) {
        yaml_fail(file, node, "expected a text without zero bytes");
        return NULL;
    }
    if (!text_is_plain(text, "\n\t")) {
        yaml_fail(file, node, "expected a text of UTF-8 without control characters");
        return NULL;
    }
    char *copy = hd_arena_text(file->arena, text, node->data.scalar.length);
    if (!copy) out_of_memory(file);
    return copy;
}

// The text of a block begins in a line below its mark, at the first character that is no blank.
static QueryPlace block_place(const YamlFile *file, const yaml_node_t *node)
{
    // The mark counts characters, the text bytes: lines are the same.
    const char *at = file->text, *end = file->text + file->size;
    for (size_t line = 0; at < end && line < node->start_mark.line; at++) line += *at == '\n';
    QueryPlace place = {.name = file->path, .line = (int)node->start_mark.line + 1, .column = 1};
    while (at < end && *at != '\n') at++;
    while (at < end && (*at == '\n' || *at == ' ')) {
        place.column = *at == '\n' ? 1 : place.column + 1;
        place.line += *at == '\n';
        at++;
    }
    place.indent = place.column - 1;
    return place;
}

StudyText yaml_placed(YamlFile *file, yaml_node_t *node, const char *text)
{
    yaml_scalar_style_t style = node->data.scalar.style;
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    bool quoted = style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                  style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    QueryPlace place = {.name = file->path, .line = (int)node->start_mark.line + 1,
                        .column = (int)node->start_mark.column + 1 + quoted};
    return (StudyText){text, block ? block_place(file, node) : place};
}

bool yaml_cell(YamlFile *file, yaml_node_t *node, Cell *cell)
{
    const char *text = yaml_text(file, node);
    char *end;
    if (!text) return false;
    *cell = (Cell){.kind = CELL_TEXT, .text = text};
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !*text) return true;
    if (strspn(text, "-0123456789") == strlen(text) && strlen(text) < 19) {
        long long integer = strtoll(text, &end, 10);
        if (!*end) *cell = (Cell){.kind = CELL_INTEGER, .integer = integer};
    } else if (strspn(text, "-+.0123456789eE") == strlen(text)) {
        double real = number_read(text, &end);
        if (!*end) *cell = (Cell){.kind = CELL_REAL, .real = real};
    }
    return true;
}

static bool read_flag(YamlFile *file, yaml_node_t *node, bool *flag)
{
    static const char *const on[] = {"yes", "true", "on", NULL};
    static const char *const off[] = {"no", "false", "off", NULL};
    const char *text = yaml_text(file, node);
    if (!text) return false;
    *flag = hd_is_among(text, on);
    return *flag || hd_is_among(text, off) || yaml_fail(file, node, "expected yes or no");
}

static bool read_number(YamlFile *file, yaml_node_t *node, double *number)
{
    const char *text = yaml_text(file, node);
    char *end;
    if (!text) return false;
    *number = number_read(text, &end);
    return (end != text && !*end) || yaml_fail(file, node, "expected a number, not '%s'", text);
}

// ---- mappings ----

static bool read_value(YamlFile *file, const Key *key, yaml_node_t *value, char *values)
{
    const char *text;
    if (key->given) *(bool *)(values + key->given) = true;
    switch (key->kind) {
    case KEY_FLAG: return read_flag(file, value, (bool *)(values + key->offset));
    case KEY_NUMBER: return read_number(file, value, (double *)(values + key->offset));
    case KEY_LIST: return true;
    case KEY_TEXT:
    case KEY_PLACED: break;
    }
    text = yaml_text(file, value);
    if (!text) return false;
    if (key->kind == KEY_TEXT) *(const char **)(values + key->offset) = text;
    else *(StudyText *)(values + key->offset) = yaml_placed(file, value, text);
    return true;
}

static bool fail_unknown(YamlFile *file, const Key *keys, yaml_node_t *key, const char *name,
                         const char *what)
{
    const char *names[MOST_KEYS];
    int count = 0;
    while (count < MOST_KEYS && keys[count].name) {
        names[count] = keys[count].name;
        count++;
    }
    const char *near = hd_nearest(name, names, count);
    char all[MESSAGE];
    hd_list_names(all, sizeof all, names, count);
    return near ? yaml_fail(file, key, "there is no key '%s' in %s%s%s%s", name, what,
                            HD_DID_YOU_MEAN(near))
                : yaml_fail(file, key, "there is no key '%s' in %s: expected one of %s", name,
                            what, all);
}

// Reads the pair number `i`, unless its key came before.
static bool read_pair(YamlFile *file, yaml_node_t *mapping, size_t i, const Key *keys,
                      const char *what, OtherKey *other, void *values)
{
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    yaml_node_t *key = yaml_document_get_node(&file->document, pairs[i].key);
    yaml_node_t *value = yaml_document_get_node(&file->document, pairs[i].value);
    const char *name = yaml_text(file, key);
    if (!name) return false;
    for (size_t k = 0; k < i; k++) {
        const yaml_node_t *before = yaml_document_get_node(&file->document, pairs[k].key);
        if (before->type == YAML_SCALAR_NODE &&
            strcmp((const char *)before->data.scalar.value, name) == 0)
            return yaml_fail(file, key, "the key '%s' is there twice", name);
    }
    const Key *row = keys;
    while (row->name && strcmp(row->name, name) != 0) row++;
    if (row->name) return read_value(file, row, value, values);
    return other ? other(file, key, value, values) : fail_unknown(file, keys, key, name, what);
}

bool yaml_read_keys(YamlFile *file, yaml_node_t *mapping, const Key *keys, const char *what,
                    OtherKey *other, void *values)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return yaml_fail(file, mapping, "expected %s with keys", what);
    size_t count = (size_t)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
    if (count > MOST_PAIRS)
        return yaml_fail(file, mapping, "expected at most %d keys", MOST_PAIRS);
    for (size_t i = 0; i < count; i++)
        if (!read_pair(file, mapping, i, keys, what, other, values)) return false;
    for (const Key *key = keys; key->name; key++)
        if (key->required && !yaml_member(file, mapping, key->name))
            return yaml_fail(file, mapping, "%s without '%s'", what, key->name);
    return true;
}

yaml_node_t *yaml_member(YamlFile *file, yaml_node_t *mapping, const char *name)
{
    if (mapping->type != YAML_MAPPING_NODE) return NULL;
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&file->document, pair->key);
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, name) == 0)
            return yaml_document_get_node(&file->document, pair->value);
    }
    return NULL;
}

bool yaml_read_list(YamlFile *file, yaml_node_t *list, ReadItem *read, const char *what,
                    void *values)
{
    if (!list) return true;
    if (list->type != YAML_SEQUENCE_NODE)
        return yaml_fail(file, list, "expected a list of %s", what);
    const yaml_node_item_t *item = list->data.sequence.items.start;
    for (; item < list->data.sequence.items.top; item++)
        if (!read(file, yaml_document_get_node(&file->document, *item), values)) return false;
    return true;
}
