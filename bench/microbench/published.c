// Reads published figures.
#include "published.h"
#include "base/fail.h"
#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE, QUANTITY, FIGURE, UNIT, SOURCE, PLACE, REASON, FIELDS };
static const char *const columns[FIELDS] = {"machine", "quantity", "published", "unit",
                                            "source",  "place",    "reason"};

// Takes one field from *rest and sets *last if its line ends behind it. A field in quotes may have
// commas; a doubled quote is one. NULL if a quote is not closed.
static char *take_field(char **rest, bool *last)
{
    char *from = *rest, *to = *rest, *field = *rest;
    if (*from == '"') {
        for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
            if (*from == '"') from++;
            *to++ = *from;
        }
        if (*from++ != '"') return NULL;
    } else {
        while (*from && *from != ',' && *from != '\n' && *from != '\r') from++;
        to = from;
    }
    if (*from == '\r') from++;
    *last = *from != ',';
    *rest = *from ? from + 1 : from;
    *to = 0;
    return field;
}

// "12", "12.5" or "12..14".
static bool read_figure(PublishedRow *row)
{
    char *end;
    row->low = row->high = number_read(row->figure, &end);
    const char *dots = strstr(row->figure, "..");
    if (dots) {
        if (end != dots && end != dots + 1) return false; // strtod may take "12."
        row->high = number_read(dots + 2, &end);
    }
    return end != row->figure && !*end && row->low > 0 && row->high >= row->low &&
           isfinite(row->high);
}

static bool check_header(const char *path, char *const field[], HdError *err)
{
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(field[i], columns[i]))
            return hd_fail_at(err, path, 1, 0, "column '%s': expected '%s'", field[i], columns[i]);
    return true;
}

bool published_read(const char *path, Published *published, HdError *err)
{
    size_t size;
    published->count = 0;
    published->text = file_read(path, &size, err);
    if (!published->text) return false;
    char *rest = published->text;
    for (int line = 1; *rest; line++) {
        char *field[FIELDS];
        bool last = false;
        for (int i = 0; i < FIELDS; i++)
            if (last || !(field[i] = take_field(&rest, &last)))
                return hd_fail_at(err, path, line, 0, "expected %d fields", FIELDS);
        if (!last) return hd_fail_at(err, path, line, 0, "expected %d fields", FIELDS);
        if (line == 1 && !check_header(path, field, err)) return false;
        if (line == 1) continue;
        if (published->count == MOST_PUBLISHED)
            return hd_fail_at(err, path, line, 0, "expected at most %d rows", MOST_PUBLISHED);
        PublishedRow *row = &published->rows[published->count++];
        *row = (PublishedRow){field[MACHINE], field[QUANTITY], field[FIGURE], field[UNIT],
                              field[SOURCE], field[PLACE], field[REASON], 0, 0};
        if (!read_figure(row))
            return hd_fail_at(err, path, line, 0, "'%s': expected a number, or low..high",
                              row->figure);
    }
    return true;
}

void published_free(Published *published) { free(published->text); }
