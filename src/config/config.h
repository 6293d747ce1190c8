// Parameters: a section is a list of named values with types, bounds and defaults. A module
// declares a section for its own struct. A machine file (YAML), `--set section.key=value` and the
// defaults fill the structs. A mistake is reported with file, line, column and the nearest key.
#ifndef HEDDLE_CONFIG_CONFIG_H
#define HEDDLE_CONFIG_CONFIG_H

#include "base/fail.h"
#include "config/parameter.h"

#include <jansson.h>
#include <stddef.h>

// The most bytes of a file of parameters. Long texts take libyaml much time.
enum { CONFIG_FILE_LIMIT = 1 << 20 };

// A section: its parameters, and where its struct lies in the target. A parameter's name is its key
// ("size" of section "l1d" is "l1d.size").
typedef struct ConfigSection {
    const char *name;
    const HdParameter *parameters; // ends with a NULL name; NULL: none
    size_t offset;
    const char *description;
} ConfigSection;

typedef struct ConfigSchema {
    const ConfigSection *sections; // ends with a NULL name
    size_t target_size;
} ConfigSchema;

// A target being filled, and the origin of each value.
typedef struct Config Config;

// A new configuration with every parameter at its default. NULL and err on failure (also if a table
// contradicts itself). Free with config_free.
Config *config_new(const ConfigSchema *schema, HdError *err);
// The same with `count` more sections, whose structs are not part of the target
// (config_section_values). Copies the sections; their lists must outlive the configuration.
Config *config_new_with(const ConfigSchema *schema, const ConfigSection *more, size_t count,
                        HdError *err);
void config_free(Config *config);

// Reads a machine file. Its first key may be `base: NAME`, which reads that machine before, so that
// a file may hold only differences; `name` and `description` are kept as texts. A section named in
// `optional: [NAME, ...]` is skipped if the configuration has no such section. Names of machines
// are looked up in `directories` (NULL-terminated) as NAME.yaml; a name with a slash or ending in
// .yaml is a path (of a base: relative to the file that names it). After a failure part of the file
// may be applied.
bool config_load(Config *config, const char *name_or_path, const char *const *directories,
                 HdError *err);

typedef struct ConfigText {
    const char *bytes;
    size_t size;
} ConfigText;
// The same for the text of a machine file; `name` is used as its path.
bool config_read_text(Config *config, const char *name, ConfigText text,
                      const char *const *directories, HdError *err);

// Applies one "section.key=value", or "optional=NAME,NAME" as in a machine file. `origin` names the
// source in messages ("--set").
bool config_set(Config *config, const char *assignment, const char *origin, HdError *err);

// Assignments "section.key=value", and where each comes from.
typedef struct ConfigAssignments {
    const char *const *texts;   // NULL-terminated; NULL: none
    const char *const *origins; // for messages, "heddle.yaml:3:5"; may end before the texts, or be
                                // NULL: from then on "--set"
} ConfigAssignments;

// Reads a machine file (NULL: none), then applies the assignments (may be NULL). `optional=` among
// them holds for the file too.
bool config_read(Config *config, const char *name_or_path, const char *const *directories,
                 const ConfigAssignments *set, HdError *err);

// The filled struct (schema->target_size bytes), owned by config.
const void *config_target(const Config *config);

// All sections: the schema's, then more; ends with a NULL name. Owned by config.
const ConfigSection *config_sections(const Config *config);
// The struct of a section, owned by config; NULL if there is no such section.
const void *config_section_values(const Config *config, const char *name);

// Paths of the machine files that were read, with bases, also if reading one of them failed.
const char *const *config_files(const Config *config, size_t *count);

// name: of the machine (the file's `name`, or the file name); description: may be "".
const char *config_name(const Config *config);
const char *config_description(const Config *config);

// Warnings: parameters that were set but have no effect (`when`), unless a later file or --set
// changed the parameter that they depend on. Returns how many; texts[i] is owned by config until
// the next call.
int config_warnings(Config *config, const char *const **texts);

// "file:line" where the parameter got its value, "default", or the --set origin. For machine show.
const char *config_origin(const Config *config, const char *section, const char *key);

// Appends a line "origin: section.key: value" to a message for each parameter that it names: as
// "section.key", or as "key" if the message begins with the section's name.
void config_append_origins(const Config *config, HdError *err);
// The same for a message about one section, by key, without the keys that have their defaults.
void config_append_section_origins(const Config *config, const char *section, HdError *err);

// The value in machine-file syntax, written to text (size bytes).
void config_value_text(const Config *config, const ConfigSection *section,
                       const HdParameter *parameter, char *text, size_t size);

// All values of the schema's sections as {"section": {"key": value, ...}, ...}: numbers in base
// units (bytes, kHz, ns), choices, words and texts as strings. Without the sections that describe
// nothing (HdParameter.absent). NULL if out of memory.
json_t *config_json(const Config *config);

#endif
