// heddle.yaml: `key: value` lines and, below `set`, `section.key: value` lines, read as libyaml's
// events, so that every message has a line and a column.
#include "device/settings_internal.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

static const char file_name[] = "heddle.yaml";
enum { MOST_SETTINGS = 32, ASSIGNMENT_TEXT = 512 };

typedef struct Reader {
    Settings *settings;
    yaml_parser_t parser;
    yaml_event_t event;
    int lines[MOST_SETTINGS]; // where each setting was given; 0: not yet
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

// The text of the current event; NULL and err where it is no plain text.
static const char *text_here(Reader *reader, const char *what)
{
    const yaml_event_t *e = &reader->event;
    if (e->type == YAML_SCALAR_EVENT) {
        const char *text = (const char *)e->data.scalar.value;
        bool given = e->data.scalar.length || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        if (given && strlen(text) == e->data.scalar.length) return text;
    }
    FAIL_HERE(reader, "%s is needed here, as in `machine: volta-v100`", what);
    return NULL;
}

static const Setting *find_setting(Reader *reader, const char *key)
{
    const char *names[MOST_SETTINGS];
    int count = 0;
    for (const Setting *s = settings_known; s->key; s++) {
        if (!strcmp(s->key, key)) return s;
        names[count++] = s->key;
    }
    const char *near = hd_nearest(key, names, count);
    char all[512] = "";
    for (int i = 0; i < count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
    if (near) FAIL_HERE(reader, "unknown key '%.64s'; did you mean '%s'?", key, near);
    else FAIL_HERE(reader, "unknown key '%.64s'; the keys are %s", key, all);
    return NULL;
}

// The lines below `set`.
static bool read_assignments(Reader *reader)
{
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_HERE(reader, "'set' takes `section.key: value` lines, indented, below it");
    for (;;) {
        char text[ASSIGNMENT_TEXT];
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        const char *key = text_here(reader, "a parameter");
        if (!key) return false;
        int length = snprintf(text, sizeof text, "%s=", key);
        if (length >= (int)sizeof text) return FAIL_HERE(reader, "the key is too long");
        if (!next_event(reader)) return false;
        const char *value = text_here(reader, "a value");
        if (!value) return false;
        int more = snprintf(text + length, sizeof text - (size_t)length, "%s", value);
        if (length + more >= (int)sizeof text) return FAIL_HERE(reader, "the value is too long");
        if (!settings_add(reader->settings, text, (size_t)(length + more), reader->err))
            return false;
    }
}

static bool read_setting(Reader *reader)
{
    const char *key = text_here(reader, "a key");
    const Setting *setting = key ? find_setting(reader, key) : NULL;
    if (!setting) return false;
    int *line = &reader->lines[setting - settings_known];
    if (*line)
        return FAIL_HERE(reader, "'%s' is given twice; the first is in line %d", key, *line);
    *line = (int)reader->event.start_mark.line + 1;
    if (!next_event(reader)) return false;
    if (setting->kind == SETTING_SET) return read_assignments(reader);
    const char *text = text_here(reader, "a value");
    HdError why = {0};
    if (!text) return false;
    return setting_assign(reader->settings, setting, text, &why) ||
           FAIL_HERE(reader, "%s: %.1024s", setting->key, why.text);
}

static bool read_top(Reader *reader)
{
    do {
        if (!next_event(reader)) return false;
    } while (reader->event.type == YAML_STREAM_START_EVENT ||
             reader->event.type == YAML_DOCUMENT_START_EVENT);
    if (reader->event.type == YAML_STREAM_END_EVENT) return true; // an empty file asks for nothing
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_HERE(reader, "%s holds `key: value` lines", file_name);
    for (;;) {
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        if (!read_setting(reader)) return false;
    }
}

bool settings_read_file(Settings *settings, HdError *err)
{
    if (access(file_name, F_OK) != 0) return true;
    size_t size;
    char *text = file_read(file_name, &size, err);
    if (!text) return false;
    Reader reader = {.settings = settings, .err = err};
    bool ok = yaml_parser_initialize(&reader.parser) || hd_fail_memory(err, "reading the settings");
    if (ok) {
        yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
        ok = read_top(&reader);
        yaml_event_delete(&reader.event);
        yaml_parser_delete(&reader.parser);
    }
    free(text);
    return ok;
}
