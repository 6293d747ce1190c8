// printf for a guest thread: parses the format, and passes each conversion to the host's printf
// with the value that it reads from the guest.
#include "exec/print.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMAT = 1 << 20, MAX_STRING = 1 << 20, SPECIFICATION = 64 };

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
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !make_room(out, (size_t)length)) return false;
    va_start(args, format);
    vsnprintf(out->text + out->length, (size_t)length + 1, format, args);
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

// One conversion of the format, as in "%-8.3lld". `text` leaves out the length modifier ("ll").
typedef struct Conversion {
    char text[SPECIFICATION]; // "%-8.3"
    size_t length;
    unsigned bytes;    // of an integer argument: 1, 2, 4, 8
    size_t precision;  // SIZE_MAX: none
    char kind;         // 0: the format ends within the conversion
} Conversion;

static void specify(Conversion *c, const char *text)
{
    size_t length = strlen(text);
    if (c->length + length + 4 >= sizeof c->text) return; // keeps room for "lld" and the final zero
    memcpy(c->text + c->length, text, length + 1);
    c->length += length;
}

// number = DIGIT* | "*". *given is false if there is no number. A "*" may be negative.
static bool take_number(const char **s, Arguments *a, int *number, bool *given)
{
    *given = true;
    *number = 0;
    if (**s == '*') {
        uint64_t bits;
        if (!next_argument(a, 4, &bits)) return false;
        *number = (int)(uint32_t)bits;
        ++*s;
        return true;
    }
    *given = **s >= '0' && **s <= '9';
    for (; **s >= '0' && **s <= '9'; ++*s)
        if (*number < 1 << 20) *number = *number * 10 + **s - '0';
    return true;
}

// Parses the conversion after a "%". false: an argument cannot be read.
static bool take_conversion(const char **s, Arguments *a, Conversion *c)
{
    char number[24];
    int width, precision;
    bool given;
    *c = (Conversion){.text = "%", .length = 1, .precision = SIZE_MAX};
    for (; **s && strchr("-+ #0", **s); ++*s) specify(c, (char[]){**s, 0});
    if (!take_number(s, a, &width, &given)) return false;
    if (given) {
        snprintf(number, sizeof number, "%d", width); // a negative width includes its '-'
        specify(c, number);
    }
    if (**s == '.') {
        ++*s;
        if (!take_number(s, a, &precision, &given)) return false;
        if (precision >= 0) {
            c->precision = (size_t)precision;
            snprintf(number, sizeof number, ".%d", precision);
            specify(c, number);
        }
    }
    for (c->bytes = 4; **s && strchr("hljztL", **s); ++*s) {
        if (**s == 'h') c->bytes = c->bytes == 2 ? 1 : 2;
        else if (**s != 'L') c->bytes = 8;
    }
    c->kind = **s;
    if (**s) ++*s;
    return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the format is built above from checked parts

static PrintOutcome put_integer(PrintText *out, Conversion *c, uint64_t bits)
{
    unsigned shift = 64 - 8 * c->bytes;
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    long long value = is_signed ? (long long)(bits << shift) >> shift
                                : (long long)(bits << shift >> shift);
    specify(c, (char[]){'l', 'l', c->kind, 0});
    return print_text(out, c->text, value) ? PRINT_DONE : PRINT_NO_MEMORY;
}

static PrintOutcome put_string(PrintText *out, Conversion *c, uint64_t address,
                               const PrintReader *reader)
{
    PrintText string = {0};
    size_t max_bytes = c->precision < MAX_STRING ? c->precision : MAX_STRING;
    PrintOutcome outcome =
        address ? print_string(&string, address, max_bytes, reader) : PRINT_DONE;
    if (outcome == PRINT_DONE && !HD_PUSH(string.text, string.length, string.capacity, '\0'))
        outcome = PRINT_NO_MEMORY;
    specify(c, "s");
    if (outcome == PRINT_DONE && !print_text(out, c->text, address ? string.text : "(null)"))
        outcome = PRINT_NO_MEMORY;
    free(string.text);
    return outcome;
}

static PrintOutcome put_other(PrintText *out, Conversion *c, uint64_t bits)
{
    bool ok;
    specify(c, (char[]){c->kind, 0});
    if (c->kind == 'c') {
        ok = print_text(out, c->text, (int)bits);
    } else if (c->kind == 'p') {
        ok = print_text(out, c->text, (void *)(uintptr_t)bits);
    } else {
        double value;
        memcpy(&value, &bits, sizeof value);
        ok = print_text(out, c->text, value);
    }
    return ok ? PRINT_DONE : PRINT_NO_MEMORY;
}

#pragma GCC diagnostic pop

static PrintOutcome convert(PrintText *out, const char **s, Arguments *a)
{
    const char *start = *s;
    Conversion c;
    uint64_t bits;
    if (!take_conversion(s, a, &c)) return PRINT_BAD_ADDRESS;
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
    int length = c.kind == '%' ? 0 : (int)(*s - start);
    bool ok = print_text(out, "%%%.*s", length, start);
    return ok ? PRINT_DONE : PRINT_NO_MEMORY;
}

PrintOutcome print_formatted(PrintText *out, uint64_t format, uint64_t arguments,
                             const PrintReader *reader, int32_t *count)
{
    PrintText text = {0};
    Arguments a = {.at = arguments, .reader = reader};
    *count = -1; // the result for a NULL format
    if (!format) return PRINT_DONE;
    PrintOutcome outcome = print_string(&text, format, MAX_FORMAT, reader);
    if (outcome == PRINT_DONE && !HD_PUSH(text.text, text.length, text.capacity, '\0'))
        outcome = PRINT_NO_MEMORY;
    const char *s = text.text;
    while (outcome == PRINT_DONE && *s) {
        size_t plain = strcspn(s, "%");
        if (plain && !print_text(out, "%.*s", (int)plain, s)) outcome = PRINT_NO_MEMORY;
        s += plain;
        if (outcome != PRINT_DONE || !*s) break;
        s++;
        outcome = convert(out, &s, &a);
    }
    *count = a.count;
    free(text.text);
    return outcome;
}
