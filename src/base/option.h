// Options as tables: a row names an option, its type and the place of its value, and says in one
// sentence what the option does. Command lines, environment variables, settings files, help, manual
// pages and completion are all made from the rows.
#ifndef HEDDLE_BASE_OPTION_H
#define HEDDLE_BASE_OPTION_H

#include "base/fail.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

typedef enum OptionType {
    OPTION_FLAG,   // bool; given without a value on a command line
    OPTION_TEXT,   // const char *
    OPTION_OUTPUT, // const char *: the path of a file to write, or one of `choices`
    OPTION_LIST,   // const char *const *, NULL-terminated; an option given again adds a text
    OPTION_U32,    // uint32_t from min to max
    OPTION_U64,    // uint64_t from min to max
    OPTION_SIZE,   // uint64_t, bytes, at least 1
    OPTION_SHAPE,  // uint32_t[3], each at least 1; a missing number is 1
    OPTION_CHOICE, // unsigned: an index of `choices`
    OPTION_PARSED, // any: `parse` reads it
} OptionType;

// A value on its way into its target.
typedef struct OptionInput {
    const char *where; // for messages: "--seed", "HEDDLE_SEED", "heddle.yaml:2:7: seed"
    const char *text;  // NULL for a flag without a value
    bool again;        // the same source gave the option before: joins texts (`separator`)
    HdArena *arena;    // owns the texts and lists that targets point to
    HdError *err;
} OptionInput;

typedef struct Option Option;
struct Option {
    const char *name;  // without dashes; NULL ends a table
    char letter;       // its short form, or 0
    OptionType type;
    size_t target;     // offset of the value in the struct of the table
    const char *value; // how help names the value: "N"; NULL for flags
    uint64_t min, max; // of numbers; max 0: the type's
    const char *const *choices; // NULL-terminated
    bool (*parse)(const Option *option, void *values, const OptionInput *input);
    char separator;    // joins values of a text that is given again; splits lists in the
                       // environment; 0: the last value counts
    const char *group; // the heading in help; NULL: none
    unsigned commands; // the commands that take it, as bits; 0: all that have the table
    unsigned when;     // when it has an effect, as bits that the table's owner defines
    const char *exclusive; // what the option decides; options that decide the same exclude each
                           // other
    const char *help;  // one sentence
    const char *spelling; // how help shows it, where not as --name VALUE
    bool environment; // each command also takes it from the environment (option_variable)
};

// Gives the target its value; a list grows. `values` is the struct of the table. false and err:
// "WHERE 'TEXT': expected ...".
bool option_assign(const Option *option, void *values, const OptionInput *input);

// Whether the two options exclude each other.
bool option_excludes(const Option *a, const Option *b);
// The message for that, with the names as the source has them. Returns false.
bool option_fail_both(const char *a, const char *b, const Option *option, HdError *err);

// The row of a name in a table, or NULL.
const Option *option_find(const Option *table, const char *name);

// The name of the option's environment variable ("HEDDLE_MAX_CYCLES") and its key in a settings
// file ("max_cycles").
enum { OPTION_NAME_TEXT = 64 };
void option_variable(const Option *option, char text[OPTION_NAME_TEXT]);
void option_key(const Option *option, char text[OPTION_NAME_TEXT]);

// For `parse`: the message of a wrong value, "WHERE 'TEXT': expected " and the rest. Returns false.
bool option_expected(const OptionInput *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// For `parse`: whole numbers, decimal or 0x..., from min to max (0: any); sizes such as 64KiB;
// "X", "X,Y" or "X,Y,Z".
bool option_read_number(const OptionInput *input, uint64_t min, uint64_t max, uint64_t *value);
bool option_read_size(const OptionInput *input, uint64_t *bytes);
bool option_read_shape(const OptionInput *input, uint32_t shape[3]);
// For `parse`: "A..B" with A at most B, both at least `min`, or where `single` allows it "A" alone.
bool option_read_range(const OptionInput *input, uint64_t min, bool single, uint64_t *first,
                       uint64_t *last);
// The texts in a NULL-terminated list; NULL is an empty one.
size_t option_list_length(const char *const *list);
// For `parse`: appends a copy of `length` characters to a NULL-terminated list of the arena, which
// only this function has made.
bool option_list_add(const char *const **list, const char *text, size_t length, HdArena *arena,
                     HdError *err);

#endif
