// The search path of the files that come with Heddle (machines, measurements).
#ifndef HEDDLE_BASE_DIRECTORIES_H
#define HEDDLE_BASE_DIRECTORIES_H

enum { MAX_DIRECTORIES = 8, DIRECTORY_TEXT = 4096 };

typedef struct Directories {
    const char *paths[MAX_DIRECTORIES + 1]; // NULL-terminated, each in `texts`
    char texts[MAX_DIRECTORIES][DIRECTORY_TEXT];
} Directories;

typedef struct DirectoryQuery {
    const char *variable; // environment variable with a folder that comes first
    const char *name;     // of the folder in share/heddle of an installation
    const char *source;   // of the folder in the source tree
    const char *beside;   // a file of an installation; links are followed
    int levels;           // how many folders above that of `beside` may contain share/
} DirectoryQuery;

// Finds the existing folders, in the order of the search: from the environment; beside the file; in
// the configured installation; in the source tree of the build.
void directories_find(Directories *directories, const DirectoryQuery *query);

#endif
