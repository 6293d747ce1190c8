// A configuration: sections of parameters, the structs that they fill, the origins of their values.
#include "config/config.h"

#include "base/text.h"
#include "config/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *config_key_name(const Config *config, ParameterId id)
{
    return config->sections[id.section].parameters[id.key].name;
}

size_t config_parameter_number(const Config *config, ParameterId id)
{
    return config->first[id.section] + id.key;
}

// Where the parameter's field lies in the section's struct.
static size_t place_of(const ConfigSection *section, const HdParameter *p)
{
    return p->size ? p->offset : (size_t)(p - section->parameters) * sizeof(double);
}

static void *field_of(const Config *config, const ConfigSection *section, const HdParameter *p)
{
    return config->target + section->offset + place_of(section, p);
}

bool config_find_section(const Config *config, const char *name, size_t *section)
{
    for (size_t s = 0; s < config->section_count; s++) {
        if (strcmp(config->sections[s].name, name) != 0) continue;
        *section = s;
        return true;
    }
    return false;
}

bool config_find_key(const Config *config, size_t section, const char *key, size_t *found)
{
    const char *name;
    for (size_t k = 0; (name = config_key_name(config, (ParameterId){section, k})); k++) {
        if (strcmp(name, key) != 0) continue;
        *found = k;
        return true;
    }
    return false;
}

bool config_assign(Config *config, ParameterId id, const char *text, HdError *err)
{
    const ConfigSection *section = &config->sections[id.section];
    const HdParameter *p = &section->parameters[id.key];
    HdError why;
    return parameter_read(p, text, field_of(config, section, p), &why) ||
           hd_fail(err, "%s.%s = %.256s: %.1024s", section->name, p->name, text, why.text);
}

// ---- the tables themselves ----

// Splits a parameter's `when`: the parameter that it names, and its values as text. false: there is
// none.
static bool find_condition(const Config *config, size_t section, const HdParameter *p, size_t *key,
                           const char **values)
{
    char name[64];
    const char *equals = strchr(p->when, '=');
    size_t length = equals ? (size_t)(equals - p->when) : sizeof name;
    if (length >= sizeof name) return false;
    memcpy(name, p->when, length);
    name[length] = 0;
    *values = equals + 1;
    return config_find_key(config, section, name, key);
}

// Room for a value of any type.
typedef union AnyValue {
    uint64_t integer;
    double number;
    char text[PARAMETER_TEXT_SIZE];
} AnyValue;

// Parses the first value of a list "value or value", and moves *values behind it: NULL after the
// last. false: it is not a value of the parameter.
static bool next_value(const HdParameter *p, const char **values, AnyValue *value)
{
    static const char between[] = " or ";
    char text[PARAMETER_TEXT_SIZE];
    const char *end = strstr(*values, between);
    size_t length = end ? (size_t)(end - *values) : strlen(*values);
    if (length >= sizeof text) return false;
    memcpy(text, *values, length);
    text[length] = 0;
    *values = end ? end + strlen(between) : NULL;
    return parameter_read(p, text, value, NULL);
}

static bool condition_is_possible(const Config *config, size_t section, const HdParameter *p)
{
    size_t key;
    const char *values;
    AnyValue scratch;
    if (!find_condition(config, section, p, &key, &values)) return false;
    while (values)
        if (!next_value(&config->sections[section].parameters[key], &values, &scratch))
            return false;
    return true;
}

static bool check_parameter(const Config *config, size_t s, const HdParameter *p, HdError *err)
{
    const ConfigSection *section = &config->sections[s];
    const char *wrong = parameter_mistake(p);
    if (!wrong && s < config->schema_sections &&
        section->offset + place_of(section, p) + parameter_size(p) > config->schema->target_size)
        wrong = "lies outside the target";
    if (!wrong && p->when && !condition_is_possible(config, s, p))
        wrong = "depends on something that its section does not have";
    return !wrong || hd_fail(err, "parameter table: %s.%s %s", section->name, p->name, wrong);
}

// Checks every section and parameter and sets the defaults. The names of sections differ from each
// other and from the other words of a machine file.
static bool set_defaults(Config *config, HdError *err)
{
    static const char *const words[] = {"base", "name", "description", "optional", NULL};
    for (size_t s = 0; s < config->section_count; s++) {
        const ConfigSection *section = &config->sections[s];
        size_t first;
        if (hd_is_among(section->name, words) ||
            (config_find_section(config, section->name, &first) && first < s))
            return hd_fail(err, "a mechanism cannot be called '%s': in a machine file this name "
                                "has another meaning", section->name);
        for (size_t k = 0; section->parameters[k].name; k++) {
            const HdParameter *p = &section->parameters[k];
            HdError why;
            if (!check_parameter(config, s, p, err)) return false;
            if (!parameter_default(p, field_of(config, section, p), &why))
                return hd_fail(err, "parameter table: default of %s.%s = %s", section->name,
                               p->name, why.text);
        }
    }
    return true;
}

// Gives a section a place of its own at *end of the target.
static void place_section(ConfigSection *section, size_t *end)
{
    size_t size = 0;
    for (const HdParameter *p = section->parameters; p->name; p++) {
        size_t field_end = place_of(section, p) + parameter_size(p);
        if (field_end > size) size = field_end;
    }
    section->offset = (*end + 15) / 16 * 16;
    *end = section->offset + size;
}

// Makes room for all sections and their values. false: out of memory.
static bool make_room(Config *config, const ConfigSection *more, size_t count)
{
    static const HdParameter none[1];
    size_t end = config->schema->target_size;
    config->section_count = config->schema_sections + count;
    config->sections = hd_new(config->section_count + 1, sizeof *config->sections);
    config->first = hd_new(config->section_count + 1, sizeof *config->first);
    if (!config->sections || !config->first) return false;
    memcpy(config->sections, config->schema->sections,
           config->schema_sections * sizeof *config->sections);
    for (size_t i = 0; i < count; i++) {
        ConfigSection *section = &config->sections[config->schema_sections + i];
        *section = more[i];
        if (!section->parameters) section->parameters = none;
        place_section(section, &end);
    }
    for (size_t s = 0; s < config->section_count; s++) {
        config->first[s] = config->parameter_count;
        config->parameter_count += parameter_count(config->sections[s].parameters);
    }
    config->target = hd_new(1, end);
    config->states = hd_new(config->parameter_count + 1, sizeof *config->states);
    config->warnings = hd_new(config->parameter_count + 1, sizeof *config->warnings);
    return config->target && config->states && config->warnings;
}

Config *config_new_with(const ConfigSchema *schema, const ConfigSection *more, size_t count,
                        HdError *err)
{
    Config *config = hd_new(1, sizeof *config);
    if (!config) {
        hd_fail_memory(err, "making a configuration");
        return NULL;
    }
    config->schema = schema;
    config->name = config->description = "";
    while (schema->sections[config->schema_sections].name) config->schema_sections++;
    bool ok = make_room(config, more, count);
    if (!ok) hd_fail_memory(err, "making a configuration");
    if (ok && set_defaults(config, err)) return config;
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
    free(config->optional);
    free(config->target);
    free(config->sections);
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

// The "SECTION.KEY" nearest to name, in the arena; NULL: none is near. `section` limits the search
// to the keys of one section; section_count: all sections.
static const char *nearest_parameter(const Config *config, const char *name, size_t section,
                                     HdArena *arena)
{
    bool all = section == config->section_count;
    const char **names = hd_new(config->parameter_count, sizeof *names), *key;
    size_t count = 0, start = all ? 0 : strcspn(name, ".") + 1;
    for (size_t s = all ? 0 : section; names && s < (all ? section : section + 1); s++)
        for (size_t k = 0; (key = config_key_name(config, (ParameterId){s, k})); k++) {
            size_t size = strlen(config->sections[s].name) + strlen(key) + 2;
            char *full = hd_arena_new(arena, size);
            if (!full) continue; // one suggestion less
            snprintf(full, size, "%s.%s", config->sections[s].name, key);
            names[count++] = full + start;
        }
    const char *near = names ? hd_nearest(name + start, names, (int)count) : NULL;
    free(names);
    return near ? near - start : NULL;
}

// The message for a --set of a name that no parameter has. `section` is the section that the name
// gives, or section_count if there is none. A key of the schema may be meant for another section.
static bool fail_unknown_name(const Config *config, const char *name, size_t section,
                              const char *origin, HdError *err)
{
    HdArena arena = {0};
    bool known = section < config->section_count;
    bool added = known && section >= config->schema_sections;
    const char *near = nearest_parameter(config, name, section, &arena);
    if (!near && !added) near = nearest_parameter(config, name, config->section_count, &arena);
    if (near) {
        hd_fail(err, "%s: there is no parameter '%s'; did you mean '%s'?", origin, name, near);
    } else if (added) {
        char keys[512] = "";
        const char *key;
        for (size_t k = 0, used = 0;
             used < sizeof keys && (key = config_key_name(config, (ParameterId){section, k})); k++)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", k ? ", " : "", key);
        hd_fail(err, "%s: there is no parameter '%s': %s%s", origin, name,
                *keys ? "expected one of " : config->sections[section].name,
                *keys ? keys : " has none");
    } else {
        hd_fail(err, "%s: there is no parameter '%s': expected one that `heddle machine show` "
                     "lists", origin, name);
    }
    hd_arena_free(&arena);
    return false;
}

bool config_add_optional(Config *config, const char *name, size_t length)
{
    const char *copy = hd_arena_text(&config->texts, name, length);
    return copy &&
           HD_PUSH(config->optional, config->optional_count, config->optional_capacity, copy);
}

bool config_is_optional(const Config *config, const char *name)
{
    for (size_t i = 0; i < config->optional_count; i++)
        if (strcmp(config->optional[i], name) == 0) return true;
    return false;
}

// The names of "optional=NAME,NAME"; NULL: another assignment.
static const char *optional_names(const char *assignment)
{
    static const char start[] = "optional=";
    size_t length = sizeof start - 1;
    return strncmp(assignment, start, length) == 0 ? assignment + length : NULL;
}

static bool add_optional_names(Config *config, const char *names, HdError *err)
{
    for (;;) {
        size_t length = strcspn(names, ",");
        if (length && !config_add_optional(config, names, length))
            return hd_fail_memory(err, "setting a parameter");
        if (!names[length]) return true;
        names += length + 1;
    }
}

bool config_set(Config *config, const char *assignment, const char *origin, HdError *err)
{
    const char *equals = strchr(assignment, '='), *optional = optional_names(assignment);
    char name[128];
    if (optional) return add_optional_names(config, optional, err);
    if (!equals || equals == assignment)
        return hd_fail(err, "%s: '%s': expected section.key=value", origin, assignment);
    if ((size_t)(equals - assignment) >= sizeof name)
        return hd_fail(err, "%s: '%.40s...' is longer than any parameter's name", origin,
                       assignment);
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);

    ParameterId id = {.section = config->section_count};
    char *dot = strchr(name, '.');
    if (dot) *dot = 0;
    bool section = dot && config_find_section(config, name, &id.section);
    bool skip = dot && !section && config_is_optional(config, name);
    bool found = section && config_find_key(config, id.section, dot + 1, &id.key);
    if (dot) *dot = '.';
    if (skip) return true;
    if (!found) return fail_unknown_name(config, name, id.section, origin, err);

    char *kept = hd_arena_text(&config->texts, origin, strlen(origin));
    if (!kept) return hd_fail_memory(err, "setting a parameter");
    HdError why;
    if (!config_assign(config, id, equals + 1, &why))
        return hd_fail(err, "%s: %s", origin, why.text);
    config->states[config_parameter_number(config, id)] = (ParameterState){kept, ++config->sources};
    return true;
}

bool config_read(Config *config, const char *name_or_path, const char *const *directories,
                 const ConfigAssignments *set, HdError *err)
{
    static const char *const none[] = {NULL};
    const char *const *texts = set && set->texts ? set->texts : none;
    const char *const *origins = set && set->origins ? set->origins : none;
    for (const char *const *text = texts; *text; text++) {
        const char *names = optional_names(*text);
        if (names && !add_optional_names(config, names, err)) return false;
    }
    if (name_or_path && !config_load(config, name_or_path, directories, err)) return false;
    for (; *texts; texts++) {
        const char *origin = *origins ? *origins++ : "--set";
        if (!optional_names(*texts) && !config_set(config, *texts, origin, err)) return false;
    }
    return true;
}

// ---- reading it ----

const void *config_target(const Config *config) { return config->target; }
const ConfigSection *config_sections(const Config *config) { return config->sections; }
const char *config_name(const Config *config) { return config->name; }
const char *config_description(const Config *config) { return config->description; }

const void *config_section_values(const Config *config, const char *name)
{
    size_t section;
    if (!config_find_section(config, name, &section)) return NULL;
    return config->target + config->sections[section].offset;
}

// The warning for a parameter that was set although its condition does not hold; NULL: none. If a
// later source changed the condition, the parameter of the base is idle, which is no mistake.
static char *warning_of(Config *config, ParameterId id)
{
    const ConfigSection *section = &config->sections[id.section];
    const HdParameter *p = &section->parameters[id.key];
    const ParameterState *state = &config->states[config_parameter_number(config, id)];
    ParameterId on = {.section = id.section};
    const char *values;
    if (!p->when || !state->origin) return NULL;
    if (!find_condition(config, id.section, p, &on.key, &values)) return NULL;
    if (config->states[config_parameter_number(config, on)].source > state->source) return NULL;

    const HdParameter *condition = &section->parameters[on.key];
    const void *now = field_of(config, section, condition);
    while (values) {
        AnyValue needed;
        if (!next_value(condition, &values, &needed) || parameter_equal(condition, now, &needed))
            return NULL;
    }
    char is[PARAMETER_VALUE_TEXT], text[1024];
    parameter_text(condition, now, is, sizeof is);
    snprintf(text, sizeof text, "%s: %s.%s has no effect unless %s.%s (%s is %s)", state->origin,
             section->name, p->name, section->name, p->when, condition->name, is);
    return hd_arena_text(&config->warning_texts, text, strlen(text));
}

int config_warnings(Config *config, const char *const **texts)
{
    hd_arena_free(&config->warning_texts);
    int count = 0;
    for (size_t s = 0; s < config->section_count; s++)
        for (ParameterId id = {s, 0}; config_key_name(config, id); id.key++) {
            const char *text = warning_of(config, id);
            if (text) config->warnings[count++] = text;
        }
    *texts = config->warnings;
    return count;
}

const char *config_origin(const Config *config, const char *section, const char *key)
{
    ParameterId id;
    if (!config_find_section(config, section, &id.section) ||
        !config_find_key(config, id.section, key, &id.key))
        return "unknown";
    const char *origin = config->states[config_parameter_number(config, id)].origin;
    return origin ? origin : "default";
}

void config_value_text(const Config *config, const ConfigSection *section, const HdParameter *p,
                       char *text, size_t size)
{
    parameter_text(p, field_of(config, section, p), text, size);
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !text_is_alphanumeric(at[-1])) && at[length] != '_' &&
            !text_is_alphanumeric(at[length]))
            return true;
    return false;
}

// Appends the origins of the section's parameters that `message` mentions: as "section.key", or as
// "key" if the message is `about` the section.
static void append_origins(const Config *config, size_t s, const char *message, bool about,
                           bool defaults, HdError *err)
{
    const ConfigSection *section = &config->sections[s];
    for (const HdParameter *p = section->parameters; p->name; p++) {
        char name[128], value[PARAMETER_VALUE_TEXT];
        size_t used = strlen(err->text);
        const char *origin = config_origin(config, section->name, p->name);
        snprintf(name, sizeof name, "%s.%s", section->name, p->name);
        if (!has_word(message, name) && !(about && has_word(message, p->name))) continue;
        if (!defaults && strcmp(origin, "default") == 0) continue;
        config_value_text(config, section, p, value, sizeof value);
        snprintf(err->text + used, sizeof err->text - used, "\n  %s: %s: %s", origin, name,
                 value);
    }
}

void config_append_origins(const Config *config, HdError *err)
{
    if (!err) return;
    HdError message = *err;
    for (size_t s = 0; s < config->section_count; s++) {
        const char *name = config->sections[s].name, *text = message.text;
        size_t length = strlen(name);
        bool start = strncmp(text, name, length) == 0;
        bool about = start && (text[length] == ':' || text[length] == ' ');
        append_origins(config, s, text, about, true, err);
    }
}

void config_append_section_origins(const Config *config, const char *section, HdError *err)
{
    size_t s;
    if (!err || !config_find_section(config, section, &s)) return;
    HdError message = *err;
    append_origins(config, s, message.text, true, false, err);
}

const char *const *config_files(const Config *config, size_t *count)
{
    *count = config->file_count;
    return config->files;
}

// Whether the machine has nothing that the section describes.
static bool is_absent(const Config *config, const ConfigSection *section)
{
    for (const HdParameter *p = section->parameters; p->name; p++) {
        if (!p->absent) continue;
        char value[PARAMETER_VALUE_TEXT];
        parameter_text(p, field_of(config, section, p), value, sizeof value);
        if (strcmp(value, p->absent) == 0) return true;
    }
    return false;
}

json_t *config_json(const Config *config)
{
    json_t *all = json_object();
    for (const ConfigSection *section = config->schema->sections; all && section->name; section++) {
        if (is_absent(config, section)) continue;
        json_t *object = json_object();
        bool ok = json_object_set_new(all, section->name, object) == 0;
        for (const HdParameter *p = section->parameters; ok && p->name; p++)
            ok = json_object_set_new(object, p->name,
                                     parameter_json(p, field_of(config, section, p))) == 0;
        if (ok) continue;
        json_decref(all);
        all = NULL;
    }
    return all;
}
