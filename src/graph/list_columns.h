// Internal to the graph layer: the columns of a list of edges: what separates them, and which of
// them hold an edge.
#ifndef HEDDLE_GRAPH_LIST_COLUMNS_H
#define HEDDLE_GRAPH_LIST_COLUMNS_H

#include "graph/text_scanner.h"

typedef struct ListColumns {
    uint32_t from, to, weight; // numbers of columns, from 1; weight 0: none
    uint32_t count;            // columns of each line; 0: not known yet
    uint64_t line;             // the line that decided the count
    uint32_t type;             // says whether an edge is directed, as Gephi writes it; 0: none
    bool dictionary;           // column 3 is a dictionary of Python, as networkx writes it
} ListColumns;

// What stands between the columns of the text whose first line, of names or numbers, is the current
// one: ',', ';', '\t' or ' ', which means any number of blanks and tabs. In a `table` and between
// names a single tab separates, so that a column may be empty. The scanner's separator is set to it
// before one of the functions below is called.
char list_separator(const Scanner *s, bool table);

// Whether the current line begins with a name, not with a number.
bool list_has_names(Scanner s);
// What a first line is that begins with a name. If it has two names, the second line decides.
typedef enum FirstNames { FIRST_OF_COLUMNS, FIRST_OF_VERTICES, FIRST_OF_EITHER } FirstNames;
FirstNames list_first_names(Scanner s, const HdListReading *reading, bool table);
// Whether the column of the current line has a name, not a number.
bool list_is_name(Scanner s, uint32_t column);
// Whether the next field is a name, or a word that begins with a digit, such as "0xab".
bool list_is_word(Scanner s);
// Reads the names of columns, and finds those of an edge. `reading` decides where it names columns.
// A note says which columns are not read.
bool list_read_names(Scanner *s, const HdListReading *reading, GraphBuild *build,
                     ListColumns *columns);
// Takes two names of columns in an earlier line as source and target, which a note says. Fails if
// one of them is known: then the other column may be any.
bool list_name_two(Scanner s, uint64_t line, const char *const names[2], const size_t lengths[2],
                   const HdListReading *reading, GraphBuild *build);
// Decides by the current line, the first with numbers, what the columns are. `weighted`: column 3
// is the weight, if there is one. A note says what was assumed about a fourth column.
bool list_settle_columns(Scanner *s, const HdListReading *reading, bool weighted,
                         GraphBuild *build, ListColumns *columns);

// Whether --format says anything but the format: then the lines are edges, and no matrix.
bool list_is_declared(const HdListReading *reading);

// The number of columns of the current line.
uint32_t list_count_columns(Scanner s);
// Moves to the start of the column's field, which must not be empty, and past a quotation mark.
// *quoted: list_end_field must follow the field's number.
bool list_begin_field(Scanner *s, const char *expected, bool *quoted);
bool list_end_field(Scanner *s, const char *expected, char separator);
// Skips a field, which may be quoted. Fails at a control character.
bool list_skip_field(Scanner *s);
// As list_skip_field, and sets *text and *length to the field without quotation marks.
bool list_read_text(Scanner *s, const char **text, size_t *length);
// Makes the doubled quotation marks of a quoted field that list_read_text gave single, in the
// scanner's buffer: its line must not be read again. Returns the new length.
size_t list_unescape(const Scanner *s, const char *text, size_t length);
// Moves to the field after the separator; `expected` describes its column.
bool list_next_field(Scanner *s, const char *expected);
// Whether the line ends, but for a comment.
bool list_at_line_end(Scanner *s);
// Finds the value of 'weight' in the dictionary at the current position, which must end the line.
// `weight` is then at the value, and ends with it; its p is NULL if there is none.
bool list_read_dictionary(Scanner *s, Scanner *weight);

#endif
