// The temporary folder. Files are written with stdio because base/file.h is itself under test.
#include "scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PATH_SIZE = 512, PATHS = 8 };

static char folder[] = "/tmp/heddle-test-XXXXXX";

int scratch_setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

int scratch_teardown(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    if (!dir) return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(scratch_path(entry->d_name));
    closedir(dir);
    return rmdir(folder);
}

const char *scratch_folder(void) { return folder; }

const char *scratch_path(const char *name)
{
    static char paths[PATHS][PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % PATHS];
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

const char *scratch_file(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    return path;
}

const char *scratch_text(const char *name, const char *text)
{
    return scratch_file(name, text, strlen(text));
}

const char *scratch_gzip(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    gzFile out = gzopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(gzwrite(out, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(out), Z_OK);
    return path;
}

int scratch_count(void)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

void scratch_holds(const char *path, const char *expected)
{
    char text[4096];
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t got = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[got] = 0;
    assert_string_equal(text, expected);
}

void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text ? text : "NULL");
}
