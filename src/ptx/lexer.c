// Turns characters into tokens, and errors into messages with the source line and a caret.
#include "ptx/internal.h"

#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 400 }; // characters of a source line that a message shows

const PtxText *text_of(const Parser *p, const Token *at)
{
    size_t i = p->text_count - 1;
    while (i && (at->text < p->texts[i].text || at->text > p->ends[i])) i--;
    return &p->texts[i];
}

bool ptx_fail(Parser *p, const Token *at, const char *format, ...)
{
    if (p->failed) return false;
    p->failed = true;
    char text[HD_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    const char *start = at->text - at->column;
    int column = (int)at->column, length = (int)strnlen(start, MAX_SHOWN);
    const char *newline = memchr(start, '\n', (size_t)length);
    if (newline) length = (int)(newline - start);
    if (length && start[length - 1] == '\r') length--;
    if (length && column <= length) { // append the source line, and a caret below the column
        size_t used = strlen(text);
        char shown[MAX_SHOWN + 1];
        snprintf(shown, sizeof shown, "%.*s", length, start);
        text_mask(shown, "\t");
        snprintf(text + used, sizeof text - used, "\n%s\n", shown);
        used = strlen(text);
        for (int i = 0; i < column && used + 2 < sizeof text; i++)
            text[used++] = start[i] == '\t' ? '\t' : ' ';
        if (used + 1 < sizeof text) text[used++] = '^';
        text[used] = 0;
    }
    return hd_fail_at(p->err, text_of(p, at)->path, at->line, column + 1, "%s", text);
}

bool ptx_fail_again(Parser *p, const char *text)
{
    if (p->failed) return false;
    p->failed = true;
    return hd_fail(p->err, "%s", text);
}

static bool is_word(char c)
{
    unsigned char lower = (unsigned char)(c | 32), digit = (unsigned char)(c - '0');
    return (lower >= 'a' && lower <= 'z') || digit < 10 || c == '_' || c == '$';
}

// Skips one character, and counts lines.
static void skip_character(Parser *p)
{
    if (*p->at++ != '\n') return;
    p->line++;
    p->line_start = p->at;
}

// A token of `length` bytes at the current place.
static Token token_here(const Parser *p, TokenKind kind, uint32_t length)
{
    return (Token){.kind = kind, .text = p->at, .length = length, .line = p->line,
                   .column = (uint32_t)(p->at - p->line_start)};
}

// Skips blanks and comments. false: a comment has no end.
static bool skip_blanks(Parser *p)
{
    for (;;) {
        while (text_is_blank(*p->at)) skip_character(p);
        if (p->at[0] != '/') return true;
        if (p->at[1] == '/') {
            p->at += strcspn(p->at, "\n");
        } else if (p->at[1] == '*') {
            Token start = token_here(p, TOKEN_CHAR, 2);
            const char *end = strstr(p->at + 2, "*/");
            if (!end) return ptx_fail(p, &start, "unterminated comment: expected '*/'");
            while (p->at < end + 2) skip_character(p);
        } else {
            return true;
        }
    }
}

// Reads 0f and eight, or 0d and sixteen hexadecimal digits: the bits of a floating-point number.
static bool lex_float_bits(Token *t)
{
    unsigned digits = (t->text[1] | 32) == 'f' ? 8 : 16;
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; i++) {
        char c = t->text[2 + i];
        if (!text_is_hex_digit(c)) return false;
        bits = bits << 4 | (unsigned)(text_is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
    }
    t->kind = digits == 8 ? TOKEN_FLOAT : TOKEN_DOUBLE;
    t->value = bits;
    t->length = 2 + digits;
    return !is_word(t->text[t->length]);
}

static bool lex_number(Token *t)
{
    char *end;
    const char *s = t->text;
    // The fast path for most numbers: decimal digits, few enough for 64 bits.
    uint64_t decimal = 0;
    uint32_t n = 0;
    while (n < 18 && s[n] >= '0' && s[n] <= '9') decimal = decimal * 10 + (uint64_t)(s[n++] - '0');
    if (!is_word(s[n]) && s[n] != '.' && (s[0] != '0' || n == 1)) {
        t->kind = TOKEN_INTEGER;
        t->value = decimal;
        t->length = n;
        return true;
    }
    if (s[0] == '0' && ((s[1] | 32) == 'f' || (s[1] | 32) == 'd')) return lex_float_bits(t);
    errno = 0;
    t->kind = TOKEN_INTEGER;
    if (s[0] == '0' && (s[1] | 32) == 'b') {
        if (s[2] != '0' && s[2] != '1') return false; // strtoull would take blanks and a sign
        t->value = strtoull(s + 2, &end, 2);
    } else {
        t->value = strtoull(s, &end, 0);
    }
    if (*end == '.' || ((*end | 32) == 'e' && (s[1] | 32) != 'x')) {
        double value = number_read(s, &end);
        memcpy(&t->value, &value, sizeof value);
        t->kind = TOKEN_DOUBLE;
    } else if (*end == 'U') {
        end++;
    }
    t->length = (uint32_t)(end - s);
    return errno != ERANGE && !is_word(*end);
}

static bool lex_token(Parser *p, Token *t)
{
    if (!skip_blanks(p)) return false;
    *t = token_here(p, TOKEN_CHAR, 1);
    const char *s = p->at;
    char c = *s;
    if (!c) {
        t->kind = TOKEN_END;
        t->length = 0;
    } else if (c == '%' || (is_word(c) && !text_is_digit(c))) {
        t->kind = TOKEN_NAME;
        while (is_word(s[t->length])) t->length++;
    } else if (text_is_digit(c)) {
        if (!lex_number(t)) {
            int length = 1;
            while (is_word(s[length]) || s[length] == '.') length++;
            return ptx_fail(p, t, "'%.*s': expected a number of at most 64 bits", length, s);
        }
    } else if (c == '.' && is_word(s[1])) { // may contain "::": .L2::128B
        uint32_t n = 1;
        t->kind = TOKEN_DOT;
        while (is_word(s[n]) || (s[n] == ':' && s[n + 1] == ':' && is_word(s[n + 2])) ||
               (s[n] == ':' && s[n - 1] == ':'))
            n++;
        t->length = n;
    } else if (c == '"') {
        const char *end = s + 1;
        while (*end && *end != '"' && *end != '\n')
            end += end[0] == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
        if (*end != '"')
            return ptx_fail(p, t, "unterminated string: expected '\"' on the same line");
        t->kind = TOKEN_STRING;
        t->length = (uint32_t)(end + 1 - s);
    } else if (!strchr("{}()[]<>,;:@!|+-=.~*/&^?", c)) {
        return text_is_printable(c)
                   ? ptx_fail(p, t, "unexpected character '%c': expected PTX", c)
                   : ptx_fail(p, t, "unexpected character 0x%02x: expected PTX text",
                              (unsigned char)c);
    }
    p->at += t->length;
    return true;
}

void lex_next(Parser *p)
{
    p->last = p->token;
    Token t;
    if (!lex_token(p, &t)) t = token_here(p, TOKEN_ERROR, 0);
    p->token = t;
}

void lex_start(Parser *p)
{
    p->at = p->line_start = p->texts[p->text_count - 1].text;
    p->line = 1;
    lex_next(p);
}

LexPlace lex_place(const Parser *p)
{
    return (LexPlace){p->at, p->line_start, p->line, p->token, p->last};
}

void lex_return(Parser *p, const LexPlace *place)
{
    p->at = place->at;
    p->line_start = place->line_start;
    p->line = place->line;
    p->token = place->token;
    p->last = place->last;
}

bool accept_char(Parser *p, char c)
{
    if (!at_char(p, c)) return false;
    lex_next(p);
    return true;
}

bool accept_dot(Parser *p, const char *word)
{
    if (!at_dot(p, word)) return false;
    lex_next(p);
    return true;
}

bool expect_char(Parser *p, char c)
{
    if (accept_char(p, c)) return true;
    if (p->token.kind == TOKEN_END)
        return ptx_fail(p, &p->token, "the file ends: expected '%c'", c);
    return ptx_fail(p, &p->token, "'%.*s': expected '%c'", TEXT(&p->token), c);
}

bool expect_integer(Parser *p, const char *what, int64_t min, int64_t max, int64_t *value)
{
    bool negative = accept_char(p, '-');
    const Token *t = &p->token;
    if (t->kind != TOKEN_INTEGER)
        return ptx_fail(p, t, "'%.*s': expected %s, an integer", TEXT(t), what);
    // The magnitude of INT64_MIN is INT64_MAX + 1.
    bool fits = t->value <= (uint64_t)INT64_MAX + negative;
    *value = (int64_t)(negative ? 0 - t->value : t->value);
    if (!fits || *value < min || *value > max)
        return ptx_fail(p, t, "%s%.*s: expected %s from %lld to %lld", negative ? "-" : "", TEXT(t),
                        what, (long long)min, (long long)max);
    lex_next(p);
    return true;
}

bool accept_offset(Parser *p, int64_t *value)
{
    *value = 0;
    if (!accept_char(p, '+') && !at_char(p, '-')) return true;
    return expect_integer(p, "an offset", INT32_MIN, INT32_MAX, value);
}

bool expect_string(Parser *p, const char **text)
{
    if (p->token.kind != TOKEN_STRING)
        return ptx_fail(p, &p->token, "'%.*s': expected a \"string\"", TEXT(&p->token));
    char *copy = hd_arena_text(&p->module->arena, p->token.text + 1, p->token.length - 2);
    if (!copy) return ptx_fail(p, &p->token, "out of memory while reading a string");
    *text = copy;
    lex_next(p);
    return true;
}

bool skip_braces(Parser *p)
{
    Token start = p->token;
    if (!expect_char(p, '{')) return false;
    for (unsigned depth = 1; depth;) {
        if (p->token.kind == TOKEN_END)
            return ptx_fail(p, &start, "unterminated block: expected '}'");
        if (p->token.kind == TOKEN_ERROR) return false;
        depth += at_char(p, '{');
        depth -= at_char(p, '}');
        lex_next(p);
    }
    return true;
}
