// Reads and atomically replaces whole files.
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

char *file_read(const char *path, size_t *size, HdError *err)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        hd_fail(err, "%s: is a directory, a file is needed", path);
        return NULL;
    }
    gzFile in = gzopen(path, "rb");
    if (!in) {
        hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    gzbuffer(in, 1 << 18);
    size_t room = (size_t)st.st_size + 4096, used = 0;
    char *text = malloc(room);
    while (text) {
        size_t want = room - used - 1;
        if (want > 1 << 30) want = 1 << 30;
        int got = gzread(in, text + used, (unsigned)want);
        if (got < 0) {
            int code;
            hd_fail(err, "%s: cannot be read: %s", path, gzerror(in, &code));
            free(text);
            gzclose(in);
            return NULL;
        }
        used += (size_t)got;
        if (got == 0) break;
        if (room - used > 1) continue;
        char *grown = realloc(text, room * 2);
        if (!grown) free(text);
        text = grown;
        room *= 2;
    }
    int closed = gzclose(in);
    if (!text) {
        hd_fail_memory(err, "reading a file");
        return NULL;
    }
    if (closed != Z_OK) {
        hd_fail(err, "%s: the compressed data ends early or is damaged", path);
        free(text);
        return NULL;
    }
    text[used] = 0;
    *size = used;
    return text;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

// For mkstemp. To be freed; NULL: memory is out.
static char *temporary_name(const char *path)
{
    size_t length = strlen(path) + sizeof ".XXXXXX";
    char *name = hd_new(length, 1);
    if (name) snprintf(name, length, "%s.XXXXXX", path);
    return name;
}

bool file_check_writable(const char *path, HdError *err)
{
    struct stat st;
    bool there = stat(path, &st) == 0, ok;
    if (there && S_ISDIR(st.st_mode))
        return hd_fail(err, "%s: is a directory, a file is needed", path);
    if (there && !S_ISREG(st.st_mode)) {
        ok = access(path, W_OK) == 0; // opening a pipe would wait for its reader
    } else {
        // Whether the file itself may be written says nothing: another one is put in its place.
        char *temporary = temporary_name(path);
        if (!temporary) return hd_fail_memory(err, "writing a file");
        int fd = mkstemp(temporary), why = errno;
        ok = fd >= 0;
        if (ok) {
            close(fd);
            unlink(temporary);
        }
        free(temporary);
        errno = why;
    }
    return ok || hd_fail(err, "%s: cannot be written: %s", path, strerror(errno));
}

bool file_write(const char *path, const void *bytes, size_t size, HdError *err)
{
    struct stat st;
    bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode); // /dev/stdout, a pipe
    char *temporary = temporary_name(path);
    if (!temporary) return hd_fail_memory(err, "writing a file");
    int fd = special ? open(path, O_WRONLY) : mkstemp(temporary);
    bool ok = fd >= 0 && (special || fchmod(fd, 0644) == 0) && write_all(fd, bytes, size);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && !special && rename(temporary, path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok && fd >= 0 && !special) unlink(temporary);
    free(temporary);
    if (ok) return true;
    return hd_fail(err, "%s: cannot be written: %s", path, strerror(why));
}
