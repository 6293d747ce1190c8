// A configuration: knob tables, the struct that they fill, and where each value came from.
#include "config/config.h"
#include "config/state.h"
#include "config/value.h"
#include "hooks/parameter.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The section as that of a mechanism; NULL: it is one of the schema.
static const ParameterSection *mechanism_of(const Config *config, size_t section)
{
    size_t own = config->schema_sections;
    return section < own ? NULL : &config->mechanisms[section - own];
}

const char *config_section_name(const Config *config, size_t section)
{
    const ParameterSection *mechanism = mechanism_of(config, section);
    return mechanism ? mechanism->name : config->schema->sections[section].name;
}

const char *config_key_name(const Config *config, KnobId id)
{
    const ParameterSection *mechanism = mechanism_of(config, id.section);
    if (!mechanism) return config_knob(config, id)->key;
    return mechanism->parameters ? mechanism->parameters[id.key].name : NULL;
}

const Knob *config_knob(const Config *config, KnobId id)
{
    return &config->schema->sections[id.section].knobs[id.key];
}

size_t config_knob_number(const Config *config, KnobId id)
{
    return config->first[id.section] + id.key;
}

static void *field_of(const Config *config, const ConfigSection *section, const Knob *knob)
{
    return config->target + section->offset + knob->offset;
}

bool config_find_section(const Config *config, const char *name, size_t *section)
{
    for (size_t s = 0; s < config->section_count; s++) {
        if (strcmp(config_section_name(config, s), name) != 0) continue;
        *section = s;
        return true;
    }
    return false;
}

bool config_find_key(const Config *config, size_t section, const char *key, size_t *found)
{
    const char *name;
    for (size_t k = 0; (name = config_key_name(config, (KnobId){section, k})); k++) {
        if (strcmp(name, key) != 0) continue;
        *found = k;
        return true;
    }
    return false;
}

bool config_assign(Config *config, KnobId id, const char *text, HdError *err)
{
    const ParameterSection *mechanism = mechanism_of(config, id.section);
    if (mechanism)
        return parameter_read(&mechanism->parameters[id.key], text,
                              &config->numbers[config_knob_number(config, id)], err);
    const ConfigSection *section = &config->schema->sections[id.section];
    const Knob *knob = &section->knobs[id.key];
    return knob_parse(knob, text, field_of(config, section, knob), err);
}

static void value_text(const Config *config, KnobId id, char *text, size_t size)
{
    const ParameterSection *mechanism = mechanism_of(config, id.section);
    const ConfigSection *section = config->schema->sections;
    if (mechanism)
        parameter_text(&mechanism->parameters[id.key],
                       config->numbers[config_knob_number(config, id)], text, size);
    else
        config_value_text(config, &section[id.section], config_knob(config, id), text, size);
}

// ---- the tables themselves ----

// Splits a knob's `when`: the knob that it names, and the value as text. false: there is none.
static bool find_condition(const Config *config, size_t section, const Knob *knob, size_t *key,
                           const char **value)
{
    char name[64];
    const char *equals = strchr(knob->when, '=');
    if (!equals || (size_t)(equals - knob->when) >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)(equals - knob->when), knob->when);
    *value = equals + 1;
    return config_find_key(config, section, name, key);
}

// Room for a value of any type.
typedef union AnyValue {
    uint64_t number;
    char text[KNOB_TEXT_SIZE];
} AnyValue;

static bool check_knob(const Config *config, size_t s, const Knob *knob, HdError *err)
{
    const ConfigSection *section = &config->schema->sections[s];
    const char *wrong = NULL;
    if (section->offset + knob->offset + knob_size(knob->type) > config->schema->target_size)
        wrong = "lies outside the target";
    else if (!knob->value)
        wrong = "has no default";
    else if (knob->type == KNOB_CHOICE && !knob->choices)
        wrong = "has no choices";
    else if (knob->min > knob->max ||
             (knob->type == KNOB_COUNT && knob->max > UINT32_MAX - (knob->choices != NULL)))
        wrong = "has an impossible range";
    else if (knob->when) {
        size_t key;
        const char *value;
        AnyValue scratch;
        if (!find_condition(config, s, knob, &key, &value) ||
            !knob_parse(&section->knobs[key], value, &scratch, NULL))
            wrong = "depends on something that its section does not have";
    }
    return !wrong || hd_fail(err, "knob table: %s.%s %s", section->name, knob->key, wrong);
}

// Mechanisms may not have the names of what stands in a machine file besides.
static bool check_mechanism(const Config *config, size_t section, HdError *err)
{
    static const char *const words[] = {"base", "name", "description"};
    const char *name = config_section_name(config, section);
    size_t first;
    bool taken = config_find_section(config, name, &first) && first < section;
    for (size_t i = 0; i < 3; i++) taken |= strcmp(name, words[i]) == 0;
    return !taken || hd_fail(err, "a mechanism cannot be called '%s': in a machine file that is "
                                  "something else", name);
}

static bool set_mechanism_defaults(Config *config, HdError *err)
{
    for (size_t s = config->schema_sections; s < config->section_count; s++) {
        const HdParameter *parameters = mechanism_of(config, s)->parameters;
        if (!check_mechanism(config, s, err)) return false;
        for (size_t k = 0; k < parameter_count(parameters); k++)
            config->numbers[config_knob_number(config, (KnobId){s, k})] = parameters[k].value;
    }
    return true;
}

// Checks every knob's row and sets its default.
static bool set_defaults(Config *config, HdError *err)
{
    for (size_t s = 0; s < config->schema_sections; s++) {
        const ConfigSection *section = &config->schema->sections[s];
        for (size_t k = 0; section->knobs[k].key; k++) {
            HdError why;
            if (!check_knob(config, s, &section->knobs[k], err)) return false;
            if (!config_assign(config, (KnobId){s, k}, section->knobs[k].value, &why))
                return hd_fail(err, "knob table: default of %s.%s: %s", section->name,
                               section->knobs[k].key, why.text);
        }
    }
    return true;
}

// Room for what the sections hold. false: memory is out.
static bool make_room(Config *config, const ParameterSection *mechanisms, size_t count)
{
    config->section_count = config->schema_sections + count;
    config->target = hd_new(1, config->schema->target_size);
    config->first = hd_new(config->section_count + 1, sizeof *config->first);
    config->mechanisms = hd_new(count + 1, sizeof *mechanisms);
    if (!config->target || !config->first || !config->mechanisms) return false;
    if (count) memcpy(config->mechanisms, mechanisms, count * sizeof *mechanisms);
    for (size_t s = 0; s < config->section_count; s++) {
        config->first[s] = config->knob_count;
        for (KnobId id = {s, 0}; config_key_name(config, id); id.key++) config->knob_count++;
    }
    config->numbers = hd_new(config->knob_count + 1, sizeof *config->numbers);
    config->states = hd_new(config->knob_count + 1, sizeof *config->states);
    config->warnings = hd_new(config->knob_count + 1, sizeof *config->warnings);
    return config->numbers && config->states && config->warnings;
}

Config *config_new_with(const ConfigSchema *schema, const ParameterSection *mechanisms,
                        size_t count, HdError *err)
{
    Config *config = hd_new(1, sizeof *config);
    if (!config) {
        hd_fail_memory(err, "making a configuration");
        return NULL;
    }
    config->schema = schema;
    config->name = config->description = "";
    while (schema->sections[config->schema_sections].name) config->schema_sections++;
    bool ok = make_room(config, mechanisms, count);
    if (!ok) hd_fail_memory(err, "making a configuration");
    if (ok && set_defaults(config, err) && set_mechanism_defaults(config, err)) return config;
    config_free(config);
    return NULL;
}

Config *config_new(const ConfigSchema *schema, HdError *err)
{
    return config_new_with(schema, NULL, 0, err);
}

void config_free(Config *config)
{
    if (!config) return;
    hd_arena_free(&config->texts);
    hd_arena_free(&config->warning_texts);
    free(config->files);
    free(config->target);
    free(config->mechanisms);
    free(config->numbers);
    free(config->first);
    free(config->states);
    free(config->warnings);
    free(config);
}

// ---- filling it ----

bool config_load(Config *config, const char *name_or_path, const char *const *directories,
                 HdError *err)
{
    char *path = config_find_file(name_or_path, NULL, directories, &config->texts, err);
    return path && config_read_yaml(config, path, directories, err);
}

// "SECTION.KEY" that is nearest to name; NULL: none is near. It lives in the arena. Where there is
// such a section (else it is behind the last), of all keys only its own count.
static const char *nearest_knob(const Config *config, const char *name, size_t section,
                                HdArena *arena)
{
    bool all = section == config->section_count;
    const char **names = hd_new(config->knob_count, sizeof *names), *key;
    size_t count = 0, start = all ? 0 : strcspn(name, ".") + 1;
    for (size_t s = all ? 0 : section; names && s < (all ? section : section + 1); s++)
        for (size_t k = 0; (key = config_key_name(config, (KnobId){s, k})); k++) {
            size_t size = strlen(config_section_name(config, s)) + strlen(key) + 2;
            char *full = hd_arena_new(arena, size);
            if (!full) continue; // one suggestion less
            snprintf(full, size, "%s.%s", config_section_name(config, s), key);
            names[count++] = full + start;
        }
    const char *near = names ? hd_nearest(name + start, names, (int)count) : NULL;
    free(names);
    return near ? near - start : NULL;
}

// What the mechanism has, of which the parameter is not.
static bool fail_unknown_parameter(const ParameterSection *mechanism, const char *name,
                                   const char *origin, HdError *err)
{
    char known[512] = "";
    const HdParameter *p = mechanism->parameters;
    for (size_t i = 0; i < parameter_count(p); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", p[i].name);
    }
    return hd_fail(err, "%s: there is no parameter '%s'; %s has %s (heddle mechanism describe %s)",
                   origin, name, mechanism->name, *known ? known : "none", mechanism->name);
}

// The message for a --set whose name is not that of a knob. section: that of the name; where there
// is no such section, that behind the last.
static bool fail_unknown_name(const Config *config, const char *name, size_t section,
                              const char *origin, HdError *err)
{
    HdArena arena = {0};
    bool known = section < config->section_count;
    const ParameterSection *mechanism = known ? mechanism_of(config, section) : NULL;
    const char *near = nearest_knob(config, name, section, &arena);
    if (!near && !mechanism) near = nearest_knob(config, name, config->section_count, &arena);
    if (near)
        hd_fail(err, "%s: there is no parameter '%s'; did you mean '%s'?", origin, name, near);
    else if (mechanism)
        fail_unknown_parameter(mechanism, name, origin, err);
    else
        hd_fail(err, "%s: there is no parameter '%s'; `heddle machine show` lists them all", origin,
                name);
    hd_arena_free(&arena);
    return false;
}

bool config_set(Config *config, const char *assignment, const char *origin, HdError *err)
{
    const char *equals = strchr(assignment, '=');
    char name[128];
    if (!equals || equals == assignment)
        return hd_fail(err, "%s: '%s' is not of the form section.key=value", origin, assignment);
    if ((size_t)(equals - assignment) >= sizeof name)
        return hd_fail(err, "%s: '%.40s...' is longer than any parameter's name", origin,
                       assignment);
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);

    KnobId id = {.section = config->section_count};
    char *dot = strchr(name, '.');
    if (dot) *dot = 0;
    bool found = dot && config_find_section(config, name, &id.section) &&
                 config_find_key(config, id.section, dot + 1, &id.key);
    if (dot) *dot = '.';
    if (!found) return fail_unknown_name(config, name, id.section, origin, err);

    char *kept = hd_arena_text(&config->texts, origin, strlen(origin));
    if (!kept) return hd_fail_memory(err, "setting a parameter");
    HdError why;
    if (!config_assign(config, id, equals + 1, &why))
        return hd_fail(err, "%s: %s: %s", origin, name, why.text);
    config->states[config_knob_number(config, id)] = (KnobState){kept, ++config->sources};
    return true;
}

// ---- reading it ----

const void *config_target(const Config *config) { return config->target; }
void *config_target_mutable(Config *config) { return config->target; }
const char *config_name(const Config *config) { return config->name; }
const char *config_description(const Config *config) { return config->description; }

// The warning for a knob that was set although its condition does not hold; NULL where all is
// well. A later source that changes the condition makes its base's knob idle, not wrong.
static char *warning_of(Config *config, KnobId id)
{
    const ConfigSection *section = &config->schema->sections[id.section];
    const Knob *knob = config_knob(config, id);
    const KnobState *state = &config->states[config_knob_number(config, id)];
    KnobId on = {.section = id.section};
    const char *value;
    if (!knob->when || !state->origin) return NULL;
    if (!find_condition(config, id.section, knob, &on.key, &value)) return NULL;
    if (config->states[config_knob_number(config, on)].source > state->source) return NULL;

    const Knob *condition = config_knob(config, on);
    const void *now = field_of(config, section, condition);
    AnyValue needed;
    if (!knob_parse(condition, value, &needed, NULL) || knob_equal(condition, now, &needed))
        return NULL;
    char is[KNOB_VALUE_TEXT], text[1024];
    knob_format(condition, now, is, sizeof is);
    snprintf(text, sizeof text, "%s: %s.%s has no effect unless %s.%s (%s is %s)", state->origin,
             section->name, knob->key, section->name, knob->when, condition->key, is);
    return hd_arena_text(&config->warning_texts, text, strlen(text));
}

int config_warnings(Config *config, const char *const **texts)
{
    hd_arena_free(&config->warning_texts);
    int count = 0;
    for (size_t s = 0; s < config->schema_sections; s++)
        for (size_t k = 0; config->schema->sections[s].knobs[k].key; k++) {
            const char *text = warning_of(config, (KnobId){s, k});
            if (text) config->warnings[count++] = text;
        }
    *texts = config->warnings;
    return count;
}

const char *config_origin(const Config *config, const char *section, const char *key)
{
    KnobId id;
    if (!config_find_section(config, section, &id.section) ||
        !config_find_key(config, id.section, key, &id.key))
        return "unknown";
    const char *origin = config->states[config_knob_number(config, id)].origin;
    return origin ? origin : "default";
}

void config_value_text(const Config *config, const ConfigSection *section, const Knob *knob,
                       char *text, size_t size)
{
    knob_format(knob, field_of(config, section, knob), text, size);
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && at[length] != '_' &&
            !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

// Does the text name the parameter: as "section.key", or as "key" where it is about a section
// ("section: ...")?
static bool mentions_knob(const char *text, const char *section, const char *key)
{
    char full[128];
    size_t length = strlen(section);
    snprintf(full, sizeof full, "%s.%s", section, key);
    bool about =
        strncmp(text, section, length) == 0 && (text[length] == ':' || text[length] == ' ');
    return has_word(text, full) || (about && has_word(text, key));
}

void config_append_origins(const Config *config, HdError *err)
{
    if (!err) return;
    HdError message = *err;
    size_t used = strlen(err->text);
    for (size_t s = 0; s < config->section_count; s++) {
        const char *section = config_section_name(config, s), *key;
        for (KnobId id = {s, 0}; (key = config_key_name(config, id)); id.key++) {
            char value[KNOB_VALUE_TEXT];
            if (used >= sizeof err->text || !mentions_knob(message.text, section, key)) continue;
            value_text(config, id, value, sizeof value);
            int more = snprintf(err->text + used, sizeof err->text - used, "\n  %s: %s.%s: %s",
                                config_origin(config, section, key), section, key, value);
            used += more > 0 ? (size_t)more : 0;
        }
    }
}

const char *const *config_files(const Config *config, size_t *count)
{
    *count = config->file_count;
    return config->files;
}

const ParameterSection *config_mechanisms(const Config *config, size_t *count)
{
    *count = config->section_count - config->schema_sections;
    return config->mechanisms;
}

bool config_parameter_set(const Config *config, size_t mechanism, size_t parameter)
{
    KnobId id = {config->schema_sections + mechanism, parameter};
    return config->states[config_knob_number(config, id)].origin;
}

double config_parameter(const Config *config, size_t mechanism, size_t parameter)
{
    KnobId id = {config->schema_sections + mechanism, parameter};
    return config->numbers[config_knob_number(config, id)];
}

json_t *config_json(const Config *config)
{
    json_t *all = json_object();
    for (const ConfigSection *section = config->schema->sections; all && section->name; section++) {
        json_t *object = json_object();
        bool ok = json_object_set_new(all, section->name, object) == 0;
        for (const Knob *knob = section->knobs; ok && knob->key; knob++)
            ok = json_object_set_new(object, knob->key,
                                     knob_json(knob, field_of(config, section, knob))) == 0;
        if (ok) continue;
        json_decref(all);
        all = NULL;
    }
    return all;
}
