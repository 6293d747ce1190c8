// Folders of Heddle's own files: the environment's first, those beside the program, and the source
// tree for a program that was not installed.
#include "base/directories.h"
#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(scratch_path(name), 0700), 0);
}

// Freed by the caller.
static char *path_of(const char *name) { return strdup(scratch_path(name)); }

static void find(Directories *found, const char *beside, int levels)
{
    directories_find(found, &(DirectoryQuery){"HEDDLE_TEST_FOLDER", "things", "/machines", beside,
                                              levels});
}

static void test_installed(void **state)
{
    (void)state;
    Directories found;
    make_folder("bin");
    make_folder("share");
    make_folder("share/heddle");
    char *things = path_of("share/heddle/things"), *given = path_of("given");
    char *program = strdup(scratch_text("bin/heddle", ""));
    find(&found, program, 1); // nothing there yet
    assert_string_equal(found.paths[0], TEST_SOURCE "/machines");
    assert_null(found.paths[1]);
    make_folder("share/heddle/things");
    find(&found, program, 1);
    assert_string_equal(found.paths[0], things);
    assert_null(found.paths[1]); // without the source tree
    make_folder("given");
    setenv("HEDDLE_TEST_FOLDER", given, 1);
    find(&found, program, 1);
    assert_string_equal(found.paths[0], given);
    assert_string_equal(found.paths[1], things);
    assert_null(found.paths[2]);
    unsetenv("HEDDLE_TEST_FOLDER");
    free(program);
    free(given);
    free(things);
}

// A library may be some folders further down than a program.
static void test_levels(void **state)
{
    (void)state;
    Directories found;
    make_folder("lib");
    make_folder("lib/host");
    char *things = path_of("share/heddle/things");
    char *library = strdup(scratch_text("lib/host/library.so", ""));
    find(&found, library, 1);
    assert_string_equal(found.paths[0], TEST_SOURCE "/machines");
    find(&found, library, 2);
    assert_string_equal(found.paths[0], things);
    assert_null(found.paths[1]);
    free(library);
    free(things);
}

// This program was built, and not installed.
static void test_built(void **state)
{
    (void)state;
    Directories found;
    find(&found, "/proc/self/exe", 1);
    assert_string_equal(found.paths[0], TEST_SOURCE "/machines");
    assert_null(found.paths[1]);
}

static int remove_all(void **state)
{
    static const char *const names[] = {"bin/heddle", "bin", "share/heddle/things", "share/heddle",
                                        "share", "given", "lib/host/library.so", "lib/host", "lib"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) remove(scratch_path(names[i]));
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_installed),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_built),
    };
    return cmocka_run_group_tests(tests, scratch_setup, remove_all);
}
