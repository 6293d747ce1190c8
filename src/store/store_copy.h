// Changes a store from a host where it must not be open: as a copy on that host's own disk.
//
// SQLite's log needs memory that processes share, so a store on a file system of several hosts is
// open on one of them at a time. A process of another host takes a copy, changes the copy, and puts
// it in the place of the file as a whole. The file STORE-lock says that it does: as long as it is
// there, store_open waits.
#ifndef HEDDLE_STORE_STORE_COPY_H
#define HEDDLE_STORE_STORE_COPY_H

#include "base/temporary_folder.h"

#include <limits.h>
#include <sys/types.h>
#include <time.h>

// Writes the path of the store's file behind links, which need not be there; with room for 16 bytes
// behind it. false and err: it is too long, or its folder is not there.
bool store_file(const char *store, char file[PATH_MAX], HdError *err);

// A file as it was: by these another file in its place, or a change, is seen.
typedef struct FileState {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec changed;
} FileState;

typedef struct StoreCopy {
    char *path;   // of the copy, which need not be there: then the store has no file yet
    char *store;  // of its file, behind links
    TemporaryFolder folder; // of the copy
    int milliseconds; // to wait for processes that have the store open
    int lock;         // descriptor of the lock's file, -1: none; its number is not given again
    FileState before; // the store's file; all 0: there was none
} StoreCopy;

// Locks the store, and copies it into a temporary folder. who: for those who wait,
// such as "Slurm job 12 on node7". milliseconds: how long to wait for processes that have it open.
// false and err: it is open or locked on some host, a killed process has left its log, or files
// cannot be written. store_copy_close in any case.
bool store_copy_open(StoreCopy *copy, const char *store, const char *who, int milliseconds,
                     HdError *err);

// Puts the copy, which is not open, in the place of the store's file. false and err: that is
// unchanged by this process. It is an error if the lock is not its own any more, or the file has
// changed.
bool store_copy_keep(StoreCopy *copy, HdError *err);

// Removes the copy and the lock.
void store_copy_close(StoreCopy *copy);

// Removes the lock of a process of this user that does not run any more. No such lock: nothing
// happens.
void store_copy_unlock(const char *store);

// Waits until the store is not locked, at most `milliseconds`. false and err: it still is.
bool store_copy_wait(const char *store, int milliseconds, HdError *err);

#endif
