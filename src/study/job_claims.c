// Claims as locks of an open file (F_OFD_SETLK), which processes that are started do not inherit.
#include "study/job_claims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct flock lock_of(short type, uint64_t hash)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(hash >> 2),
                          .l_len = 1};
}

static bool open_file(JobClaims *claims, HdError *err)
{
    if (claims->fd >= 0) close(claims->fd);
    claims->fd = open(claims->path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    return claims->fd >= 0 ||
           hd_fail(err, "%s: cannot be written: %s", claims->path, strerror(errno));
}

// Whether the path still names the open file, which a process that ended may have removed.
static bool is_there(const JobClaims *claims)
{
    struct stat st;
    return fstat(claims->fd, &st) == 0 && st.st_nlink;
}

bool claims_open(JobClaims *claims, const char *store, HdError *err)
{
    claims->fd = -1;
    if (asprintf(&claims->path, "%s-claims", store) < 0) {
        claims->path = NULL;
        return hd_fail_memory(err, "claiming runs");
    }
    return open_file(claims, err);
}

bool claims_take(JobClaims *claims, uint64_t hash, bool *taken, HdError *err)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        struct flock lock = lock_of(F_WRLCK, hash);
        *taken = fcntl(claims->fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
        if (!*taken || is_there(claims)) return true;
        // Nothing else is claimed: a file of which a byte is locked is not removed.
        if (!open_file(claims, err)) return false;
    }
    *taken = false;
    return true;
}

void claims_release(JobClaims *claims, uint64_t hash)
{
    struct flock lock = lock_of(F_UNLCK, hash);
    if (claims->fd >= 0) fcntl(claims->fd, F_OFD_SETLK, &lock);
}

void claims_close(JobClaims *claims)
{
    if (claims->fd >= 0 && claims->path) {
        // All bytes are locked if no other process has locked one: then the file may go.
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        if (fcntl(claims->fd, F_OFD_SETLK, &all) == 0 && is_there(claims)) unlink(claims->path);
        close(claims->fd);
    }
    free(claims->path);
    *claims = (JobClaims){.fd = -1};
}
