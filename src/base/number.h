// Numbers in text, with a decimal point in every locale.
//
// Heddle is a part of programs that call setlocale (libcudart, libheddle). strtod and the functions
// of printf follow the locale of the program, in which 1.5 may be "1,5". These functions read all
// numbers with a fraction. number_format writes them, as does any function between
// number_locale_begin and number_locale_end.
#ifndef HEDDLE_BASE_NUMBER_H
#define HEDDLE_BASE_NUMBER_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>

// strtod and strtof of the C locale. Both skip blanks before the number; *end is behind the number,
// or `text` if there is none.
double number_read(const char *text, char **end);
float number_read_float(const char *text, char **end);

// snprintf and vsnprintf of the C locale.
int number_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int number_format_list(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

// Gives the calling thread the C locale, for a function that writes many numbers, and returns what
// number_locale_end needs to give the thread its own again. Other threads keep theirs. Pairs may be
// nested. Between the two, the caller calls no function of the program.
locale_t number_locale_begin(void);
void number_locale_end(locale_t of_program);

#endif
