// Reads a machine file: sections of `key: value` lines, as libyaml's events, so that every message
// has a line and a column.
#include "config/state.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/stat.h>
#include <yaml.h>

enum { MAX_BASES = 16 };

// A file being read. `child` links to the file that has it as its base, to detect cycles.
typedef struct Reader {
    Config *config;
    const char *path;
    const char *const *directories;
    dev_t device; // with inode: identifies the file
    ino_t inode;
    const struct Reader *child;
    const char *text;
    size_t text_size;
    yaml_parser_t parser;
    yaml_event_t event; // the current one
    int keys;             // top-level keys so far
    int *section_lines;   // by section: its line in this file; 0: not given yet
    int *parameter_lines; // the same by parameter
    int base_line, name_line, description_line, optional_line;
    unsigned source; // number of this file; 0: no section so far
    HdError *err;
} Reader;

// A key and its place.
typedef struct Key {
    char text[128];
    int line, column;
} Key;

#define FAIL_AT_MARK(reader, mark, ...)                                                            \
    hd_fail_at((reader)->err, (reader)->path, (int)(mark).line + 1, (int)(mark).column + 1,        \
               __VA_ARGS__)
// The place is the current event.
#define FAIL_HERE(reader, ...) FAIL_AT_MARK(reader, (reader)->event.start_mark, __VA_ARGS__)
#define FAIL_AT_KEY(reader, key, ...)                                                              \
    hd_fail_at((reader)->err, (reader)->path, (key)->line, (key)->column, __VA_ARGS__)

// ---- events ----

static bool next_event(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    yaml_event_delete(&reader->event);
    if (yaml_parser_parse(&reader->parser, &reader->event)) return true;
    if (parser->error == YAML_MEMORY_ERROR)
        return hd_fail_memory(reader->err, "reading a machine file");
    const char *problem = parser->problem ? parser->problem : "not valid YAML";
    if (parser->error == YAML_READER_ERROR) { // bytes that are not UTF-8: libyaml gives an offset
        int line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < reader->text_size; i++)
            line += reader->text[i] == '\n';
        return hd_fail_at(reader->err, reader->path, line, 0, "not valid YAML: %s", problem);
    }
    return FAIL_AT_MARK(reader, parser->problem_mark, "not valid YAML: %s%s%s", problem,
                        parser->context ? " " : "", parser->context ? parser->context : "");
}

// Scalars are plain texts: tags, anchors and zero bytes are refused.
static bool check_scalar(Reader *reader)
{
    const yaml_event_t *event = &reader->event;
    if (event->data.scalar.anchor || event->data.scalar.tag)
        return FAIL_HERE(reader, "an anchor or a tag: expected a plain value");
    if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length)
        return FAIL_HERE(reader, "a zero byte: expected text");
    return true;
}

// The current event's text; only for scalars.
static const char *scalar(const Reader *reader)
{
    return (const char *)reader->event.data.scalar.value;
}

// Takes the current event as a key.
static bool take_key(Reader *reader, Key *key)
{
    if (reader->event.type != YAML_SCALAR_EVENT)
        return FAIL_HERE(reader, "expected a key, as in `key: value`");
    if (!check_scalar(reader)) return false;
    if (reader->event.data.scalar.length >= sizeof key->text)
        return FAIL_HERE(reader, "the key is longer than any known key");
    strcpy(key->text, scalar(reader));
    key->line = (int)reader->event.start_mark.line + 1;
    key->column = (int)reader->event.start_mark.column + 1;
    return true;
}

// Moves to the value of `key`, which must be a single text or number.
static bool next_value(Reader *reader, const Key *key)
{
    if (!next_event(reader)) return false;
    const yaml_event_t *event = &reader->event;
    if (event->type != YAML_SCALAR_EVENT)
        return FAIL_HERE(reader, "'%s' is %s: expected a single value", key->text,
                         event->type == YAML_SEQUENCE_START_EVENT  ? "a list"
                            : event->type == YAML_MAPPING_START_EVENT ? "a section"
                                                                      : "an alias");
    if (!check_scalar(reader)) return false;
    if (event->data.scalar.length == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        return FAIL_AT_KEY(reader, key, "'%s' has no value", key->text);
    return true;
}

static bool check_first(Reader *reader, const Key *key, int *line)
{
    if (*line)
        return FAIL_AT_KEY(reader, key, "'%s' is given twice; the first is in line %d", key->text,
                           *line);
    *line = key->line;
    return true;
}

// ---- unknown names ----

// Appends to a message, as far as there is room.
static void append(char *text, size_t size, const char *separator, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? separator : "", word);
}

static bool fail_unknown_section(Reader *reader, const Key *key)
{
    size_t count = reader->config->section_count;
    const char **names = hd_new(count + 4, sizeof *names);
    if (!names) return hd_fail_memory(reader->err, "reading a machine file");
    char list[1024] = "";
    for (size_t s = 0; s < count; s++) {
        names[s] = reader->config->sections[s].name;
        append(list, sizeof list, ", ", names[s]);
    }
    names[count] = "base";
    names[count + 1] = "name";
    names[count + 2] = "description";
    names[count + 3] = "optional";
    const char *near = hd_nearest(key->text, names, (int)count + 4);
    free(names);
    if (near)
        return FAIL_AT_KEY(reader, key, "unknown section '%s'; did you mean '%s'?",
                           key->text, near);
    return FAIL_AT_KEY(reader, key, "unknown section '%s': expected one of %s (`optional: [%s]` "
                       "lets a section be missing)", key->text, list, key->text);
}

static bool fail_unknown_key(Reader *reader, size_t section, const Key *key)
{
    const Config *config = reader->config;
    const char *of = config->sections[section].name;
    size_t count = 0, found;
    while (config_key_name(config, (ParameterId){section, count})) count++;
    const char **names = hd_new(count, sizeof *names);
    if (!names) return hd_fail_memory(reader->err, "reading a machine file");
    char all[1024] = "", elsewhere[512] = "";
    for (size_t k = 0; k < count; k++) {
        names[k] = config_key_name(config, (ParameterId){section, k});
        append(all, sizeof all, ", ", names[k]);
    }
    for (size_t s = 0; s < config->section_count; s++)
        if (config_find_key(config, s, key->text, &found))
            append(elsewhere, sizeof elsewhere, ", ", config->sections[s].name);
    const char *near = hd_nearest(key->text, names, (int)count);
    free(names);
    if (near)
        return FAIL_AT_KEY(reader, key, "unknown key '%s' in section %s; did you mean '%s'?",
                           key->text, of, near);
    if (*elsewhere)
        return FAIL_AT_KEY(reader, key, "unknown key '%s' in section %s; it is a key of %s",
                           key->text, of, elsewhere);
    return FAIL_AT_KEY(reader, key, "unknown key '%s' in section %s: %s%s", key->text, of,
                       *all ? "expected one of " : "expected no keys", all);
}

// ---- sections and keys ----

static bool read_file(Config *config, const char *path, const char *const *directories,
                      const Reader *child, HdError *err);

static bool read_base(Reader *reader, const Key *key)
{
    if (!check_first(reader, key, &reader->base_line)) return false;
    if (reader->keys > 1)
        return FAIL_AT_KEY(reader, key, "'base' is not the first key: expected it first, because "
                           "the other keys change what it gives");
    if (!next_value(reader, key)) return false;
    yaml_mark_t mark = reader->event.start_mark;
    HdError why;
    char *path = config_find_file(scalar(reader), reader->path, reader->directories,
                                  &reader->config->texts, &why);
    if (!path) return FAIL_AT_MARK(reader, mark, "%s", why.text);

    struct stat base;
    if (stat(path, &base) != 0)
        return FAIL_AT_MARK(reader, mark, "base '%s' cannot be read: %s", path, strerror(errno));
    int depth = 0;
    for (const Reader *up = reader; up; up = up->child, depth++)
        if (up->device == base.st_dev && up->inode == base.st_ino)
            return FAIL_AT_MARK(reader, mark, "base '%s' is a cycle: it builds on this file", path);
    if (depth > MAX_BASES)
        return FAIL_AT_MARK(reader, mark, "more than %d bases deep", MAX_BASES);
    return read_file(reader->config, path, reader->directories, reader, reader->err);
}

// `name:` or `description:`, kept in *text.
static bool read_text(Reader *reader, const Key *key, int *line, const char **text)
{
    if (!check_first(reader, key, line) || !next_value(reader, key)) return false;
    if (!text_is_plain(scalar(reader), ""))
        return FAIL_HERE(reader, "'%s' has a control character: expected one line of text",
                         key->text);
    *text = hd_arena_text(&reader->config->texts, scalar(reader), strlen(scalar(reader)));
    return *text || hd_fail_memory(reader->err, "reading a machine file");
}

static bool read_parameter(Reader *reader, size_t section, const Key *key)
{
    Config *config = reader->config;
    ParameterId id = {.section = section};
    if (!config_find_key(config, section, key->text, &id.key))
        return fail_unknown_key(reader, section, key);
    size_t number = config_parameter_number(config, id);
    if (!check_first(reader, key, &reader->parameter_lines[number])) return false;
    if (!next_value(reader, key)) return false;

    HdError why;
    if (!config_assign(config, id, scalar(reader), &why)) return FAIL_HERE(reader, "%s", why.text);
    size_t length = strlen(reader->path);
    char *origin = hd_arena_new(&config->texts, length + 1 + TEXT_DECIMAL);
    if (!origin) return hd_fail_memory(reader->err, "reading a machine file");
    memcpy(origin, reader->path, length);
    origin[length] = ':';
    text_decimal(origin + length + 1, (uint64_t)key->line);
    config->states[number] = (ParameterState){origin, reader->source};
    return true;
}

// `optional:`, a name or a list of names.
static bool read_optional(Reader *reader, const Key *key)
{
    if (!check_first(reader, key, &reader->optional_line) || !next_event(reader)) return false;
    bool list = reader->event.type == YAML_SEQUENCE_START_EVENT;
    if (list && !next_event(reader)) return false;
    while (reader->event.type == YAML_SCALAR_EVENT) {
        if (!check_scalar(reader)) return false;
        if (!config_add_optional(reader->config, scalar(reader), strlen(scalar(reader))))
            return hd_fail_memory(reader->err, "reading a machine file");
        if (!list) return true;
        if (!next_event(reader)) return false;
    }
    return reader->event.type == YAML_SEQUENCE_END_EVENT ||
           FAIL_HERE(reader, "'optional' takes names of sections, as in `optional: [NAME, NAME]`");
}

// Skips the value of a key, with all that is nested in it.
static bool skip_value(Reader *reader)
{
    int depth = 0;
    do {
        if (!next_event(reader)) return false;
        yaml_event_type_t type = reader->event.type;
        depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
        depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
    } while (depth);
    return true;
}

static bool read_section(Reader *reader, const Key *key)
{
    size_t section;
    if (!reader->source) reader->source = ++reader->config->sources; // after the base's
    if (!config_find_section(reader->config, key->text, &section))
        return config_is_optional(reader->config, key->text) ? skip_value(reader)
                                                             : fail_unknown_section(reader, key);
    if (!check_first(reader, key, &reader->section_lines[section])) return false;
    if (!next_event(reader)) return false;
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_AT_KEY(reader, key,
                           "section '%s': expected `key: value` lines, indented, below its name",
                           key->text);
    for (;;) {
        Key inner;
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        if (!take_key(reader, &inner) || !read_parameter(reader, section, &inner)) return false;
    }
}

// Reads the top level. The current event is the start of the file's mapping.
static bool read_top(Reader *reader)
{
    Config *config = reader->config;
    for (;;) {
        Key key;
        if (!next_event(reader)) return false;
        if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
        if (!take_key(reader, &key)) return false;
        reader->keys++;
        bool ok;
        if (strcmp(key.text, "base") == 0)
            ok = read_base(reader, &key);
        else if (strcmp(key.text, "name") == 0)
            ok = read_text(reader, &key, &reader->name_line, &config->name);
        else if (strcmp(key.text, "description") == 0)
            ok = read_text(reader, &key, &reader->description_line, &config->description);
        else if (strcmp(key.text, "optional") == 0)
            ok = read_optional(reader, &key);
        else
            ok = read_section(reader, &key);
        if (!ok) return false;
    }
}

// Reads the stream: one document with one mapping.
static bool read_stream(Reader *reader)
{
    do {
        if (!next_event(reader)) return false;
    } while (reader->event.type == YAML_STREAM_START_EVENT ||
             reader->event.type == YAML_DOCUMENT_START_EVENT);
    if (reader->event.type == YAML_STREAM_END_EVENT)
        return hd_fail(reader->err, "%s: is empty: expected sections of parameters",
                       reader->path);
    if (reader->event.type != YAML_MAPPING_START_EVENT)
        return FAIL_HERE(reader, "expected sections (`l1d:`) of `key: value` lines");
    if (!read_top(reader)) return false;
    do {
        if (!next_event(reader)) return false;
    } while (reader->event.type == YAML_DOCUMENT_END_EVENT);
    if (reader->event.type != YAML_STREAM_END_EVENT)
        return FAIL_HERE(reader, "a second document begins: expected one document");
    return true;
}

// ---- files ----

static bool read_opened(Reader *reader)
{
    Config *config = reader->config;
    // The default name of a machine: the name of its file, without folder and suffix.
    const char *slash = strrchr(reader->path, '/'), *base = slash ? slash + 1 : reader->path;
    const char *dot = strrchr(base, '.');
    char *name = hd_arena_text(&config->texts, base,
                               dot && dot != base ? (size_t)(dot - base) : strlen(base));
    if (name) text_mask(name, "");
    reader->section_lines = hd_new(config->section_count, sizeof *reader->section_lines);
    reader->parameter_lines = hd_new(config->parameter_count, sizeof *reader->parameter_lines);
    if (!name || !reader->section_lines || !reader->parameter_lines ||
        !yaml_parser_initialize(&reader->parser))
        return hd_fail_memory(reader->err, "reading a machine file");
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)reader->text,
                                 reader->text_size);
    bool ok = read_stream(reader);
    // The name and description of a base do not describe the machine that changes it.
    if (ok && !reader->name_line) config->name = name;
    if (ok && !reader->description_line) config->description = "";
    yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
    return ok;
}

// Reads the text in reader->text.
static bool read_text_of(Reader *reader)
{
    bool ok = read_opened(reader);
    free(reader->section_lines);
    free(reader->parameter_lines);
    return ok;
}

static bool read_file(Config *config, const char *path, const char *const *directories,
                      const Reader *child, HdError *err)
{
    Reader reader = {.config = config, .path = path, .directories = directories, .child = child,
                     .err = err};
    if (!HD_PUSH(config->files, config->file_count, config->file_capacity, path))
        return hd_fail_memory(err, "reading a machine file");
    struct stat st = {0};
    if (stat(path, &st) != 0) return hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
    reader.device = st.st_dev;
    reader.inode = st.st_ino;
    char *text = file_read_most(path, CONFIG_FILE_LIMIT, &reader.text_size, err);
    reader.text = text;
    bool ok = text && read_text_of(&reader);
    free(text);
    return ok;
}

bool config_read_yaml(Config *config, const char *path, const char *const *directories,
                      HdError *err)
{
    return read_file(config, path, directories, NULL, err);
}

bool config_read_text(Config *config, const char *name, ConfigText text,
                      const char *const *directories, HdError *err)
{
    Reader reader = {.config = config, .path = name, .directories = directories,
                     .text = text.bytes, .text_size = text.size, .err = err};
    return read_text_of(&reader);
}
