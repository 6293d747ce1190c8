// printf for a guest thread: parses the format, and passes each conversion to the host's printf
// with the value that it reads from the guest.
#include "exec/print.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes room for `length` more bytes and a final zero.
static bool make_room(PrintText *out, size_t length)
{
    return out->length + length < out->capacity ||
           hd_reserve(&out->text, out->length + length, &out->capacity, 1);
}

bool print_bytes(PrintText *out, const char *bytes, size_t length)
{
    if (!make_room(out, length)) return false;
    memcpy(out->text + out->length, bytes, length);
    out->length += length;
    return true;
}

bool print_text(PrintText *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = number_format_list(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !make_room(out, (size_t)length)) return false;
    va_start(args, format);
    number_format_list(out->text + out->length, (size_t)length + 1, format, args);
    va_end(args);
    out->length += (size_t)length;
    return true;
}

PrintOutcome print_string(PrintText *out, uint64_t address, size_t max_bytes,
                          const PrintReader *reader)
{
    for (size_t i = 0; i < max_bytes; i++) {
        char c;
        if (!reader->read(reader->context, address + i, &c, 1)) return PRINT_BAD_ADDRESS;
        if (!c) break;
        if (!HD_PUSH(out->text, out->length, out->capacity, c)) return PRINT_NO_MEMORY;
    }
    return PRINT_DONE;
}

// A cursor over the arguments.
typedef struct Arguments {
    uint64_t at;
    const PrintReader *reader;
    int32_t count;
} Arguments;

// Reads the next argument, zero-extended to 64 bits.
static bool next_argument(Arguments *a, unsigned bytes, uint64_t *bits)
{
    *bits = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (!a->reader->read(a->reader->context, a->at, bits, bytes)) return false;
    a->at += bytes;
    a->count++;
    return true;
}

// The flags of a conversion, one bit each. A flag that is given twice counts once.
static const char flags[] = "-+ #0";
enum { FLAG_LEFT = 1 << 0 };
#define NO_WIDTH INT64_MIN

// One conversion of the format, as in "%-8.3lld".
typedef struct Conversion {
    unsigned flags;
    unsigned bytes;           // of an integer argument: 1, 2, 4, 8
    int32_t width, precision; // -1: none
    char kind;                // 0: the format ends within the conversion
} Conversion;

enum { SPECIFICATION = 40 }; // bytes of text for all flags, two numbers and "lld"

// Writes the conversion as the host's printf takes it, with this length modifier.
static void specify(const Conversion *c, const char *modifier, char text[SPECIFICATION])
{
    char width[12] = "", precision[12] = "", set[sizeof flags];
    size_t count = 0;
    for (unsigned i = 0; flags[i]; i++)
        if (c->flags >> i & 1) set[count++] = flags[i];
    if (c->width >= 0) snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    snprintf(text, SPECIFICATION, "%%%.*s%s%s%s%c", (int)count, set, width, precision, modifier,
             c->kind);
}

// number = DIGIT* | "*". Sets *number to `none` if there is no number, and to INT32_MAX if it has
// too many digits. A "*" may be negative.
static bool take_number(const char **s, Arguments *a, int64_t none, int64_t *number)
{
    *number = none;
    if (**s == '*') {
        uint64_t bits;
        if (!next_argument(a, 4, &bits)) return false;
        *number = (int32_t)(uint32_t)bits;
        ++*s;
        return true;
    }
    if (**s < '0' || **s > '9') return true;
    for (*number = 0; **s >= '0' && **s <= '9'; ++*s)
        if (*number < INT32_MAX) *number = *number * 10 + **s - '0';
    if (*number > INT32_MAX) *number = INT32_MAX;
    return true;
}

// Parses the conversion after a "%". PRINT_TOO_WIDE: *count is its width or precision.
static PrintOutcome take_conversion(const char **s, Arguments *a, Conversion *c)
{
    int64_t width, precision = -1;
    *c = (Conversion){.bytes = 4};
    for (const char *flag; **s && (flag = strchr(flags, **s)); ++*s)
        c->flags |= 1u << (flag - flags);
    if (!take_number(s, a, NO_WIDTH, &width)) return PRINT_BAD_ADDRESS;
    if (**s == '.') {
        ++*s;
        if (!take_number(s, a, 0, &precision)) return PRINT_BAD_ADDRESS;
    }
    for (; **s && strchr("hljztL", **s); ++*s) {
        if (**s == 'h') c->bytes = c->bytes == 2 ? 1 : 2;
        else if (**s != 'L') c->bytes = 8;
    }
    c->kind = **s;
    if (**s) ++*s;
    if (width == NO_WIDTH) {
        width = -1;
    } else if (width < 0) { // of a "*"
        c->flags |= FLAG_LEFT;
        width = -width;
    }
    if (c->kind == 's' && precision > PRINT_LONGEST) precision = PRINT_LONGEST + 1;
    else if (precision > PRINT_LONGEST) width = precision;
    if (width > PRINT_LONGEST) {
        a->count = width < INT32_MAX ? (int32_t)width : INT32_MAX;
        return PRINT_TOO_WIDE;
    }
    c->width = (int32_t)width;
    c->precision = precision < 0 ? -1 : (int32_t)precision;
    return PRINT_DONE;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the format is built above from checked parts

static PrintOutcome put_integer(PrintText *out, const Conversion *c, uint64_t bits)
{
    char text[SPECIFICATION];
    unsigned shift = 64 - 8 * c->bytes;
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    long long value = is_signed ? (long long)(bits << shift) >> shift
                                : (long long)(bits << shift >> shift);
    specify(c, "ll", text);
    return print_text(out, text, value) ? PRINT_DONE : PRINT_NO_MEMORY;
}

static PrintOutcome put_string(PrintText *out, const Conversion *c, uint64_t address,
                               const PrintReader *reader)
{
    char text[SPECIFICATION];
    PrintText string = {0};
    size_t most = c->precision < 0 ? PRINT_LONGEST + 1 : (size_t)c->precision;
    PrintOutcome outcome = address ? print_string(&string, address, most, reader) : PRINT_DONE;
    if (outcome == PRINT_DONE && string.length > PRINT_LONGEST) outcome = PRINT_TOO_LONG;
    if (outcome == PRINT_DONE && !HD_PUSH(string.text, string.length, string.capacity, '\0'))
        outcome = PRINT_NO_MEMORY;
    specify(c, "", text);
    if (outcome == PRINT_DONE && !print_text(out, text, address ? string.text : "(null)"))
        outcome = PRINT_NO_MEMORY;
    free(string.text);
    return outcome;
}

static PrintOutcome put_other(PrintText *out, const Conversion *c, uint64_t bits)
{
    bool ok;
    char text[SPECIFICATION];
    specify(c, "", text);
    if (c->kind == 'c') {
        ok = print_text(out, text, (int)bits);
    } else if (c->kind == 'p') {
        ok = print_text(out, text, (void *)(uintptr_t)bits);
    } else {
        double value;
        memcpy(&value, &bits, sizeof value);
        ok = print_text(out, text, value);
    }
    return ok ? PRINT_DONE : PRINT_NO_MEMORY;
}

#pragma GCC diagnostic pop

static PrintOutcome convert(PrintText *out, const char **s, Arguments *a)
{
    const char *start = *s;
    Conversion c;
    uint64_t bits;
    PrintOutcome outcome = take_conversion(s, a, &c);
    if (outcome != PRINT_DONE) return outcome;
    if (c.kind && strchr("diuxXo", c.kind))
        return next_argument(a, c.bytes == 8 ? 8 : 4, &bits) ? put_integer(out, &c, bits)
                                                             : PRINT_BAD_ADDRESS;
    if (c.kind == 's')
        return next_argument(a, 8, &bits) ? put_string(out, &c, bits, a->reader)
                                          : PRINT_BAD_ADDRESS;
    if (c.kind && strchr("cpfFeEgGaA", c.kind))
        return next_argument(a, c.kind == 'c' ? 4 : 8, &bits) ? put_other(out, &c, bits)
                                                              : PRINT_BAD_ADDRESS;
    // Prints "%%" as "%", and an unknown conversion as it is written.
    size_t length = c.kind == '%' ? 0 : (size_t)(*s - start);
    bool ok = print_bytes(out, "%", 1) && print_bytes(out, start, length);
    return ok ? PRINT_DONE : PRINT_NO_MEMORY;
}

PrintOutcome print_formatted(PrintText *out, uint64_t format, uint64_t arguments,
                             const PrintReader *reader, int32_t *count)
{
    PrintText text = {0};
    Arguments a = {.at = arguments, .reader = reader};
    size_t begin = out->length;
    *count = -1; // the result for a NULL format
    if (!format) return PRINT_DONE;
    PrintOutcome outcome = print_string(&text, format, PRINT_LONGEST + 1, reader);
    if (outcome == PRINT_DONE && text.length > PRINT_LONGEST) outcome = PRINT_TOO_LONG;
    if (outcome == PRINT_DONE && !HD_PUSH(text.text, text.length, text.capacity, '\0'))
        outcome = PRINT_NO_MEMORY;
    for (const char *s = text.text; outcome == PRINT_DONE && *s;) {
        size_t plain = strcspn(s, "%");
        if (!print_bytes(out, s, plain)) outcome = PRINT_NO_MEMORY;
        s += plain;
        if (outcome == PRINT_DONE && *s) {
            s++;
            outcome = convert(out, &s, &a);
        }
        if (outcome == PRINT_DONE && out->length - begin > PRINT_LONGEST) outcome = PRINT_TOO_LONG;
    }
    *count = a.count;
    free(text.text);
    return outcome;
}
