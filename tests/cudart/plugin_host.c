// A program without CUDA that opens a library with CUDA, twice: plugin_host LIBRARY. Prints what
// the library computed, and forks after it is closed.
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    for (int round = 0; round < 2; round++) {
        void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
        unsigned (*compute)(void) = NULL;
        if (library) *(void **)&compute = dlsym(library, "plugin_compute");
        if (!compute) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        printf("%u\n", compute());
        fflush(stdout);
        dlclose(library);
    }
    pid_t child = fork(); // must run no fork handler of the closed library
    if (!child) _exit(0);
    int status;
    waitpid(child, &status, 0);
    return status;
}
