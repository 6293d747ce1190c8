// Compares words without the locale, and escapes what a terminal would obey.
#include "base/text.h"

#include <stdio.h>
#include <string.h>

bool text_same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text_lower(a[i]) != text_lower(b[i])) return false;
        if (!a[i]) return true;
    }
    return true;
}

// The number of bytes of the UTF-8 character at `text`, and its code; 0: there is none.
static unsigned character_at(const char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; // of each number of bytes
    unsigned char first = (unsigned char)*text;
    unsigned bytes = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first >= 0xf8) return 0;
    *code = bytes < 2 ? first : first & (0x7fU >> bytes);
    for (unsigned i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return bytes && *code >= least[bytes] && *code < 0x110000 && !surrogate ? bytes : 0;
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

// The number of bytes of the next character, or of what is no character; *plain: it is shown.
static unsigned next_character(const char *text, const char *kept, bool *plain)
{
    uint32_t code;
    unsigned bytes = character_at(text, &code);
    *plain = bytes && (!is_control(code) || (bytes == 1 && strchr(kept, *text)));
    return bytes ? bytes : 1;
}

char *text_escape(char *to, size_t size, const char *text, const char *kept)
{
    enum { ESCAPED = 4 }; // the length of "\x1b"
    size_t used = 0;
    while (*text) {
        bool plain;
        unsigned bytes = next_character(text, kept, &plain);
        if (used + (plain ? bytes : ESCAPED * bytes) >= size) break;
        for (unsigned i = 0; i < bytes; i++, text++) {
            if (plain) to[used++] = *text;
            else used += (size_t)snprintf(to + used, ESCAPED + 1, "\\x%02x", (unsigned char)*text);
        }
    }
    to[used] = 0;
    return to;
}

bool text_is_plain(const char *text, const char *kept)
{
    bool plain = true;
    while (*text && plain) text += next_character(text, kept, &plain);
    return plain;
}

void text_mask(char *text, const char *kept)
{
    while (*text) {
        bool plain;
        unsigned bytes = next_character(text, kept, &plain);
        if (!plain) memset(text, '?', bytes);
        text += bytes;
    }
}

char *text_decimal(char *to, uint64_t number)
{
    char digits[TEXT_DECIMAL], *first = digits + sizeof digits;
    do *--first = (char)('0' + number % 10);
    while (number /= 10);
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(to, first, length);
    to[length] = 0;
    return to + length;
}
