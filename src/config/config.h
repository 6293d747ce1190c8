// Machine parameters: each module declares a table of knobs for its own struct; a machine file
// (YAML), `--set key=value` and the tables' defaults fill the structs, with every mistake reported
// by file, line, column and the nearest right key.
#ifndef HEDDLE_CONFIG_CONFIG_H
#define HEDDLE_CONFIG_CONFIG_H

#include "base/error.h"
#include "heddle/mechanism.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

typedef enum KnobType {
    KNOB_COUNT,     // uint32_t; plain integer, or the word choices[0] (KNOB_WORD)
    KNOB_BYTES,     // uint64_t; needs a unit: B, KiB, MiB, GiB (0 may stand alone)
    KNOB_FREQUENCY, // uint64_t kHz; needs a unit: kHz, MHz, GHz (decimals allowed)
    KNOB_SWITCH,    // bool; true/false, yes/no, on/off
    KNOB_CHOICE,    // uint32_t index into `choices`
    KNOB_TEXT,      // char[KNOB_TEXT_SIZE], zero-terminated
} KnobType;

enum { KNOB_TEXT_SIZE = 256 };
// What the word of a COUNT stands for; `max` is below it.
#define KNOB_WORD UINT32_MAX

// One parameter. `key` is the name inside its section ("size" of section "l1d" is "l1d.size").
typedef struct Knob {
    const char *key;
    KnobType type;
    size_t offset;              // in the section's struct
    const char *value;         // default, in the syntax of a machine file
    uint64_t min, max;         // inclusive range for COUNT, BYTES (bytes), FREQUENCY (kHz)
    const char *const *choices; // KNOB_CHOICE, or NULL: NULL-terminated
    const char *unit;           // what the number counts: "cycles", "entries", ...; may be NULL
    const char *when;           // "key=value" of this section without which the knob has no
                                // effect (setting it anyway is a warning); NULL: always read
    const char *doc;            // one line
} Knob;

// A section of the machine file: a knob table and where its struct lies in the target.
typedef struct ConfigSection {
    const char *name;
    const Knob *knobs; // ends with a NULL key
    size_t offset;
    const char *doc;
} ConfigSection;

typedef struct ConfigSchema {
    const ConfigSection *sections; // ends with a NULL name
    size_t target_size;
} ConfigSchema;

// A section for the parameters of a mechanism, whose values are not in the target.
typedef struct ParameterSection {
    const char *name, *doc;
    const HdParameter *parameters; // ends with a NULL name; may be NULL
} ParameterSection;

// A target being filled, and where each value came from.
typedef struct Config Config;

// A new configuration with every knob at its default. NULL and err on failure (a default that its
// own table refuses is a failure too). Free with config_free.
Config *config_new(const ConfigSchema *schema, HdError *err);
// The same with sections for mechanisms behind the schema's; what they point to outlives it.
Config *config_new_with(const ConfigSchema *schema, const ParameterSection *mechanisms,
                        size_t count, HdError *err);
void config_free(Config *config);

// Reads a machine file. A first key `base: NAME` reads that machine before, so a file may hold
// only differences; `name` and `description` are kept as texts. Names are looked up in
// `directories` (NULL-terminated) as NAME.yaml; a name with a slash or ending in .yaml is a path
// (of a base: relative to the file that names it). After a failure part of the file may be applied.
bool config_load(Config *config, const char *name_or_path, const char *const *directories,
                 HdError *err);

// Applies one "section.key=value". `origin` names the source in messages ("--set").
bool config_set(Config *config, const char *assignment, const char *origin, HdError *err);

// The filled struct (schema->target_size bytes), owned by config.
const void *config_target(const Config *config);
void *config_target_mutable(Config *config);

// The mechanisms' sections; and of a parameter of one, by their numbers: was it set, and its value.
const ParameterSection *config_mechanisms(const Config *config, size_t *count);
bool config_parameter_set(const Config *config, size_t mechanism, size_t parameter);
double config_parameter(const Config *config, size_t mechanism, size_t parameter);

// Paths of the machine files that were read, bases too, also where reading one of them failed.
const char *const *config_files(const Config *config, size_t *count);

// name: of the machine (the file's `name`, or the file name); description: may be "".
const char *config_name(const Config *config);
const char *config_description(const Config *config);

// Warnings: knobs that were set but have no effect (`when`), unless a later file or --set changed
// what they depend on. Returns how many; texts[i] is owned by config until the next call.
int config_warnings(Config *config, const char *const **texts);

// "file:line" where the knob got its value, "default", or the --set origin. For machine show.
const char *config_origin(const Config *config, const char *section, const char *key);

// Appends to a message about a configuration that cannot be, for every parameter that it names, a
// line "origin: section.key: value".
void config_append_origins(const Config *config, HdError *err);

// The value in machine-file syntax, written to text (size bytes).
void config_value_text(const Config *config, const ConfigSection *section, const Knob *knob,
                       char *text, size_t size);

// All resolved parameters but mechanisms' as {"section": {"key": value, ...}, ...}: numbers in base
// units (bytes, kHz), choices, words and texts as strings. NULL where memory is out.
json_t *config_json(const Config *config);

#endif
