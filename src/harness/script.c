// Reads scripts.
#include "harness/script.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_TEXT = 512 };

typedef struct Name {
    const char *text;
    size_t variable;
} Name;

typedef struct Reader {
    Script *script;
    HdError *err;
    int line;
    Name *names; // that can be used here; `line` first
    size_t name_count, name_capacity;
    struct { size_t command, names; } open[SCRIPT_REPEAT_DEPTH]; // repeats without their ends
    size_t open_count;
    ScriptWord *words; // of the line
    size_t word_count, word_capacity;
} Reader;

#define FAIL_AT(r, column, ...)                                                                    \
    hd_fail_at((r)->err, (r)->script->file, (r)->line, column, __VA_ARGS__)

// ---- words ----

// Splits a line at blanks; # ends it. *text: the line as it is shown.
static bool split(Reader *r, const char *line, size_t length, const char **text)
{
    const char *comment = memchr(line, '#', length), *zero = memchr(line, 0, length);
    if (comment) length = (size_t)(comment - line);
    if (zero && zero < line + length)
        return FAIL_AT(r, (int)(zero - line) + 1, "a byte of value 0: expected text");
    while (length && text_is_blank(line[length - 1])) length--;
    size_t at = 0, first = 0;
    while (first < length && text_is_blank(line[first])) first++;
    *text = hd_arena_text(&r->script->arena, line + first, length - first);
    bool ok = *text;
    r->word_count = 0;
    for (at = first; ok && at < length;) {
        size_t end = at;
        while (end < length && !text_is_blank(line[end])) end++;
        const char *word = hd_arena_text(&r->script->arena, line + at, end - at);
        ok = word && HD_PUSH(r->words, r->word_count, r->word_capacity,
                             (ScriptWord){r->script->file, word, r->line, (int)at + 1});
        for (at = end; at < length && text_is_blank(line[at]);) at++;
    }
    return ok || hd_fail_memory(r->err, "reading a script");
}

// ---- names ----

static bool find_variable(const void *context, const char *name, size_t *index)
{
    const Reader *r = context;
    for (size_t i = r->name_count; i-- > 0;)
        if (strcmp(r->names[i].text, name) == 0) return *index = r->names[i].variable, true;
    return false;
}

static bool add_name(Reader *r, const ScriptWord *word, size_t *variable)
{
    size_t length = 0;
    while (text_is_alphanumeric(word->text[length]) || word->text[length] == '_') length++;
    if (!text_is_letter(word->text[0]) || word->text[length])
        return FAIL_AT(r, word->column, "'%.64s': expected a name of letters, digits and _",
                       word->text);
    if (find_variable(r, word->text, variable))
        return FAIL_AT(r, word->column, "the name '%.64s' is used already: expected another",
                       word->text);
    *variable = r->script->variables++;
    return HD_PUSH(r->names, r->name_count, r->name_capacity, (Name){word->text, *variable}) ||
           hd_fail_memory(r->err, "reading a script");
}

static bool read_number(Reader *r, const ScriptWord *word, Expression *number)
{
    ExpressionReader reader = {find_variable, r, &r->script->arena};
    return expression_read(number, &reader, word, r->err);
}

// ---- commands ----

// "expected load ADDRESS... [OPTION=VALUE...]"
static bool fail_usage(const Reader *r, int column, const ScriptForm *form, const char *what)
{
    return FAIL_AT(r, column, "%s: expected %s%s%s%s", what, form->name, form->usage ? " " : "",
                   form->usage ? form->usage : "", form->options ? " [OPTION=VALUE...]" : "");
}

// The form that the line begins with, and how many words its name has.
static bool find_form(Reader *r, ScriptKind *kind, size_t *length)
{
    const char *first = r->words[0].text, *names[SCRIPT_KINDS];
    char both[MESSAGE_TEXT];
    snprintf(both, sizeof both, "%.64s %.64s", first, r->word_count > 1 ? r->words[1].text : "");
    for (*length = 2; *length > 0; --*length)
        for (unsigned i = 0; i < SCRIPT_KINDS; i++) {
            if (strcmp(script_forms[i].name, *length == 2 ? both : first) != 0) continue;
            *kind = (ScriptKind)i;
            return true;
        }
    for (unsigned i = 0; i < SCRIPT_KINDS; i++) names[i] = script_forms[i].name;
    const char *near = hd_nearest(first, names, SCRIPT_KINDS);
    if (!near) near = hd_nearest(both, names, SCRIPT_KINDS);
    return FAIL_AT(r, r->words[0].column, "there is no command '%.64s': expected one that `heddle "
                                          "mechanism script` lists%s%s%s",
                   first, HD_DID_YOU_MEAN(near));
}

// Reads NAME=VALUE. equals: in the word.
static bool read_option(Reader *r, ScriptCommand *command, const ScriptWord *word, char *equals)
{
    const ScriptForm *form = &script_forms[command->kind];
    const char *names[SCRIPT_OPTIONS];
    int count = 0;
    ScriptOption *option = &command->options[command->option_count];
    *equals = 0;
    option->name = SCRIPT_OPTIONS;
    for (unsigned i = 0; i < SCRIPT_OPTIONS; i++) {
        if (!(form->options >> i & 1)) continue;
        names[count++] = script_options[i].name;
        if (strcmp(word->text, script_options[i].name) == 0) option->name = (ScriptOptionName)i;
    }
    if (option->name == SCRIPT_OPTIONS) {
        const char *near = hd_nearest(word->text, names, count);
        return FAIL_AT(r, word->column, "%s has no option '%.64s': expected one that `heddle "
                                          "mechanism script` lists%s%s%s",
                       form->name, word->text, HD_DID_YOU_MEAN(near));
    }
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].name == option->name)
            return FAIL_AT(r, word->column, "%s is given twice: expected one value", word->text);
    option->value.word = *word;
    option->value.word.text = equals + 1;
    option->value.word.column += (int)(equals + 1 - word->text);
    command->option_count++;
    const char *const *choices = script_options[option->name].choices;
    if (!choices) return read_number(r, &option->value.word, &option->value.number);
    if (hd_is_among(equals + 1, choices)) return true;
    char list[MESSAGE_TEXT];
    int choice_count = 0;
    while (choices[choice_count]) choice_count++;
    hd_list_names(list, sizeof list, choices, choice_count);
    return FAIL_AT(r, option->value.word.column, "%s = %.64s: expected one of %s", word->text,
                   equals + 1, list);
}

static bool is_number(OperandType type)
{
    return type == TAKES_NUMBER || type == TAKES_MAYBE_NUMBER || type == TAKES_NUMBERS ||
           type == TAKES_MAYBE_NUMBERS || type == TAKES_LIST;
}

// Reads the operands, which are the words that are no options.
static bool read_operands(Reader *r, ScriptCommand *command)
{
    const ScriptForm *form = &script_forms[command->kind];
    size_t at = 0;
    int end = r->words[r->word_count - 1].column + (int)strlen(r->words[r->word_count - 1].text);
    for (size_t i = 0; i < SCRIPT_OPERANDS && form->operands[i] != TAKES_NONE; i++) {
        OperandType type = form->operands[i];
        bool many = type == TAKES_NUMBERS || type == TAKES_MAYBE_NUMBERS ||
                    type == TAKES_WORDS || type == TAKES_LIST;
        bool optional = type == TAKES_MAYBE_NUMBER || type == TAKES_MAYBE_NUMBERS ||
                        type == TAKES_MAYBE_WORD;
        if (at == command->operand_count && !optional)
            return fail_usage(r, end, form, "an operand is missing");
        if (type == TAKES_LIST && command->operand_count == at + 1 &&
            strcmp(command->operands[at].word.text, "none") == 0) {
            command->operand_count = at;
            continue;
        }
        for (size_t n = 0; at < command->operand_count && (many || !n); n++, at++)
            if (is_number(type) && !read_number(r, &command->operands[at].word,
                                                &command->operands[at].number))
                return false;
    }
    if (at == command->operand_count) return true;
    char what[MESSAGE_TEXT];
    snprintf(what, sizeof what, "'%.64s' is one word too many", command->operands[at].word.text);
    return fail_usage(r, command->operands[at].word.column, form, what);
}

// What a command means for those that follow it.
static bool open_or_close(Reader *r, ScriptCommand *command)
{
    size_t index = r->script->count;
    int column = command->word.column;
    switch (command->kind) {
    case SCRIPT_CACHE:
        return index == 0 ||
               FAIL_AT(r, column, "cache: expected it before all other commands, once");
    case SCRIPT_LET: return add_name(r, &command->operands[0].word, &command->variable);
    case SCRIPT_REPEAT:
        if (r->open_count == SCRIPT_REPEAT_DEPTH)
            return FAIL_AT(r, column, "repeat: expected at most %d in each other",
                           SCRIPT_REPEAT_DEPTH);
        r->open[r->open_count].command = index;
        r->open[r->open_count++].names = r->name_count;
        return command->operand_count < 2 ||
               add_name(r, &command->operands[1].word, &command->variable);
    case SCRIPT_END:
        if (!r->open_count) return FAIL_AT(r, column, "end: expected a repeat before it");
        r->name_count = r->open[--r->open_count].names;
        command->partner = r->open[r->open_count].command;
        r->script->commands[command->partner].partner = index;
        return true;
    default: return true;
    }
}

static bool read_line(Reader *r, const char *text, size_t length)
{
    ScriptCommand command = {.variable = SCRIPT_NO_VARIABLE};
    const char *shown = NULL;
    if (!split(r, text, length, &shown)) return false;
    if (!r->word_count) return true;
    size_t at;
    if (!find_form(r, &command.kind, &at)) return false;
    command.word = r->words[0];
    command.word.text = shown;
    HdArena *arena = &r->script->arena;
    size_t others = r->word_count - at;
    command.operands = hd_arena_new(arena, (others + 1) * sizeof *command.operands);
    if (script_forms[command.kind].options)
        command.options = hd_arena_new(arena, (others + 1) * sizeof *command.options);
    if (!command.operands || (script_forms[command.kind].options && !command.options))
        return hd_fail_memory(r->err, "reading a script");
    for (; at < r->word_count; at++) {
        char *equals = strchr(r->words[at].text, '=');
        if (equals && command.options) {
            if (!read_option(r, &command, &r->words[at], equals)) return false;
        } else {
            command.operands[command.operand_count++].word = r->words[at];
        }
    }
    if (!read_operands(r, &command) || !open_or_close(r, &command)) return false;
    return HD_PUSH(r->script->commands, r->script->count, r->script->capacity, command) ||
           hd_fail_memory(r->err, "reading a script");
}

bool script_read(Script *script, const char *file, const char *text, size_t size, HdError *err)
{
    *script = (Script){.file = file, .variables = SCRIPT_LINE_VARIABLE + 1};
    Reader r = {.script = script, .err = err};
    bool ok = HD_PUSH(r.names, r.name_count, r.name_capacity,
                      (Name){"line", SCRIPT_LINE_VARIABLE}) ||
              hd_fail_memory(err, "reading a script");
    for (size_t at = 0; ok && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        r.line++;
        ok = read_line(&r, text + at, length);
        at += length + 1;
    }
    if (ok && r.open_count) {
        const ScriptWord *word = &script->commands[r.open[r.open_count - 1].command].word;
        ok = hd_fail_at(err, file, word->line, word->column, "repeat: expected an end for it");
    }
    free(r.names);
    free(r.words);
    return ok;
}

void script_free(Script *script)
{
    free(script->commands);
    hd_arena_free(&script->arena);
    *script = (Script){0};
}
