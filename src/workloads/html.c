// Records of text with tags and links, as of web pages.
#include "workloads/html.h"

#include "base/random.h"

#include <string.h>

// Stream number of these draws (base/random.h).
enum { RANDOM_USER_HTML = 0x48544d4c };

// The text of seed 0: two links, of 1 and 2 characters, and much that resembles one.
static const char known_text[] =
    "to <a href=\"x\">x</a> <a name=\"y\"> <b href=\"z\"> <<a href=\"yy\">yy</a> ";

// A record while it is written, and the draws for it.
typedef struct Writer {
    char *at, *end;
    uint64_t seed, next; // draws so far
    uint32_t record;
} Writer;

static uint32_t draw(Writer *w, uint32_t below)
{
    return (uint32_t)(random_draw(w->seed, RANDOM_USER_HTML, w->record, w->next++) % below);
}

// What exceeds the record is cut off.
static void put(Writer *w, const char *text)
{
    while (*text && w->at < w->end) *w->at++ = *text++;
}

// A word of 2 to 9 letters.
static void put_word(Writer *w)
{
    for (uint32_t letters = 2 + draw(w, 8); letters; letters--)
        put(w, (const char[]){(char)('a' + draw(w, 26)), 0});
}

static void put_attribute(Writer *w, const char *name)
{
    put(w, name);
    put(w, "=\"");
    put_word(w);
}

static void put_link(Writer *w)
{
    put(w, "<a href=\"http://");
    put_word(w);
    put(w, ".org/");
    put_word(w);
    put(w, "\">");
    put_word(w);
    put(w, "</a> ");
}

// Most of a text is words; every eighth piece is a link, and as many are other tags.
static void put_piece(Writer *w)
{
    switch (draw(w, 16)) {
    case 0:
    case 1: put_link(w); return;
    case 2: put_attribute(w, "<img src"); break;
    case 3: put_attribute(w, "<a name"); break;
    default: put_word(w); put(w, " "); return;
    }
    put(w, "\"> ");
}

HtmlText html_text(Program *program, uint64_t seed, uint32_t records, uint32_t bytes)
{
    HtmlText html = {.records = records};
    uint64_t most = (uint64_t)records * (bytes + bytes / 2 + 1);
    if (most > INT32_MAX)
        program_fail(program, "%u records of %u bytes in the mean can have %llu bytes: expected at "
                              "most %d, because kernels' indices have 31 bits",
                     records, bytes, (unsigned long long)most, INT32_MAX);
    html.text = program_scratch(program, most, 1);
    html.start = program_scratch(program, (uint64_t)records + 1, sizeof *html.start);
    if (!program->ok) return html;
    char *at = html.text;
    for (uint32_t i = 0; i < records; i++) {
        Writer w = {.at = at, .seed = seed, .record = i};
        w.end = at + (seed ? bytes - bytes / 2 + draw(&w, 2 * (bytes / 2) + 1) : bytes);
        while (w.at < w.end)
            if (seed)
                put_piece(&w);
            else
                put(&w, known_text);
        at = w.at;
        html.start[i + 1] = (int32_t)(at - html.text);
    }
    return html;
}
