// Source positions of instructions: .file and .loc.
//
// Instructions of an inlined function have that function's lines, with the position of the call.
// For the program's own functions, their own lines are reported. For functions of a toolkit's
// headers (texture fetches, shuffles, atomics), the position of the call is reported.
#include "ptx/internal.h"

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

// The table's entry for a position, or the free one where it belongs. NULL: there is none within
// MAX_PROBES.
static uint32_t *location_entry(const Parser *p, const Location *l)
{
    uint32_t key[] = {l->text, l->file, l->line, l->column};
    uint64_t hash = hash_bytes(HASH_START, key, sizeof key);
    for (size_t probe = 0; probe < MAX_PROBES; probe++) {
        uint32_t *entry = &p->location_table[(hash + probe) & (p->location_table_size - 1)];
        if (!*entry) return entry;
        const Location *other = &p->locations[*entry - 1];
        if (other->text == l->text && other->file == l->file && other->line == l->line &&
            other->column == l->column)
            return entry;
    }
    return NULL;
}

static bool grow_table(Parser *p)
{
    if (p->location_count * 2 < p->location_table_size) return true;
    size_t size = p->location_table_size ? p->location_table_size * 2 : 1024;
    p->location_table = scratch_new(p, size, sizeof *p->location_table);
    if (!p->location_table) return false;
    p->location_table_size = size;
    for (size_t i = 0; i < p->location_count; i++) {
        uint32_t *entry = location_entry(p, &p->locations[i]);
        if (!entry) return fail_collision(p, &p->last, "positions");
        *entry = (uint32_t)i + 1;
    }
    return true;
}

// Finds the newest location with this position, or adds one; *number: its index + 1. `exact`: it is
// also inlined at the same position.
static bool add_location(Parser *p, Location location, bool exact, uint32_t *number)
{
    if (!grow_table(p)) return false;
    uint32_t *entry = location_entry(p, &location);
    if (!entry) return fail_collision(p, &p->last, "positions");
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

// The table's entry for a .file of a text: its index in Parser.files + 1, or 0 where it belongs.
// NULL: there is none within MAX_PROBES.
static uint32_t *file_entry(const Parser *p, uint32_t *table, size_t size, uint32_t text,
                            uint32_t number)
{
    uint32_t key[] = {text, number};
    uint64_t hash = hash_bytes(HASH_START, key, sizeof key);
    for (size_t probe = 0; probe < MAX_PROBES; probe++) {
        uint32_t *entry = &table[(hash + probe) & (size - 1)];
        const FileName *file = *entry ? &p->files[*entry - 1] : NULL;
        if (!file || (file->text == text && file->number == number)) return entry;
    }
    return NULL;
}

bool locations_resolve(Parser *p)
{
    size_t size = 2;
    while (size < 2 * p->file_count) size *= 2;
    uint32_t *table = scratch_new(p, size, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < p->file_count; i++) {
        uint32_t *entry = file_entry(p, table, size, p->files[i].text, p->files[i].number);
        if (!entry) return fail_collision(p, &p->files[i].at, "files");
        if (!*entry) *entry = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < p->location_count; i++) {
        Location *l = &p->locations[i];
        const uint32_t *found = file_entry(p, table, size, l->text, l->file);
        // NULL: no .file declares it
        const FileName *file = found && *found ? &p->files[*found - 1] : NULL;
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
