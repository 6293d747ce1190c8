// Source positions of instructions: .file and .loc.
//
// Instructions of an inlined function have that function's lines, with the position of the call.
// For the program's own functions, their own lines are reported. For functions of a toolkit's
// headers (texture fetches, shuffles, atomics), the position of the call is reported.
#include "ptx/index_table.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

// ---- files ----

// Finds the first file with this name, if it is of an earlier text; else the file is the first.
static bool find_name(Parser *p, FileName *file)
{
    Token name = {.text = file->name, .length = (uint32_t)strlen(file->name)};
    if (!p->file_names) p->file_names = scope_open(p, NULL);
    if (!p->file_names) return false;
    Symbol *symbol = scope_find_here(p->file_names, name.text, name.length);
    if (symbol) {
        if (p->files[symbol->number].text != file->text) file->index = symbol->number;
        return true;
    }
    symbol = scope_add(p, p->file_names, &name, SYMBOL_FILE);
    if (symbol) symbol->number = file->index;
    return symbol != NULL;
}

// file = ".file" n STRING ("," time "," size)?
bool parse_file(Parser *p)
{
    int64_t number;
    FileName file = {0};
    lex_next(p);
    if (!expect_integer(p, "a file number", 0, UINT32_MAX, &number)) return false;
    file.at = p->last;
    if (!expect_string(p, &file.name)) return false;
    // Turn "/a/./b.h", which clang writes for headers of the program's own folder, into "/a/b.h".
    size_t room = 4 * strlen(file.name) + 1;
    char *path = hd_arena_new(&p->module->arena, room);
    if (!path) return ptx_fail(p, &p->token, "out of memory while reading a path");
    text_escape(path, room, file.name, "");
    char *to = path;
    for (const char *from = path; *from; *to++ = *from++)
        while (!strncmp(from, "/./", 3)) from += 2;
    *to = 0;
    file.name = path;
    file.number = (uint32_t)number;
    file.text = (uint32_t)p->text_count - 1;
    file.index = (uint32_t)p->file_count;
    if (p->file_count == UINT16_MAX)
        return ptx_fail(p, &p->last, "too many source files: expected at most %d", UINT16_MAX);
    if (!find_name(p, &file)) return false;
    // nvcc takes its headers from a directory targets/ of its installation.
    file.toolkit =
        strstr(path, "/targets/") || !strncmp(path, "/usr/", 5) || !strncmp(path, "/opt/", 5);
    for (int i = 0; i < 2 && accept_char(p, ','); i++)
        if (!expect_integer(p, "the file's time or size", INT64_MIN, INT64_MAX, &number))
            return false;
    return PUSH(p, p->files, p->file_count, p->file_capacity, file);
}

// ---- positions ----

// position = file line column
static bool parse_position(Parser *p, Location *location)
{
    uint32_t *to[] = {&location->file, &location->line, &location->column};
    for (int i = 0; i < 3; i++) {
        int64_t number;
        if (!expect_integer(p, "a file, line or column number", 0, UINT32_MAX, &number))
            return false;
        *to[i] = (uint32_t)number;
    }
    return true;
}

static bool same_position(const void *items, uint32_t item, const void *key)
{
    const Location *a = (const Location *)items + item, *b = key;
    return a->text == b->text && a->file == b->file && a->line == b->line &&
           a->column == b->column;
}

// Finds the newest location with this position, or adds one; *number: its index + 1. `exact`: it is
// also inlined at the same position.
static bool add_location(Parser *p, Location location, bool exact, uint32_t *number)
{
    uint32_t position[] = {location.text, location.file, location.line, location.column};
    uint64_t hash = hash_bytes(HASH_START, position, sizeof position);
    uint32_t *entry = index_entry(p, &p->location_index,
                                  &(IndexKey){hash, &location, p->locations, same_position,
                                              &p->last, "positions"});
    if (!entry) return false;
    *number = *entry;
    if (*number && (!exact || p->locations[*number - 1].inlined_at == location.inlined_at))
        return true;
    if (!PUSH(p, p->locations, p->location_count, p->location_capacity, location)) return false;
    *number = *entry = (uint32_t)p->location_count;
    return true;
}

// location = ".loc" position ("," "function_name" NAME ("+" n)? "," "inlined_at" position)?
// The position after "inlined_at" may itself be in an inlined function, by its own .loc.
bool parse_location(Parser *p)
{
    Location location = {.text = (uint32_t)p->text_count - 1}, at = location;
    int64_t offset;
    if (!parse_position(p, &location)) return false;
    while (accept_char(p, ',')) {
        bool inlined = at_name(p, "inlined_at");
        lex_next(p);
        if (inlined) {
            if (!parse_position(p, &at) || !add_location(p, at, false, &location.inlined_at))
                return false;
            continue;
        }
        lex_next(p); // the name
        if (!accept_offset(p, &offset)) return false;
    }
    return add_location(p, location, true, &p->location);
}

// ---- what is reported ----

typedef struct FileKey {
    uint32_t text, number;
} FileKey;

static bool same_file(const void *items, uint32_t item, const void *key)
{
    const FileName *file = (const FileName *)items + item;
    const FileKey *searched = key;
    return file->text == searched->text && file->number == searched->number;
}

// The first .file with this number in the text.
static IndexKey key_of_file(const Parser *p, const FileKey *key)
{
    return (IndexKey){hash_bytes(HASH_START, key, sizeof *key), key, p->files, same_file, NULL,
                      "files"};
}

bool locations_resolve(Parser *p)
{
    IndexTable files = {0};
    for (size_t i = 0; i < p->file_count; i++) {
        FileKey number = {p->files[i].text, p->files[i].number};
        IndexKey key = key_of_file(p, &number);
        key.at = &p->files[i].at;
        uint32_t *entry = index_entry(p, &files, &key);
        if (!entry) return false;
        if (!*entry) *entry = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < p->location_count; i++) {
        Location *l = &p->locations[i];
        IndexKey key = key_of_file(p, &(FileKey){l->text, l->file});
        uint32_t found = index_find(&files, &key);
        const FileName *file = found ? &p->files[found - 1] : NULL; // NULL: no .file declares it
        // A call's location is an earlier one, and so is resolved.
        const Location *call = l->inlined_at ? &p->locations[l->inlined_at - 1] : NULL;
        bool own = file && (!file->toolkit || !call || (l->line && !call->program));
        if (own) {
            l->source_file = (uint16_t)file->index;
            l->source_line = l->line;
            l->program = !file->toolkit;
        } else if (call) {
            l->source_file = call->source_file;
            l->source_line = call->source_line;
            l->program = call->program;
        }
    }
    return true;
}

void location_set(const Parser *p, uint32_t number, UOpTiming *timing)
{
    const Location *l = number ? &p->locations[number - 1] : NULL;
    timing->source_line = l ? l->source_line : 0;
    timing->source_file = l ? l->source_file : 0;
}
