// The state of a Config, which the files of src/config share.
#ifndef HEDDLE_CONFIG_STATE_H
#define HEDDLE_CONFIG_STATE_H

#include "base/memory.h"
#include "config/config.h"

// The origin of a parameter's value. Sources (files and --set) are numbered from 1 in the order in
// which they were applied; 0 is the table's default.
typedef struct ParameterState {
    const char *origin; // "file:line" or the name of the --set; NULL: default
    unsigned source;
} ParameterState;

struct Config {
    const ConfigSchema *schema;
    ConfigSection *sections; // copies: the schema's, then more; ends with a NULL name
    size_t section_count, schema_sections; // all; the schema's
    unsigned char *target;   // the schema's target, behind it the structs of the other sections
    size_t parameter_count;
    size_t *first;     // by section: the number of its first parameter
    ParameterState *states; // by parameter number
    unsigned sources;
    const char **optional; // names of sections that may be missing; in `texts`
    size_t optional_count, optional_capacity;
    const char *name, *description;
    const char **files; // that were read; in `texts`
    size_t file_count, file_capacity;
    const char **warnings; // parameter_count elements
    HdArena texts, warning_texts;
};

// A parameter by the index of its section and its index there.
typedef struct ParameterId {
    size_t section, key;
} ParameterId;

// NULL behind the section's last key.
const char *config_key_name(const Config *config, ParameterId id);
size_t config_parameter_number(const Config *config, ParameterId id);

// The section's or key's index; false: there is none.
bool config_find_section(const Config *config, const char *name, size_t *section);
bool config_find_key(const Config *config, size_t section, const char *key, size_t *found);

// Lets a section of this name be missing. false: out of memory.
bool config_add_optional(Config *config, const char *name, size_t length);
bool config_is_optional(const Config *config, const char *name);

// Parses text into the parameter. On failure the parameter is unchanged, and err is
// "section.key = text: expected ...", without a place.
bool config_assign(Config *config, ParameterId id, const char *text, HdError *err);

// Reads one machine file, its bases first, into config: read_yaml.c.
bool config_read_yaml(Config *config, const char *path, const char *const *directories,
                      HdError *err);

// The path of machine `name`: find_machine.c. A name with a slash or ending in .yaml is a path,
// relative to the folder of `from` (NULL: the current one); other names are DIRECTORY/name.yaml.
// The text lives in `arena`. NULL and err if no such file exists.
char *config_find_file(const char *name, const char *from, const char *const *directories,
                       HdArena *arena, HdError *err);

#endif
