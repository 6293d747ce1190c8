// The files that a run is computed from.
#include "report/input_files.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Split as in hooks/plan.c: a path may hold a colon only before its last slash.
bool next_shared_object(const char **text, char path[SHARED_OBJECT_TEXT])
{
    while (**text) {
        const char *word = *text;
        size_t length = strcspn(word, "+>");
        const char *slash = memrchr(word, '/', length);
        *text += length + (word[length] != 0);
        if (!slash) continue;
        size_t end = (size_t)(slash - word) + strcspn(slash, ":+>");
        snprintf(path, SHARED_OBJECT_TEXT, "%.*s", (int)end, word);
        return true;
    }
    return false;
}

bool input_file_put(json_t *files, const char *name, const char *path)
{
    uint64_t hash;
    char digits[HASH_TEXT];
    size_t size = 4 * strlen(name) + 1;
    char *plain = hd_new(size, 1); // a file's name may hold any byte
    bool read = file_hash(path, &hash, NULL);
    if (read) hash_text(hash, digits);
    bool ok = plain && json_object_set_new(files, text_escape(plain, size, name, ""),
                                           read ? json_string(digits) : json_null()) == 0;
    free(plain);
    return ok;
}

bool input_files_put_objects(json_t *files, const char *mechanisms)
{
    char path[SHARED_OBJECT_TEXT];
    bool ok = files;
    while (ok && mechanisms && next_shared_object(&mechanisms, path))
        ok = input_file_put(files, path, path);
    return ok;
}
