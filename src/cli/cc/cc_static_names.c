// Replaces words of PTX text line by line.
#include "cli/cc/cc_static_names.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = "__static__";

// A long name in the text; its first `plain` characters are the plain name.
typedef struct Name {
    const char *text;
    size_t length, plain;
} Name;

typedef struct Names {
    Name *items;
    size_t count, capacity;
} Names;

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (text_is_alphanumeric(text[length]) || text[length] == '_' || text[length] == '$' ||
           text[length] == '%')
        length++;
    return length;
}

static const Name *find(const Names *names, const char *word, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].plain == length && !memcmp(names->items[i].text, word, length))
            return &names->items[i];
    return NULL;
}

// Lists the long names.
static bool list_names(Names *names, const char *text, HdError *err)
{
    for (size_t length; *text; text += length ? length : 1) {
        length = word_length(text);
        const char *at = memmem(text, length, suffix, strlen(suffix));
        if (!at || at == text || find(names, text, (size_t)(at - text))) continue;
        Name name = {text, length, (size_t)(at - text)};
        if (!HD_PUSH(names->items, names->count, names->capacity, name))
            return hd_fail_memory(err, "reading PTX");
    }
    return true;
}

// Copies a line with long names. A declaration as extern is left out: the definition is here.
static void copy_line(const Names *names, const char *line, size_t length, FILE *out)
{
    bool external = !strncmp(line, ".extern", strlen(".extern"));
    for (int pass = external ? 0 : 1; pass < 2; pass++) {
        for (size_t at = 0, size; at < length; at += size) {
            size = word_length(line + at);
            const Name *name = size ? find(names, line + at, size) : NULL;
            if (pass == 0 && name) return;
            if (!size) size = 1;
            if (pass == 0) continue;
            fwrite(name ? name->text : line + at, 1, name ? name->length : size, out);
        }
    }
}

bool cc_static_names_join(const char *path, HdError *err)
{
    size_t size, joined_size = 0;
    Names names = {0};
    char *text = file_read(path, &size, err), *joined = NULL;
    bool ok = text && list_names(&names, text, err);
    if (ok && names.count) {
        FILE *out = open_memstream(&joined, &joined_size);
        for (const char *line = text; out && *line;) {
            size_t length = strcspn(line, "\n");
            length += line[length] == '\n';
            copy_line(&names, line, length, out);
            line += length;
        }
        bool whole = out && !ferror(out);
        if (out && fclose(out) != 0) whole = false;
        ok = whole ? file_write(path, joined, joined_size, err)
                   : hd_fail_memory(err, "reading PTX");
    }
    free(joined);
    free(names.items);
    free(text);
    return ok;
}
