// Where the files that come with Heddle (machines, measurements, kernels) are looked up.
#ifndef HEDDLE_BASE_DIRECTORIES_H
#define HEDDLE_BASE_DIRECTORIES_H

enum { MAX_DIRECTORIES = 8, DIRECTORY_TEXT = 4096 };

// NULL-terminated; the texts are in `room`.
typedef struct Directories {
    const char *paths[MAX_DIRECTORIES + 1];
    char room[MAX_DIRECTORIES][DIRECTORY_TEXT];
} Directories;

typedef struct DirectoryQuery {
    const char *variable; // of the environment: a folder that comes first
    const char *name;     // of the folder in share/heddle where Heddle is installed
    const char *source;   // of the folder in the source tree
    const char *beside;   // a file of the installed Heddle; links are followed
    int levels;           // number of folders above `beside` in which share/ is looked for
} DirectoryQuery;

// Finds the folders that exist, in the order in which they are searched: the folder that the
// environment variable names; the folders beside the file; the folder of the installation, unless
// the file is still in its build folder. If only the variable's folder exists, the source tree that
// Heddle was built from follows.
void directories_find(Directories *directories, const DirectoryQuery *query);

#endif
