// Finds programs in PATH, and reads their ELF files with libelf.
#include "cli/cuda/program_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

// ---- its path ----

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool find(char path[PROGRAM_PATH], const char *name, HdError *err)
{
    struct stat status;
    if (strchr(name, '/')) {
        if (strlen(name) >= PROGRAM_PATH)
            return hd_fail(err, "%.64s...: the path is too long", name);
        strcpy(path, name);
        if (stat(path, &status) != 0) return hd_fail(err, "%s: %s", path, strerror(errno));
        if (S_ISDIR(status.st_mode)) return hd_fail(err, "%s: is a folder, not a program", path);
        return access(path, X_OK) == 0 ||
               hd_fail(err, "%s: is not executable (chmod +x makes it so)", path);
    }
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at;) {
        size_t length = strcspn(at, ":");
        int written = length ? snprintf(path, PROGRAM_PATH, "%.*s/%s", (int)length, at, name)
                             : snprintf(path, PROGRAM_PATH, "./%s", name);
        if (written < PROGRAM_PATH && is_program(path)) return true;
        at += length;
        at += *at == ':';
    }
    bool here = is_program(name);
    return hd_fail(err, "%s: there is no such program in PATH%s%s", name,
                   here ? "; the file in this folder is ./" : "", here ? name : "");
}

// ---- its file ----

// The facts that decide whether it can run.
typedef struct Facts {
    bool fatbin;    // has kernels
    bool registers; // imports __cudaRegisterFatBinary
    char driver_call[FUNCTION_TEXT]; // an imported function of the driver; "": none
} Facts;

static void read_sections(Elf *elf, Facts *facts)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (!name) continue;
        facts->fatbin |= !strcmp(name, ".nv_fatbin");
        if (header.sh_type != SHT_DYNSYM || !header.sh_entsize) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF) continue;
            const char *import = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (!import) continue;
            facts->registers |= !strcmp(import, "__cudaRegisterFatBinary");
            // A function of the driver: cuInit, but not cudaMalloc or cublasCreate.
            bool of_driver = !strncmp(import, "cu", 2) && import[2] >= 'A' && import[2] <= 'Z';
            if (of_driver && !*facts->driver_call)
                snprintf(facts->driver_call, sizeof facts->driver_call, "%s", import);
        }
    }
}

static void read_needs(Elf *elf, ProgramFile *program)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Dyn entry;
        for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
            if (entry.d_tag != DT_NEEDED) continue;
            const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (name && !strncmp(name, "libcudart.so", strlen("libcudart.so")))
                snprintf(program->runtime, sizeof program->runtime, "%s", name);
        }
    }
}

static void read_loader(Elf *elf, ProgramFile *program)
{
    size_t count = 0, size = 0;
    GElf_Phdr header;
    const char *file = elf_rawfile(elf, &size);
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; file && i < count && gelf_getphdr(elf, (int)i, &header); i++)
        if (header.p_type == PT_INTERP && header.p_offset < size &&
            header.p_filesz <= size - header.p_offset)
            snprintf(program->loader, sizeof program->loader, "%.*s", (int)header.p_filesz,
                     file + header.p_offset);
}

static bool check_host(Elf *elf, const ProgramFile *program, HdError *err)
{
    static const int own =
#if defined(__x86_64__)
        EM_X86_64;
#elif defined(__aarch64__)
        EM_AARCH64;
#else
        EM_NONE;
#endif
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header)) return hd_fail(err, "%s: is a broken ELF file", program->path);
    if (gelf_getclass(elf) != ELFCLASS64)
        return hd_fail(err, "%s: is a 32-bit program; compile it for 64 bits (-m64)",
                       program->path);
    if (own != EM_NONE && header.e_machine != own)
        return hd_fail(err, "%s: is a program for another kind of processor than this host's",
                       program->path);
    return true;
}

static bool brings_runtime(const Facts *facts) { return facts->fatbin && !facts->registers; }

static bool check_runtime(const ProgramFile *program, const Facts *facts, HdError *err)
{
    static const char *const known[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
    bool stood_in = !*program->runtime;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        stood_in |= !strcmp(program->runtime, known[i]);
    if (!stood_in)
        return hd_fail(err, "%s: needs %s: expected libcudart.so.11.0, .12 or .13, which Heddle "
                            "replaces; build it with CUDA 11, 12 or 13, or with heddle cc",
                       program->path, program->runtime);
    if (brings_runtime(facts) && !*program->runtime)
        return hd_fail(err, "%s: is linked to the static CUDA runtime, which cannot be replaced; "
                            "link it with nvcc -cudart shared",
                       program->path);
    return true;
}

static bool read_elf(Elf *elf, ProgramFile *program, HdError *err)
{
    Facts facts = {0};
    program->elf = elf_kind(elf) == ELF_K_ELF;
    if (!program->elf) return true;
    if (!check_host(elf, program, err)) return false;
    read_sections(elf, &facts);
    memcpy(program->driver_call, facts.driver_call, sizeof program->driver_call);
    read_needs(elf, program);
    read_loader(elf, program);
    return check_runtime(program, &facts, err);
}

// The loader ignores LD_LIBRARY_PATH for a program whose file gives it rights.
static bool check_rights(const char *path, HdError *err)
{
    struct stat st;
    if (stat(path, &st) != 0) return true;
    bool user = st.st_mode & S_ISUID && st.st_uid != getuid();
    bool group = st.st_mode & S_ISGID && st.st_gid != getgid();
    bool capabilities = getxattr(path, "security.capability", NULL, 0) > 0;
    return (!user && !group && !capabilities) ||
           hd_fail(err, "%s: gets rights by its file (%s), so the system does not let its "
                        "libraries be replaced; run a copy of it (cp)",
                   path, user ? "set-user-ID" : group ? "set-group-ID" : "capabilities");
}

// Opens the file for libelf; to be closed with close_elf. NULL: it cannot be read.
static Elf *open_elf(const char *path, int *file)
{
    *file = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    return *file < 0 ? NULL : elf_begin(*file, ELF_C_READ_MMAP, NULL);
}

static void close_elf(Elf *elf, int file)
{
    elf_end(elf);
    if (file >= 0) close(file);
}

bool program_file_read(ProgramFile *program, const char *name, HdError *err)
{
    int file;
    *program = (ProgramFile){0};
    if (!find(program->path, name, err) || !check_rights(program->path, err)) return false;
    Elf *elf = open_elf(program->path, &file);
    bool ok = !elf || read_elf(elf, program, err); // a program may be executable but not readable
    close_elf(elf, file);
    return ok;
}

bool program_file_is_static(const char *path)
{
    int file;
    Facts facts = {0};
    Elf *elf = open_elf(path, &file);
    if (elf && elf_kind(elf) == ELF_K_ELF) read_sections(elf, &facts);
    close_elf(elf, file);
    return brings_runtime(&facts);
}
