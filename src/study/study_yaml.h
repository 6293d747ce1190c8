// Reads mappings and lists of a YAML document into structs, by tables of keys, with places of
// mistakes.
#ifndef HEDDLE_STUDY_STUDY_YAML_H
#define HEDDLE_STUDY_STUDY_YAML_H

#include "study/study.h"

#include <yaml.h>

typedef struct YamlFile {
    const char *path, *text;
    size_t size;
    yaml_document_t document;
    HdArena *arena; // owns all texts that are read
    HdError *err;
} YamlFile;

typedef enum KeyKind {
    KEY_TEXT,   // const char *
    KEY_PLACED, // StudyText
    KEY_FLAG,   // bool: yes, no, true, false, on, off
    KEY_NUMBER, // double
    KEY_LIST,   // the reader's own; no field
} KeyKind;

typedef struct Key {
    const char *name; // NULL ends a table
    KeyKind kind;
    size_t offset; // of the field
    bool required;
    size_t given;  // offset of a bool that tells whether the key was given; 0: none
} Key;

// Reads the keys of a mapping into `values`. what: of the mapping, for messages ("a table"). other:
// called for each key that the table does not have; NULL: such a key is an error. false: the error
// is in file->err.
typedef bool OtherKey(YamlFile *file, yaml_node_t *key, yaml_node_t *value, void *values);
bool yaml_read_keys(YamlFile *file, yaml_node_t *mapping, const Key *keys, const char *what,
                    OtherKey *other, void *values);

// The value of a key of a mapping, or NULL.
yaml_node_t *yaml_member(YamlFile *file, yaml_node_t *mapping, const char *name);

// Calls `read` for each item of a list. A node that is NULL is an empty one.
typedef bool ReadItem(YamlFile *file, yaml_node_t *item, void *values);
bool yaml_read_list(YamlFile *file, yaml_node_t *list, ReadItem *read, const char *what,
                    void *values);

// The scalar's text. NULL and the error: it is none, or out of memory.
const char *yaml_text(YamlFile *file, yaml_node_t *node);
StudyText yaml_placed(YamlFile *file, yaml_node_t *node, const char *text);
// The scalar as a cell: a number if it has no quotes and is one.
bool yaml_cell(YamlFile *file, yaml_node_t *node, Cell *cell);

// An error at the node.
bool yaml_fail(const YamlFile *file, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
