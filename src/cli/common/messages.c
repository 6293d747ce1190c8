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

int cli_fail_with(const char *format, ...)
{
    HdError err = {0};
    char text[HD_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    hd_fail(&err, "%s", text);
    return cli_fail(&err);
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_GOOD;
    fprintf(stderr, "heddle: the output could not be written: %s\n", strerror(errno));
    return EXIT_INPUT;
}
