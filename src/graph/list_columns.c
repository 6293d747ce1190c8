// The columns of a list of edges: separators, names, quoted fields, and networkx's dictionaries.
#include "graph/list_columns.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

// ---- fields ----

// Skips blanks that separate no columns.
static void skip_blanks(Scanner *s)
{
    if (s->separator != '\t') scan_blanks(s);
    else while (*s->p == ' ') s->p++;
}

// Whether a field that is not quoted ends here.
static bool at_field_end(const Scanner *s)
{
    return *s->p == s->separator || (s->separator == ' ' && *s->p == '\t') ||
           scan_is_line_end(s, s->p);
}

bool list_at_line_end(Scanner *s)
{
    skip_blanks(s);
    return *s->p == '#' || *s->p == '%' || scan_is_line_end(s, s->p);
}

bool list_begin_field(Scanner *s, const char *expected, bool *quoted)
{
    skip_blanks(s);
    *quoted = *s->p == '"';
    if (*quoted) {
        s->separator = '"';
        s->p++;
        return true;
    }
    // Numbers skip tabs.
    return s->separator != '\t' || *s->p != '\t' ||
           scan_fail(s, "the field is empty: expected %s", expected);
}

bool list_end_field(Scanner *s, const char *expected, char separator)
{
    s->separator = separator;
    if (*s->p != '"') return scan_fail_expected(s, expected);
    s->p++;
    return at_field_end(s) || scan_is_blank(*s->p) || scan_fail_expected(s, expected);
}

// The second quotation mark of the field that begins with one at p, or the end of the line. Between
// them, marks are doubled.
static const char *closing_mark(const Scanner *s, const char *p)
{
    for (p++; !scan_is_line_end(s, p); p++) {
        if (*p != '"') continue;
        if (p[1] != '"') break;
        p++;
    }
    return p;
}

static const char *separator_name(char separator)
{
    return separator == ','    ? "comma"
           : separator == ';'  ? "semicolon"
           : separator == '\t' ? "tab"
                               : "blank";
}

// Readers of tables differ in what they make of such fields.
static bool skip_quoted(Scanner *s)
{
    char field[SCAN_FIELD];
    const char *start = s->p, *mark = closing_mark(s, start);
    while (s->p < mark && !scan_is_control(*s->p)) s->p++;
    if (s->p < mark) return scan_text(s);
    if (*mark != '"') {
        s->p = start;
        return scan_fail(s, "a quotation mark that begins a field: expected a second one, in the "
                            "same line, that ends it");
    }
    s->p++;
    if (at_field_end(s)) return true;
    bool blank = scan_is_blank(*s->p);
    skip_blanks(s);
    if (at_field_end(s) || (blank && list_at_line_end(s))) return true;
    return scan_fail(s, "'%s' behind a field in quotation marks: expected a %s or the end of the "
                        "line (marks within such a field are doubled)", scan_field(s, field),
                     separator_name(s->separator));
}

bool list_skip_field(Scanner *s)
{
    skip_blanks(s);
    if (*s->p == '"') return skip_quoted(s);
    for (; !at_field_end(s); s->p++)
        if (scan_is_control(*s->p)) return scan_text(s);
    return true;
}

bool list_read_text(Scanner *s, const char **text, size_t *length)
{
    skip_blanks(s);
    const char *start = s->p;
    if (!list_skip_field(s)) return false;
    size_t bytes = (size_t)(s->p - start);
    while (bytes && scan_is_blank(start[bytes - 1])) bytes--;
    bool quoted = bytes && *start == '"';
    *text = start + quoted;
    *length = bytes - (quoted ? 2 : 0);
    return true;
}

size_t list_unescape(const Scanner *s, const char *text, size_t length)
{
    char *to = s->source->buffer + (text - s->source->buffer);
    size_t n = 0;
    if (text == s->line_start || text[-1] != '"' || !memchr(text, '"', length)) return length;
    for (size_t i = 0; i < length; i++) {
        to[n++] = text[i];
        i += text[i] == '"' && i + 1 < length && text[i + 1] == '"';
    }
    return n;
}

bool list_next_field(Scanner *s, const char *expected)
{
    if (s->separator == ' ') return true;
    skip_blanks(s);
    if (*s->p == s->separator) {
        s->p++;
        return true;
    }
    char before[128];
    snprintf(before, sizeof before, "the %s before %s", separator_name(s->separator), expected);
    return scan_fail_expected(s, before);
}

// Fails at a field of the current line that begins with a quotation mark and has no right end:
// then the number of columns is not known.
static bool check_quoted(Scanner s)
{
    HdError *err = s.err;
    for (;;) {
        skip_blanks(&s);
        if (*s.p == '{') return true;
        bool quoted = *s.p == '"';
        s.err = quoted ? err : NULL; // the reader of the line reports what is wrong with others
        if (!list_skip_field(&s)) return !quoted;
        if (list_at_line_end(&s)) return true;
        if (s.separator != ' ') s.p++;
    }
}

uint32_t list_count_columns(Scanner s)
{
    s.err = NULL; // the reader of the line reports what is wrong
    for (uint32_t count = 1;; count++) {
        skip_blanks(&s);
        if (*s.p == '{') return count;
        if (!list_skip_field(&s) || list_at_line_end(&s)) return count;
        if (s.separator != ' ') s.p++;
    }
}

char list_separator(const Scanner *s, bool table)
{
    bool tab = false, names = list_has_names(*s);
    bool begins = true; // a field
    for (const char *p = s->p; !scan_is_line_end(s, p) && *p != '{'; p++) {
        if (*p == ',' || *p == ';') return *p;
        if (begins && *p == '"') p = closing_mark(s, p);
        if (scan_is_line_end(s, p)) break;
        begins = scan_is_blank(*p);
        if (p > s->p && scan_is_blank(p[-1]) && (*p == '#' || *p == '%')) break;
        tab |= *p == '\t';
    }
    return tab && (table || names) ? '\t' : ' ';
}

// ---- names ----

// Letters beyond ASCII begin with one of the bytes 0xc2 to 0xf4 in UTF-8.
static bool begins_name(char c)
{
    unsigned char byte = (unsigned char)c;
    return text_is_letter(c) || c == '_' || c == ':' || (byte >= 0xc2 && byte <= 0xf4);
}

bool list_has_names(Scanner s)
{
    while (scan_is_blank(*s.p) || *s.p == '"' || *s.p == ',' || *s.p == ';') s.p++;
    return begins_name(*s.p);
}

bool list_is_name(Scanner s, uint32_t column)
{
    s.err = NULL; // the reader of the line reports what is wrong
    for (uint32_t at = 1; at < column; at++) {
        if (!list_skip_field(&s) || list_at_line_end(&s)) return false;
        if (s.separator != ' ') s.p++;
    }
    skip_blanks(&s);
    while (*s.p == '"') s.p++; // a quoted name may begin with a doubled one
    return begins_name(*s.p);
}

bool list_is_word(Scanner s)
{
    EdgeWeight number;
    if (list_is_name(s, 1)) return true;
    skip_blanks(&s);
    const char *start = s.p + (*s.p == '"'), *p = start;
    bool letters = false;
    for (; *p != '"' && !scan_is_field_end(&s, p); p++) letters |= text_is_letter(*p);
    return letters && scan_is_digit(*start) &&
           !edge_weight_read(start, (size_t)(p - start), &number);
}

// Names without their case and all but letters and digits, which the tools vary: "FromNodeId",
// "from_node_id". In the order of HdListReading.
enum { COLUMN_FROM, COLUMN_TO, COLUMN_WEIGHT, COLUMN_TYPE, COLUMN_KINDS, COLUMN_NAMES = 12 };
typedef const char *ColumnNames[COLUMN_KINDS][COLUMN_NAMES];
static const ColumnNames column_names = {
    {"source", "src", "from", "u", "fromnodeid", "fromid", "sourceid", "srcid", "startid", "node1",
     "id1"},
    {"target", "dst", "to", "v", "tonodeid", "toid", "targetid", "dstid", "endid", "node2", "id2",
     "destination"},
    {"weight", "w", "wgt"},
    {"type"},
};
// Also known in a bipartite list.
static const ColumnNames side_names = {
    {"user", "userid", "uid"},
    {"item", "itemid", "iid", "movie", "movieid", "product", "productid", "artist", "artistid",
     "book", "bookid"},
    {"rating", "score"},
    {NULL},
};

static bool is_known(const char *letters, const char *const names[COLUMN_NAMES])
{
    for (int i = 0; i < COLUMN_NAMES && names[i]; i++)
        if (strcmp(letters, names[i]) == 0) return true;
    return false;
}

// The kind of a column of this name; COLUMN_KINDS: none.
static int kind_of_name(const char *name, size_t length, const HdListReading *reading)
{
    char letters[16];
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (!text_is_alphanumeric(name[i])) continue;
        if (n + 1 == sizeof letters) return COLUMN_KINDS;
        letters[n++] = text_lower(name[i]);
    }
    letters[n] = 0;
    for (int kind = 0; kind < COLUMN_KINDS; kind++)
        if (is_known(letters, column_names[kind]) ||
            (reading->bipartite && is_known(letters, side_names[kind])))
            return kind;
    return COLUMN_KINDS;
}

FirstNames list_first_names(Scanner s, const HdListReading *reading, bool table)
{
    const char *name;
    size_t length;
    uint32_t count = 0;
    bool numbers = false, known[COLUMN_KINDS + 1] = {false};
    if (reading->first == HD_FIRST_EDGE) return FIRST_OF_VERTICES;
    if (reading->first == HD_FIRST_SIZES || reading->from || reading->to) return FIRST_OF_COLUMNS;
    s.err = NULL; // the reader of the line reports what is wrong
    for (bool more = true; more; s.p += more && s.separator != ' ') {
        skip_blanks(&s);
        if (*s.p == '{') {
            numbers |= count < 3;
            break;
        }
        if (!list_read_text(&s, &name, &length)) return FIRST_OF_COLUMNS;
        known[kind_of_name(name, length, reading)] = true;
        count++;
        if (count == 3 || (count == 2 && !table))
            numbers |= length && strchr("+-.0123456789", *name);
        more = !list_at_line_end(&s);
    }
    if (known[COLUMN_FROM] && known[COLUMN_TO]) return FIRST_OF_COLUMNS;
    if (numbers || (reading->names && !table)) return FIRST_OF_VERTICES;
    return count == 2 && !table ? FIRST_OF_EITHER : FIRST_OF_COLUMNS;
}

// ---- matrices ----

bool list_is_declared(const HdListReading *l)
{
    return l->first != HD_FIRST_ANY || l->from || l->to || l->weight || l->unweighted ||
           l->names || l->bipartite;
}

// Whether the current line has this number of columns, all with numbers but for the first ones.
static bool is_row(Scanner s, uint32_t columns, uint32_t first)
{
    if (list_count_columns(s) != columns) return false;
    s.err = NULL;
    for (uint32_t column = 0; column < columns; column++) {
        const char *cell;
        size_t length;
        EdgeWeight number;
        if (!list_read_text(&s, &cell, &length)) return false;
        if (column >= first && !edge_weight_read(cell, length, &number)) return false;
        if (!list_at_line_end(&s) && s.separator != ' ') s.p++;
    }
    return true;
}

// Whether the current line and all others are the rows of an adjacency matrix. `first`: columns
// that have the names of rows. Reads the lines.
static bool is_matrix(Scanner *s, uint32_t columns, uint32_t first)
{
    uint32_t count = 0;
    do {
        if (count == columns - first || !is_row(*s, columns, first)) return false;
        count++;
    } while (scan_line(s, "#%"));
    return count == columns - first;
}

#define MATRIX_TEXT                                                                                \
    "the lines look like an adjacency matrix of %u vertices, which is not read: expected a list "  \
    "of edges, or Matrix Market, which SciPy writes by scipy.io.mmwrite; if the lines are edges, " \
    "--format "

// Has messages name an earlier line.
static void at_line(Scanner *s, uint64_t line)
{
    s->line = line;
    s->line_start = s->p;
}

// ---- names of columns ----

// Names in quotes for a message.
typedef struct NameList {
    char text[256];
    size_t used;
} NameList;

static void add_name(NameList *list, const char *name, size_t length)
{
    size_t room = sizeof list->text - list->used;
    if (length + 8 > room) {
        if (room > 5) list->used += (size_t)snprintf(list->text + list->used, room, ", ...");
        return;
    }
    list->used += (size_t)snprintf(list->text + list->used, room, "%s'%.*s'",
                                   list->used ? ", " : "", (int)length, name);
}

#define CHOOSE_COLUMNS "%s,from=N,to=N%s"
// `index`: the first column has no name, as the names of rows in pandas's tables.
static bool fail_names(Scanner *s, const char *names, uint32_t count, bool index,
                       const HdListReading *reading, const GraphBuild *build)
{
    uint64_t line = s->line;
    bool matrix = count > 2 && !list_is_declared(reading) && scan_line(s, "#%") &&
                  is_matrix(s, count, index);
    at_line(s, line);
    const char *weight = count == 2 || reading->unweighted ? "" : ",weight=N";
    HdListReading others = *reading; // than the columns
    others.from = others.to = others.weight = 0;
    FormatText format = format_text(build->format, &others);
    if (matrix) return scan_fail(s, MATRIX_TEXT CHOOSE_COLUMNS, count - index, format.text, weight);
    return scan_fail(s, "the columns %s: expected names such as %s, or --format " CHOOSE_COLUMNS,
                     names, reading->bipartite ? "user, item and rating"
                                               : "source, target and weight", format.text, weight);
}

bool list_name_two(Scanner s, uint64_t line, const char *const names[2], const size_t lengths[2],
                   const HdListReading *reading, GraphBuild *build)
{
    NameList both = {0};
    bool known = false;
    for (int i = 0; i < 2; i++) {
        add_name(&both, names[i], lengths[i]);
        known |= kind_of_name(names[i], lengths[i], reading) < COLUMN_WEIGHT;
    }
    at_line(&s, line);
    if (known) return fail_names(&s, both.text, 2, false, reading, build);
    graph_note(build, s.file, line, "the columns %s are read as source and target", both.text);
    return true;
}

bool list_read_names(Scanner *s, const HdListReading *reading, GraphBuild *build,
                     ListColumns *columns)
{
    uint32_t found[COLUMN_KINDS] = {reading->from, reading->to, reading->weight}, count = 0;
    NameList all = {0}, ignored = {0};
    for (bool more = true; more; s->p += more && s->separator != ' ') {
        const char *name;
        size_t length;
        if (!list_read_text(s, &name, &length)) return false;
        int kind = kind_of_name(name, length, reading);
        count++;
        bool given = count == reading->from || count == reading->to || count == reading->weight;
        if (kind < COLUMN_KINDS && !found[kind] && !(kind == COLUMN_WEIGHT && reading->unweighted))
            found[kind] = count;
        else if (!given) add_name(&ignored, name, length);
        add_name(&all, name, length);
        more = !list_at_line_end(s);
    }
    for (int kind = 0; kind < COLUMN_KINDS; kind++) {
        if (found[kind] <= count) continue;
        s->p = s->line_start;
        return scan_fail(s, "%u columns: expected at least %u, which --format names", count,
                         found[kind]);
    }
    if (!found[COLUMN_FROM] && !found[COLUMN_TO] && count == 2) {
        found[COLUMN_FROM] = 1;
        found[COLUMN_TO] = 2;
        graph_note(build, s->file, s->line, "the columns %s are read as source and target",
                   all.text);
    } else if (!found[COLUMN_FROM] || !found[COLUMN_TO]) {
        return fail_names(s, all.text, count, strncmp(all.text, "''", 2) == 0, reading,
                          build);
    } else if (ignored.used) {
        graph_note(build, s->file, s->line, "columns that are not read: %s", ignored.text);
    }
    *columns = (ListColumns){.from = found[COLUMN_FROM], .to = found[COLUMN_TO],
                             .weight = found[COLUMN_WEIGHT], .type = found[COLUMN_TYPE],
                             .count = count, .line = s->line};
    return scan_text(s);
}

// ---- columns without names ----

#define CHOOSE_WEIGHT "%s,weight=N (N: the number of a column, or none)"
static bool fail_columns(Scanner *s, uint32_t count, const HdListReading *reading,
                         const GraphBuild *build)
{
    uint64_t line = s->line;
    bool matrix = !list_is_declared(reading) && is_matrix(s, count, 0);
    at_line(s, line);
    FormatText format = format_text(build->format, reading);
    return matrix ? scan_fail(s, MATRIX_TEXT CHOOSE_WEIGHT, count, format.text)
                  : scan_fail(s, "%u columns without names: expected 2 to 4, or --format "
                                 CHOOSE_WEIGHT, count, format.text);
}

static bool fail_one_column(Scanner *s)
{
    const char *p = s->p;
    while (!scan_is_line_end(s, p) && strncmp(p, "::", 2) != 0) p++;
    if (*p == ':')
        return scan_fail(s, "one column: '::' separates none: expected blanks, tabs, commas or "
                            "semicolons (sed 's/::/,/g' makes commas)");
    return scan_fail(s, "one column: expected an edge, \"from%cto\" or \"from%cto%cweight\" "
                        "(lists of neighbours need --format graph)", s->separator, s->separator,
                     s->separator);
}

bool list_settle_columns(Scanner *s, const HdListReading *reading, bool weighted,
                         GraphBuild *build, ListColumns *columns)
{
    Scanner look = *s;
    if (!check_quoted(look)) return false;
    uint32_t count = list_count_columns(*s);
    bool quoted, ids = reading->from || reading->to;
    *columns = (ListColumns){.from = reading->from ? reading->from : reading->to == 1 ? 2 : 1,
                             .to = reading->to ? reading->to : reading->from == 2 ? 1 : 2,
                             .weight = reading->weight, .count = count, .line = s->line};
    uint32_t last = columns->from > columns->to ? columns->from : columns->to;
    // A dictionary follows two columns.
    look.err = NULL;
    for (int column = 1; column < 3 && list_skip_field(&look); column++)
        if (look.separator != ' ' && *look.p == look.separator) look.p++;
    columns->dictionary = count == 3 && list_begin_field(&look, "", &quoted) && *look.p == '{';
    if (columns->dictionary) {
        Scanner value;
        if (list_read_dictionary(&look, &value) && value.p && !reading->unweighted)
            columns->weight = 3;
    } else if (!columns->weight && !reading->unweighted && weighted && last == 2 && count >= 3) {
        columns->weight = 3;
        if (count > 4) return fail_columns(s, count, reading, build);
        if (count == 4)
            graph_note(build, s->file, s->line, "of 4 columns, column 3 is read as the weight, and "
                       "column 4 is not read (--format %s,weight=N says otherwise; N: the number "
                       "of a column, or none)", format_text(build->format, reading).text);
    }
    if (columns->weight > last) last = columns->weight;
    if (last > count && (ids || reading->weight))
        return scan_fail(s, "%u columns: expected at least %u, which --format names", count, last);
    if (count == 1) return fail_one_column(s);
    if (last > count) columns->count = last; // the line is reported where it ends
    return true;
}

// ---- dictionaries ----

// The end of the text in quotes at p, behind its second quotation mark.
static const char *quoted_end(const Scanner *s, const char *p)
{
    char mark = *p++;
    while (*p != mark && !scan_is_line_end(s, p)) p++;
    return *p == mark ? p + 1 : p;
}

bool list_read_dictionary(Scanner *s, Scanner *weight)
{
    static const char key[] = "weight";
    const char *p = s->p;
    int depth = 0;
    *weight = *s;
    weight->p = NULL;
    do {
        if (scan_is_line_end(s, p)) return scan_fail(s, "the dictionary has no end: expected '}'");
        if (scan_is_control(*p)) return scan_text(s);
        if (*p == '\'' || *p == '"') {
            const char *name = p + 1;
            p = quoted_end(s, p);
            bool found = depth == 1 && p - name == sizeof key && memcmp(name, key, 6) == 0;
            while (found && *p == ' ') p++;
            if (!found || *p != ':') continue;
            weight->p = p + 1;
            p += 1 + strspn(p + 1, " +-.0123456789eE");
            weight->separator = *p;
            continue;
        }
        depth += (*p == '{') - (*p == '}');
        p++;
    } while (depth);
    s->p = p;
    return true;
}
