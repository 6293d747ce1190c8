// Reads and writes numbers in the C locale.
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

// The C library has one constant object for the C locale and returns it to every caller. There is
// nothing to allocate, to keep or to free, and the call cannot fail.
static locale_t c_locale(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); }

double number_read(const char *text, char **end) { return strtod_l(text, end, c_locale()); }
float number_read_float(const char *text, char **end) { return strtof_l(text, end, c_locale()); }

locale_t number_locale_begin(void) { return uselocale(c_locale()); }
void number_locale_end(locale_t of_program) { uselocale(of_program); }

int number_format_list(char *text, size_t size, const char *format, va_list args)
{
    locale_t of_program = number_locale_begin();
    int length = vsnprintf(text, size, format, args);
    number_locale_end(of_program);
    return length;
}

int number_format(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = number_format_list(text, size, format, args);
    va_end(args);
    return length;
}
