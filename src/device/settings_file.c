// Reads heddle.yaml: `key: value` lines and, below `set`, `section.key: value` lines. libyaml's
// events give every message its line and column.
#include "device/simulation_settings.h"

#include "base/file.h"
#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static const char file_name[] = "heddle.yaml";
enum {
    MAX_SETTINGS = 64, MAX_ASSIGNMENTS = 1000, ASSIGNMENT_TEXT = 512,
    WHERE_TEXT = sizeof file_name + 2 * OPTION_NAME_TEXT
};

typedef struct Reader {
    Settings *settings;
    yaml_parser_t parser;
    yaml_event_t event;
    int lines[MAX_SETTINGS]; // where each option was given; 0: not yet
    HdError *err;
} Reader;

#define FAIL_AT(reader, mark, ...)                                                                 \
    hd_fail_at((reader)->err, file_name, (int)(mark).line + 1, (int)(mark).column + 1, __VA_ARGS__)
#define FAIL_HERE(reader, ...) FAIL_AT(reader, (reader)->event.start_mark, __VA_ARGS__)

static bool next_event(Reader *reader)
{
    yaml_event_delete(&reader->event);
    if (yaml_parser_parse(&reader->parser, &reader->event)) return true;
    const yaml_parser_t *p = &reader->parser;
    if (p->error == YAML_MEMORY_ERROR) return hd_fail_memory(reader->err, "reading the settings");
    return FAIL_AT(reader, p->problem_mark, "not valid YAML: %s",
                   p->problem ? p->problem : "something else");
}

// The text of the current event; NULL and err if the event is no plain text.
static const char *text_here(Reader *reader, const char *what)
{
    const yaml_event_t *e = &reader->event;
    if (e->type == YAML_SCALAR_EVENT) {
        const char *text = (const char *)e->data.scalar.value;
        bool given = e->data.scalar.length || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        if (given && strlen(text) == e->data.scalar.length) return text;
    }
    FAIL_HERE(reader, "expected %s, as in `machine: volta-v100`", what);
    return NULL;
}

static const Option *find_setting(Reader *reader, const char *key)
{
    char keys[MAX_SETTINGS][OPTION_NAME_TEXT], all[512];
    const char *names[MAX_SETTINGS];
    int count = 0;
    for (const Option *option = simulation_options; option->name; option++) {
        if (!(option->commands & OF_CUDA)) continue;
        option_key(option, keys[count]);
        if (strcmp(keys[count], key) == 0) return option;
        names[count] = keys[count];
        count++;
    }
    hd_list_names(all, sizeof all, names, count);
    const char *near = hd_nearest(key, names, count);
    if (near) FAIL_HERE(reader, "unknown key '%.64s'; did you mean '%s'?", key, near);
    else FAIL_HERE(reader, "unknown key '%.64s': expected one of %s", key, all);
    return NULL;
}

// Where the current event stands; returns the length.
static int place_of(const Reader *reader, char where[WHERE_TEXT])
{
    const yaml_mark_t *mark = &reader->event.start_mark;
    return snprintf(where, WHERE_TEXT, "%s:%d:%d", file_name, (int)mark->line + 1,
                    (int)mark->column + 1);
}

// heddle.yaml takes effect because it lies in the working directory, which may be anybody's. It may
// choose what is simulated. Code to load and files to write are named by the user: on the command
// line or in the environment.
static bool check_trusted(const Option *option, const char *where, const char *text, HdError *err)
{
    char variable[OPTION_NAME_TEXT];
    bool choice = option->choices && hd_is_among(text, option->choices);
    option_variable(option, variable);
    if (option->type == OPTION_OUTPUT && !choice)
        return hd_fail(err, "%s '%.1024s': %s names no file to write: expected --%s or %s with it",
                       where, text, file_name, option->name, variable);
    if (strcmp(option->name, "mechanism") == 0 && strchr(text, '/'))
        return hd_fail(err, "%s '%.1024s': %s loads no shared object: expected --%s or %s with it",
                       where, text, file_name, option->name, variable);
    return true;
}

// Records where the last settings come from.
static bool add_origins(Reader *reader, const char *origin)
{
    HdSimulation *s = &reader->settings->simulation;
    size_t length = strlen(origin);
    while (option_list_length(s->set_origins) < option_list_length(s->set))
        if (!option_list_add(&s->set_origins, origin, length, &reader->settings->arena,
                             reader->err))
            return false;
    return true;
}

// The lines below `set`.
static bool read_assignments(Reader *reader, const Option *set)
{
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_HERE(reader, "set: expected `section.key: value` lines, indented, below it");
    for (int count = 0;; count++) {
        char text[ASSIGNMENT_TEXT], where[WHERE_TEXT];
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        const char *key = text_here(reader, "a parameter");
        if (!key) return false;
        if (count == MAX_ASSIGNMENTS)
            return FAIL_HERE(reader, "set: expected at most %d parameters", MAX_ASSIGNMENTS);
        place_of(reader, where);
        int length = snprintf(text, sizeof text, "%s=", key);
        if (length >= (int)sizeof text) return FAIL_HERE(reader, "the key is too long");
        if (!next_event(reader)) return false;
        const char *value = text_here(reader, "a value");
        if (!value) return false;
        int more = snprintf(text + length, sizeof text - (size_t)length, "%s", value);
        if (length + more >= (int)sizeof text) return FAIL_HERE(reader, "the value is too long");
        if (strchr(text, set->separator))
            return FAIL_HERE(reader, "set: a value with '%c': expected one value", set->separator);
        OptionInput input = {.text = text, .arena = &reader->settings->arena, .err = reader->err};
        if (!option_assign(set, reader->settings, &input) || !add_origins(reader, where))
            return false;
    }
}

// Fails where an option that decides the same was given above.
static bool check_exclusive(Reader *reader, const Option *option)
{
    char key[OPTION_NAME_TEXT], other[OPTION_NAME_TEXT];
    for (const Option *o = simulation_options; o->name; o++) {
        if (o == option || !reader->lines[o - simulation_options] || !option_excludes(o, option))
            continue;
        option_key(o, other);
        option_key(option, key);
        HdError why = {0};
        option_fail_both(other, key, option, &why);
        return FAIL_HERE(reader, "%.1024s", why.text);
    }
    return true;
}

static bool read_setting(Reader *reader)
{
    const char *key = text_here(reader, "a key");
    const Option *option = key ? find_setting(reader, key) : NULL;
    if (!option) return false;
    int *line = &reader->lines[option - simulation_options];
    if (*line)
        return FAIL_HERE(reader, "'%s' is given twice; the first is in line %d", key, *line);
    if (!check_exclusive(reader, option)) return false;
    *line = (int)reader->event.start_mark.line + 1;
    char where[WHERE_TEXT], name[OPTION_NAME_TEXT];
    option_key(option, name);
    if (!next_event(reader)) return false;
    if (strcmp(option->name, "set") == 0) return read_assignments(reader, option);
    const char *text = text_here(reader, "a value");
    if (!text) return false;
    int length = place_of(reader, where);
    snprintf(where + length, sizeof where - (size_t)length, ": %s", name);
    OptionInput input = {.where = where, .text = text, .arena = &reader->settings->arena,
                         .err = reader->err};
    return check_trusted(option, where, text, reader->err) &&
           option_assign(option, reader->settings, &input);
}

static bool read_top(Reader *reader)
{
    do {
        if (!next_event(reader)) return false;
    } while (reader->event.type == YAML_STREAM_START_EVENT ||
             reader->event.type == YAML_DOCUMENT_START_EVENT);
    if (reader->event.type == YAML_STREAM_END_EVENT) return true; // an empty file
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_HERE(reader, "expected `key: value` lines");
    for (;;) {
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        if (!read_setting(reader)) return false;
    }
}

bool settings_read_text(Settings *settings, const char *text, size_t size, HdError *err)
{
    Reader reader = {.settings = settings, .err = err};
    if (!yaml_parser_initialize(&reader.parser))
        return hd_fail_memory(err, "reading the settings");
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
    bool ok = read_top(&reader);
    yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    return ok;
}

bool settings_read_file(Settings *settings, HdError *err)
{
    bool there;
    if (!file_is_there(file_name, &there, err)) return false;
    if (!there) return true;
    size_t size;
    char *text = file_read_most(file_name, CONFIG_FILE_LIMIT, &size, err);
    bool ok = text && settings_read_text(settings, text, size, err);
    free(text);
    return ok;
}
