// Hands files to a fuzz target, in a build without libFuzzer.
// usage: replay-GROUP TARGET FILE|FOLDER...
#include "fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

// For nftw: returns 0 to go on.
static int replay(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)where;
    if (kind == FTW_D) return 0;
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 20;
    uint8_t *bytes = malloc(room);
    bool ok = file && bytes;
    if (ok) size = fread(bytes, 1, room, file);
    ok = ok && !ferror(file) && size < room;
    if (file) fclose(file);
    if (ok) LLVMFuzzerTestOneInput(bytes, size);
    else fprintf(stderr, "%s: expected a file of less than %zu bytes\n", path, room);
    free(bytes);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    bool ok = argc >= 3;
    if (ok) fuzz_target = argv[1];
    else fprintf(stderr, "usage: %s TARGET FILE|FOLDER...\n", argv[0]);
    for (int i = 2; ok && i < argc; i++) ok = nftw(argv[i], replay, 8, FTW_PHYS) == 0;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
