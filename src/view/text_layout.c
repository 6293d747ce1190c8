// Measures and breaks the texts of figures.
#include "view/text_layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Of DejaVu Sans from the blank on, in thousandths of the font's size.
static const short widths[] = {
    318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 501, 838, 318, 361, 318, 337, 637, 637, 637,
    637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531, 1001, 685, 687, 699, 771, 632,
    576, 775, 752, 295, 295, 656, 558, 863, 749, 788, 604, 788, 695, 635, 611, 732, 685, 989, 686,
    611, 686, 391, 337, 391, 838, 501, 501, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580,
    278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
};

static bool begins_character(char c) { return (c & 0xc0) != 0x80; }

// Of a character by its first byte. East Asian characters, from three bytes on, are as wide as
// high.
static double character_width(char c)
{
    unsigned char first = (unsigned char)c;
    if (first >= ' ' && first < 0x7f) return widths[first - ' '] / 1000.0;
    return first < 0xe2 ? 0.7 : 1.01;
}

double text_width(const char *text, size_t length, double size)
{
    double ems = 0;
    for (size_t i = 0; i < length; i++)
        if (begins_character(text[i])) ems += character_width(text[i]);
    return ems * size;
}

size_t text_line(const char *text, double room, double size)
{
    size_t blank = 0, separator = 0, i = 0;
    double width = 0;
    for (; text[i]; i++) {
        if (!begins_character(text[i])) continue;
        width += character_width(text[i]) * size;
        if (i && text[i - 1] == ' ') blank = i;
        else if (i && strchr("-_/+:,>", text[i - 1])) separator = i;
        // A blank at the end of a line takes no room.
        if (i && width > room && text[i] != ' ') return blank ? blank : separator ? separator : i;
    }
    return i;
}

unsigned text_lines(const char *text, double room, double size, double *widest)
{
    unsigned count = 0;
    for (size_t length; (length = text_line(text, room, size)) > 0; text += length, count++) {
        size_t shown = length;
        while (shown && text[shown - 1] == ' ') shown--;
        double width = text_width(text, shown, size);
        if (width > *widest) *widest = width;
    }
    return count ? count : 1;
}

char *text_fit(char *to, size_t bytes, const char *text, size_t length, double room, double size)
{
    static const char end[] = "\u2026";
    double width = 0, reserve = character_width(end[0]) * size;
    room += size / 1000; // a room that was measured may be rounded
    size_t fits = 0, i = 0; // fits: with the end behind it
    for (; i < length && i < bytes - 1; i++) {
        if (!begins_character(text[i])) continue;
        if (width + reserve <= room && i + sizeof end <= bytes) fits = i;
        width += character_width(text[i]) * size;
        if (width > room) break;
    }
    if (i == length) snprintf(to, bytes, "%.*s", (int)length, text);
    else snprintf(to, bytes, "%.*s%s", (int)fits, text, end);
    return to;
}

// Code points that DejaVu Sans has, but for a few that no text needs.
static bool is_known(uint32_t code)
{
    static const struct {
        uint16_t first, last;
    } ranges[] = {
        {0, 0x525},       // Latin, Greek, Cyrillic
        {0x531, 0x587},   {0x5d0, 0x5ea},   {0x621, 0x655},   {0x10d0, 0x10fc},
        {0x1e00, 0x1efb}, {0x1f00, 0x1ffe}, {0x2010, 0x2064}, {0x2070, 0x209c},
        {0x20a0, 0x20b5}, {0x2100, 0x2149}, {0x2150, 0x2189}, {0x2190, 0x2311},
        {0x2500, 0x27be}, {0x27f0, 0x28ff}, {0xfb00, 0xfb06},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return false;
}

void text_keep_known(char *text)
{
    char *to = text;
    while (*text) {
        unsigned char first = (unsigned char)*text;
        unsigned bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        uint32_t code = bytes == 1 ? first : first & (0x7fu >> bytes);
        unsigned have = 1;
        for (; have < bytes && !begins_character(text[have]); have++)
            code = code << 6 | (text[have] & 0x3f);
        if (is_known(code)) {
            memmove(to, text, have);
            to += have;
        } else {
            *to++ = '?';
        }
        text += have;
    }
    *to = 0;
}
