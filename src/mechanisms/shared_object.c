// Loads shared objects that export a mechanism.
//
// dlopen maps the segments that a file's headers name. If the file is truncated, it ends by a
// signal, so the file is checked first.
#include "mechanisms/shared_object.h"

#include "hooks/declaration.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// How the current version of heddle/mechanism.h differs from the one before it.
static const char last_change[] =
    ": units are engines now, decide_order and decide_warp order warps, HdParameter has a kind";

// Whether the file is for the instruction set of this program. If the program's own header cannot
// be read, dlopen reports a wrong file.
static bool is_of_this_machine(const Elf64_Ehdr *header)
{
    Elf64_Ehdr own;
    FILE *program = fopen("/proc/self/exe", "rb");
    bool ok = !program || fread(&own, sizeof own, 1, program) != 1 ||
              own.e_machine == header->e_machine;
    if (program) fclose(program);
    return ok;
}

static bool fail_truncated(const char *path, HdError *err)
{
    return hd_fail(err, "--mechanism %s: the file is truncated: copy or build it again", path);
}

static bool within(uint64_t offset, uint64_t bytes, uint64_t size)
{
    return offset <= size && bytes <= size - offset;
}

// Whether the file has everything that its headers name: each segment, and the section table, which
// is at its end.
static bool is_whole(const Elf64_Ehdr *header, FILE *file, uint64_t size)
{
    if (!within(header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize, size) ||
        fseeko(file, (off_t)header->e_phoff, SEEK_SET) != 0)
        return false;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        if (fread(&segment, sizeof segment, 1, file) != 1 ||
            !within(segment.p_offset, segment.p_filesz, size))
            return false;
    }
    return true;
}

static bool check_contents(const char *path, FILE *file, uint64_t size, HdError *err)
{
    Elf64_Ehdr header = {0};
    bool whole = fread(&header, sizeof header, 1, file) == 1;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return hd_fail(err, "--mechanism %s: not a shared object; expected one built with "
                            "cc -shared -fPIC", path);
    if (!whole) return fail_truncated(path, err);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) ||
        !is_of_this_machine(&header))
        return hd_fail(err, "--mechanism %s: not a shared object for this machine; expected one "
                            "built on it with cc -shared -fPIC", path);
    return is_whole(&header, file, size) || fail_truncated(path, err);
}

static bool check_file(const char *path, HdError *err)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return hd_fail(err, "--mechanism %s: not a regular file: expected a shared object", path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return hd_fail(err, "--mechanism %s: %s%s", path, strerror(errno),
                       errno == ENOENT ? " (a path must not contain +, >, or a : after its last "
                                         "slash)" : "");
    bool ok = fstat(fileno(file), &about) == 0
                  ? check_contents(path, file, (uint64_t)about.st_size, err)
                  : hd_fail(err, "--mechanism %s: %s", path, strerror(errno));
    fclose(file);
    return ok;
}

static const HdMechanism *find_in(void *library, const char *path, HdError *err)
{
    const int *version = dlsym(library, "hd_mechanism_version");
    const HdMechanism *mechanism = dlsym(library, "hd_mechanism");
    HdError why;
    if (!mechanism || !version) {
        hd_fail(err, "--mechanism %s: it does not export hd_mechanism and hd_mechanism_version; "
                     "expected HD_MECHANISM(name) = {...} of heddle/mechanism.h", path);
    } else if (*version != HD_MECHANISM_VERSION) {
        hd_fail(err, "--mechanism %s: built against version %d of heddle/mechanism.h, expected "
                     "%d%s; build it again", path, *version, HD_MECHANISM_VERSION,
                *version == HD_MECHANISM_VERSION - 1 ? last_change : "");
    } else if (!declaration_check(mechanism, &why)) {
        hd_fail(err, "--mechanism %s: %s", path, why.text);
    } else {
        return mechanism;
    }
    return NULL;
}

const HdMechanism *shared_object_load(const char *path, void **library, HdError *err)
{
    *library = NULL;
    if (!check_file(path, err)) return NULL;
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        hd_fail(err, "--mechanism %s: %s", path, dlerror());
        return NULL;
    }
    const HdMechanism *mechanism = find_in(*library, path, err);
    if (mechanism) return mechanism;
    dlclose(*library);
    *library = NULL;
    return NULL;
}
