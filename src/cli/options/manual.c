// Manual pages as troff.
#include "cli/options/command_help.h"

#include <string.h>

// A text whose first character, and any backslash, means nothing to troff.
static void put_escaped(const char *text, size_t length, FILE *out)
{
    if (length && (*text == '.' || *text == '\'')) fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') fputs("\\e", out);
        else if (text[i] == '-') fputs("\\-", out);
        else fputc(text[i], out);
    }
}

// Paragraphs; lines that begin with a blank as they are.
static void put_text(const char *text, FILE *out)
{
    bool kept = false;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        if (kept != (*line == ' ')) fputs(kept ? ".fi\n" : ".nf\n", out);
        kept = *line == ' ';
        if (length) put_escaped(line, length, out);
        fputs(length ? "\n" : ".PP\n", out);
        line += length + (line[length] == '\n');
    }
    if (kept) fputs(".fi\n", out);
}

static void put_title(const char *name, const char *summary, FILE *out)
{
    fprintf(out, ".TH %s 1 \"\" \"heddle %s\" \"Heddle\"\n.SH NAME\n", name, HEDDLE_VERSION);
    put_escaped(name, strlen(name), out);
    fprintf(out, " \\- %s\n", summary);
}

static void put_group(const char *group, void *out)
{
    if (group) fprintf(out, ".SS %s\n", group);
}

static void put_option(const Option *option, void *out)
{
    char spelling[SPELLING_TEXT];
    option_spelling(option, spelling);
    fputs(".TP\n.B ", out);
    put_escaped(spelling, strlen(spelling), out);
    fputc('\n', out);
    put_escaped(option->help, strlen(option->help), out);
    fputc('\n', out);
}

void command_manual(const Command *command, FILE *out)
{
    char name[64];
    snprintf(name, sizeof name, "heddle-%s", command->name);
    put_title(name, command->summary, out);
    fputs(".SH SYNOPSIS\n.nf\n", out);
    for (const char *line = command->synopsis; *line;) {
        size_t length = strcspn(line, "\n");
        fputs("heddle ", out);
        put_escaped(line, length, out);
        fputc('\n', out);
        line += length + (line[length] == '\n');
    }
    fputs(".fi\n.SH DESCRIPTION\n", out);
    put_text(command->description, out);
    if (command->tables[0]) {
        fputs(".SH OPTIONS\n", out);
        command_for_options(command, put_group, put_option, out);
    }
    if (command->notes) {
        fputs(".SH NOTES\n", out);
        put_text(command->notes, out);
    }
    fputs(".SH SEE ALSO\n.BR heddle (1)\n", out);
}

void program_manual(const Command *const *commands, FILE *out)
{
    put_title("heddle", "simulate GPUs that run programs whose warps diverge", out);
    fputs(".SH SYNOPSIS\n.B heddle\n.I COMMAND\n[arguments]\n.br\n.B heddle \\-\\-version\n"
          ".SH COMMANDS\n",
          out);
    for (; *commands; commands++)
        fprintf(out, ".TP\n.BR heddle\\-%s (1)\n%s\n", (*commands)->name, (*commands)->summary);
    fputs(".SH OPTIONS\n.TP\n.B \\-V, \\-\\-version\n"
          "print the versions of heddle, of the layout of results, and of heddle/mechanism.h\n",
          out);
}
