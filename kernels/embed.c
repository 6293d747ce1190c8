// A build tool: writes a text file as a C source that defines it as a zero-terminated string.
//
//     embed IN OUT NAME
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *path)
{
    fprintf(stderr, "embed: %s: %s\n", path, strerror(errno));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: embed IN OUT NAME\n");
        return 2;
    }
    FILE *in = fopen(argv[1], "r");
    if (!in) return fail(argv[1]);
    FILE *out = fopen(argv[2], "w");
    if (!out) return fail(argv[2]);
    fprintf(out, "extern const char %s[];\nconst char %s[] = {", argv[3], argv[3]);
    int c, column = 0;
    while ((c = getc(in)) != EOF) fprintf(out, "%s%d,", column++ % 24 ? "" : "\n", c);
    fputs("0};\n", out);
    if (ferror(in)) return fail(argv[1]);
    fclose(in);
    if (fclose(out) != 0) return fail(argv[2]);
    return 0;
}
