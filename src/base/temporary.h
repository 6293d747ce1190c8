// Tells temporary files and folders of running processes from those that killed processes left.
//
// Their process holds a lock on each as long as it lives, however it ends: what is not locked was
// left. Where the file system has no locks, nothing counts as left.
#ifndef HEDDLE_BASE_TEMPORARY_H
#define HEDDLE_BASE_TEMPORARY_H

#include <stdbool.h>

// Locks a new file or folder until its descriptor is closed. false: before it was locked, another
// process took it as left and removes it: make another one.
bool temporary_lock(int fd);

// Whether a killed process of this user left the file or folder: the caller, which now holds the
// lock, may remove it.
bool temporary_is_left(int fd);

#endif
