// Help as text.
#include "cli/options/command_help.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 25 };

void option_spelling(const Option *option, char text[SPELLING_TEXT])
{
    char letter[] = {'-', option->letter, ',', ' ', 0};
    if (option->spelling)
        snprintf(text, SPELLING_TEXT, "%s", option->spelling);
    else
        snprintf(text, SPELLING_TEXT, "%s--%s%s%s", option->letter ? letter : "", option->name,
                 option->value ? " " : "", option->value ? option->value : "");
}

static bool same_group(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

void command_for_options(const Command *command, ShowGroup *show_group, ShowOption *show_option,
                         void *user)
{
    enum { MAX_ROWS = 96 };
    const Option *rows[MAX_ROWS];
    size_t count = 0;
    for (unsigned t = 0; command->tables[t]; t++)
        for (const Option *row = command->tables[t]; row->name; row++)
            if (command_takes(command, row) && count < MAX_ROWS)
                rows[count++] = row;
    for (size_t first = 0; first < count; first++) {
        bool shown = false;
        for (size_t i = 0; i < first; i++) shown |= same_group(rows[i]->group, rows[first]->group);
        if (shown) continue;
        show_group(rows[first]->group, user);
        for (size_t i = first; i < count; i++)
            if (same_group(rows[i]->group, rows[first]->group)) show_option(rows[i], user);
    }
}

void help_words(const char *text, size_t length, int at, int indent, FILE *out)
{
    bool first = true;
    for (size_t i = 0; i < length;) {
        size_t word = strcspn(text + i, " \n");
        if (word > length - i) word = length - i;
        if (word && at + !first + (int)word > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        if (word) {
            fprintf(out, "%s%.*s", first ? "" : " ", (int)word, text + i);
            at += !first + (int)word;
            first = false;
        }
        i += word + 1;
    }
    fputc('\n', out);
}

// Paragraphs; lines that begin with a blank as they are.
static void print_text(const char *text, FILE *out)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        if (*line == ' ') fprintf(out, "%.*s\n", (int)length, line);
        else help_words(line, length, 0, 0, out);
        line += length + (line[length] == '\n');
    }
}

static void print_group(const char *group, void *out)
{
    fprintf(out, "\n%s%s", group ? group : "", group ? "\n" : "");
}

static void print_option(const Option *option, void *out)
{
    char spelling[SPELLING_TEXT];
    option_spelling(option, spelling);
    int used = fprintf(out, "  %s", spelling);
    bool fits = used + 2 <= HELP_COLUMN;
    fprintf(out, "%s%*s", fits ? "" : "\n", fits ? HELP_COLUMN - used : HELP_COLUMN, "");
    help_words(option->help, strlen(option->help), HELP_COLUMN, HELP_COLUMN, out);
}

void command_help(const Command *command, FILE *out)
{
    const char *line = command->synopsis;
    for (bool first = true; *line; first = false) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "%s heddle %.*s\n", first ? "usage:" : "      ", length, line);
        line += length + (line[length] == '\n');
    }
    fputc('\n', out);
    print_text(command->description, out);
    command_for_options(command, print_group, print_option, out);
    if (command->notes) {
        fputc('\n', out);
        print_text(command->notes, out);
    }
}
