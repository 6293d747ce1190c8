// What a Config holds, and what the reader of machine files needs of it. Internal to src/config.
#ifndef HEDDLE_CONFIG_STATE_H
#define HEDDLE_CONFIG_STATE_H

#include "base/memory.h"
#include "config/config.h"

// Where a knob's value came from. Sources (files and --set) count up from 1 in the order in which
// they were applied; 0 is the table's default.
typedef struct KnobState {
    const char *origin; // "file:line" or the name of the --set; NULL: default
    unsigned source;
} KnobState;

// Sections are counted through: those of the schema, then those of mechanisms.
struct Config {
    const ConfigSchema *schema;
    unsigned char *target;
    size_t schema_sections;      // of the schema
    ParameterSection *mechanisms; // a copy
    double *numbers;             // values of their parameters, by knob number
    size_t section_count, knob_count;
    size_t *first;     // of each section: the number of its first knob
    KnobState *states; // by knob number
    unsigned sources;
    const char *name, *description;
    const char **files; // that were read; in `texts`
    size_t file_count, file_capacity;
    const char **warnings; // knob_count places
    HdArena texts, warning_texts;
};

// A knob by section and key number, as the search functions below give them.
typedef struct KnobId {
    size_t section, key;
} KnobId;

const char *config_section_name(const Config *config, size_t section);
// NULL behind the section's last key.
const char *config_key_name(const Config *config, KnobId id);
// Of a section of the schema.
const Knob *config_knob(const Config *config, KnobId id);
size_t config_knob_number(const Config *config, KnobId id);

// The section's or key's number; false where there is none.
bool config_find_section(const Config *config, const char *name, size_t *section);
bool config_find_key(const Config *config, size_t section, const char *key, size_t *found);

// Parses text into the knob. err without a place (knob_parse); the knob is unchanged then.
bool config_assign(Config *config, KnobId id, const char *text, HdError *err);

// Reads one machine file (and first its bases) into config: read_yaml.c.
bool config_read_yaml(Config *config, const char *path, const char *const *directories,
                      HdError *err);

// The path of machine `name`: find_machine.c. A name with a slash or ending in .yaml is a path,
// relative to the folder of `from` (NULL: the current one); others are DIRECTORY/name.yaml. NULL
// and err where there is none; the text lives in `arena`.
char *config_find_file(const char *name, const char *from, const char *const *directories,
                       HdArena *arena, HdError *err);

#endif
