// Messages of commands.
#include "cli/common/messages.h"

#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_fail(const HdError *err)
{
    fflush(stdout);
    fprintf(stderr, "heddle: %s\n", err->text);
    return EXIT_INPUT;
}

// Makes a message; sets err to it.
static void format_message(HdError *err, const char *format, va_list args)
{
    char text[HD_ERROR_TEXT];
    number_format_list(text, sizeof text, format, args);
    hd_fail(err, "%s", text);
}

int cli_fail_with(const char *format, ...)
{
    HdError err = {0};
    va_list args;
    va_start(args, format);
    format_message(&err, format, args);
    va_end(args);
    return cli_fail(&err);
}

void cli_note(const char *format, ...)
{
    HdError note = {0};
    va_list args;
    va_start(args, format);
    format_message(&note, format, args);
    va_end(args);
    fprintf(stderr, "heddle: note: %s\n", note.text);
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_GOOD;
    fprintf(stderr, "heddle: the output could not be written: %s\n", strerror(errno));
    return EXIT_INPUT;
}
