// Shortens names and keeps the parts that distinguish them.
#include "report/shorten.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *shorten_name(const char *name, size_t width, char *text)
{
    static const char left_out[] = "..";
    enum { LEFT_OUT = sizeof left_out - 1, END_OF_FILE = 5 };
    size_t length = strlen(name);
    const char *line = strrchr(name, ':');
    bool has_line = line && line[1] && !line[1 + strspn(line + 1, "0123456789")];
    size_t end = has_line ? length - (size_t)(line - name) + END_OF_FILE : 0;
    if (length <= width || !has_line || end + LEFT_OUT > width)
        snprintf(text, width + 1, "%s", name);
    else
        snprintf(text, width + 1, "%.*s%s%s", (int)(width - LEFT_OUT - end), name, left_out,
                 name + length - end);
    return text;
}

const char *path_tail(const char *path, size_t width)
{
    for (const char *slash; strlen(path) > width && (slash = strchr(path, '/'));) path = slash + 1;
    return path;
}
