// Characters and words of input, which mean the same in every locale, and text for a terminal.
//
// The functions of ctype.h and strings.h follow the locale of the program that Heddle is a part of:
// in Turkish, the capital of 'i' is not 'I'. These know ASCII only.
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool text_is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline bool text_is_letter(char c) { return (unsigned char)((c | 32) - 'a') < 26; }
static inline bool text_is_alphanumeric(char c) { return text_is_digit(c) || text_is_letter(c); }
static inline bool text_is_hex_digit(char c)
{
    return text_is_digit(c) || (unsigned char)((c | 32) - 'a') < 6;
}
static inline bool text_is_blank(char c) { return c == ' ' || (unsigned char)(c - '\t') < 5; }
static inline bool text_is_printable(char c) { return (unsigned char)(c - ' ') < 95; }

static inline char text_lower(char c) { return (unsigned char)(c - 'A') < 26 ? (char)(c + 32) : c; }
static inline char text_upper(char c) { return (unsigned char)(c - 'a') < 26 ? (char)(c - 32) : c; }

// Whether the first `length` characters are equal except for upper and lower case. A text that ends
// earlier is equal to one that ends there too.
bool text_same_letters(const char *a, const char *b, size_t length);
// Whether they are equal but for upper and lower case, as names in SQL are.
static inline bool text_same_name(const char *a, const char *b)
{
    return text_same_letters(a, b, SIZE_MAX);
}

// Writes the text for a terminal, cut to fit `size` bytes, and returns `to`. A byte is written as
// \xNN if it belongs to a control character (also from U+0080 to U+009F), to a character that turns
// the direction of writing, or to no character of UTF-8. The control characters in `kept` stay. A
// text that was escaped already does not change.
char *text_escape(char *to, size_t size, const char *text, const char *kept);
// Whether it would not change the text.
bool text_is_plain(const char *text, const char *kept);
// Replaces each such byte by '?': for text whose columns must not move.
void text_mask(char *text, const char *kept);

enum { TEXT_DECIMAL = 21 };
// Writes a number in decimal digits, with a terminating zero: at most TEXT_DECIMAL bytes. Returns
// the place of the zero. For hot paths: it takes a tenth of the time of snprintf.
char *text_decimal(char *to, uint64_t number);

#endif
