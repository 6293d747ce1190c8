// Finds launches by their brackets, outside of comments and strings.
#include "cli/cc/cc_launches.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

// Returns the end of a comment or constant that begins at `text`, else `text` itself. A quote after
// a digit separates the digits of a number.
static char *skip_inert(char *text, const char *start)
{
    bool number = text > start && text_is_alphanumeric(text[-1]);
    if (*text == '"' || (*text == '\'' && !number)) {
        char quote = *text++;
        while (*text && *text != quote && *text != '\n') text += *text == '\\' && text[1] ? 2 : 1;
        return *text ? text + 1 : text;
    }
    if (*text != '/' || (text[1] != '/' && text[1] != '*')) return text;
    const char *mark = text[1] == '/' ? "\n" : "*/";
    char *end = strstr(text + 2, mark);
    return end ? end + strlen(mark) : text + strlen(text);
}

// For two brackets, blanks and a third bracket: the third one; else NULL.
static char *third_bracket(char *text, char bracket)
{
    if (text[0] != bracket || text[1] != bracket || !text_is_blank(text[2])) return NULL;
    char *third = text + 2;
    while (text_is_blank(*third)) third++;
    return *third == bracket && third[1] != bracket ? third : NULL;
}

// `operator<< <T>` is no launch.
static bool names_operator(const char *text, const char *start)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    while (text > start && text_is_blank(text[-1])) text--;
    return (size_t)(text - start) >= length && !memcmp(text - length, word, length);
}

bool cc_launches_join(char *text)
{
    const char *start = text;
    bool joined = false, open = false; // open: within the brackets of a launch
    while (*text) {
        char *end = skip_inert(text, start);
        if (end != text) {
            text = end;
            continue;
        }
        char *third = third_bracket(text, open ? '>' : '<');
        if (third && !names_operator(text, start)) {
            *third = ' ';
            text[2] = open ? '>' : '<';
            joined = true;
        }
        if (!strncmp(text, open ? ">>>" : "<<<", 3)) {
            open = !open;
            text += 3;
        } else {
            text++;
        }
    }
    return joined;
}
