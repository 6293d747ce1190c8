// Source positions of instructions: .file and .loc.
//
// Instructions of an inlined function have that function's lines, with the position of the call.
// For the program's own functions, their own lines are reported. For functions of a toolkit's
// headers (texture fetches, shuffles, atomics), the position of the call is reported.
#include "ptx/internal.h"

#include "base/text.h"

#include <string.h>

enum { BUCKETS = 1024 };

// ---- files ----

// file = ".file" n STRING ("," time "," size)?
bool parse_file(Parser *p)
{
    int64_t number;
    FileName file = {0};
    lex_next(p);
    if (!expect_integer(p, "a file number", 0, UINT32_MAX, &number) ||
        !expect_string(p, &file.name))
        return false;
    // Turn "/a/./b.h", which clang writes for headers of the program's own folder, into "/a/b.h".
    size_t room = 4 * strlen(file.name) + 1;
    char *path = hd_arena_new(&p->module->arena, room);
    if (!path) return ptx_fail(p, &p->token, "out of memory while reading a path");
    text_escape(path, room, file.name, "");
    for (char *at; (at = strstr(path, "/./"));) memmove(at, at + 2, strlen(at + 2) + 1);
    file.name = path;
    file.number = (uint32_t)number;
    file.text = (uint32_t)p->text_count - 1;
    for (file.index = 0; file.index < p->file_count; file.index++) {
        const FileName *other = &p->files[file.index];
        if (other->text != file.text && !strcmp(other->name, path)) break;
    }
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

static uint32_t *bucket_of(const Parser *p, const Location *l)
{
    return &p->location_buckets[(l->file * 31 + l->line * 7 + l->column) % BUCKETS];
}

// Finds the newest location with this position; returns its index + 1, or 0.
static uint32_t find_location(const Parser *p, const Location *location)
{
    uint32_t number = *bucket_of(p, location);
    while (number) {
        const Location *l = &p->locations[number - 1];
        if (l->file == location->file && l->line == location->line &&
            l->column == location->column)
            break;
        number = l->older;
    }
    return number;
}

// Finds or adds a location; *number: its index + 1.
static bool add_location(Parser *p, Location location, uint32_t *number)
{
    *number = find_location(p, &location);
    if (*number && p->locations[*number - 1].inlined_at == location.inlined_at) return true;
    uint32_t *bucket = bucket_of(p, &location);
    location.older = *bucket;
    if (!PUSH(p, p->locations, p->location_count, p->location_capacity, location)) return false;
    *number = *bucket = (uint32_t)p->location_count;
    return true;
}

// location = ".loc" position ("," "function_name" NAME ("+" n)? "," "inlined_at" position)?
// The position after "inlined_at" may itself be in an inlined function, by its own .loc.
bool parse_location(Parser *p)
{
    Location location = {.text = (uint32_t)p->text_count - 1}, at = location;
    int64_t offset;
    if (!p->location_buckets) p->location_buckets = scratch_new(p, BUCKETS, sizeof(uint32_t));
    if (!p->location_buckets || !parse_position(p, &location)) return false;
    while (accept_char(p, ',')) {
        bool inlined = at_name(p, "inlined_at");
        lex_next(p);
        if (inlined) {
            if (!parse_position(p, &at)) return false;
            location.inlined_at = find_location(p, &at);
            if (!location.inlined_at && !add_location(p, at, &location.inlined_at)) return false;
            continue;
        }
        lex_next(p); // the name
        if (!accept_offset(p, &offset)) return false;
    }
    return add_location(p, location, &p->location);
}

void location_resolve(const Parser *p, uint32_t number, UOpTiming *timing)
{
    timing->source_line = 0;
    for (; number; number = p->locations[number - 1].inlined_at) {
        const Location *l = &p->locations[number - 1];
        size_t file = 0;
        while (file < p->file_count &&
               (p->files[file].number != l->file || p->files[file].text != l->text))
            file++;
        if (file == p->file_count) continue; // no .file declares it
        bool toolkit = p->files[file].toolkit;
        if (toolkit && timing->source_line) continue; // keep the innermost toolkit position
        timing->source_line = l->line;
        timing->source_file = (uint16_t)p->files[file].index;
        if (!toolkit) return;
    }
}
