// Objects with relocatable device code call a function for each module before main:
//
//     __cudaRegisterLinkedBinary<name>(callback, wrapper, ...)
//
// They do not define it. A device link defines it for all modules of a program or library: the last
// of these calls registers a wrapper with the list of all fat binaries, and then calls back each
// object, which registers its kernels and variables with the one handle.
#include "cli/cc/cc_device_link.h"

#include "base/fatbin_layout.h"
#include "base/file.h"
#include "base/text.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGISTER "__cudaRegisterLinkedBinary"

// ---- modules of objects ----

typedef struct Search {
    CcOptions *options;
    TextList called, defined; // names after REGISTER
    bool failed;              // out of memory
} Search;

static bool contains(const TextList *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], text)) return true;
    return false;
}

static void add_name(Search *search, TextList *list, const char *name)
{
    if (contains(list, name)) return;
    const char *copy = cc_format(search->options, "%s", name);
    if (!copy || !text_list_add(list, copy)) search->failed = true;
}

static void read_object(Search *search, Elf *elf)
{
    GElf_Ehdr file;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file) || file.e_type != ET_REL) return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, (int)i, &symbol)) continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (!name || strncmp(name, REGISTER, strlen(REGISTER)) != 0) continue;
            add_name(search, symbol.st_shndx == SHN_UNDEF ? &search->called : &search->defined,
                     name + strlen(REGISTER));
        }
    }
}

// An object, or all objects of an archive.
static void read_file(Search *search, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_AR) {
        Elf_Cmd next = ELF_C_READ_MMAP;
        for (Elf *member; next != ELF_C_NULL && (member = elf_begin(file, next, elf));) {
            read_object(search, member);
            next = elf_next(member);
            elf_end(member);
        }
    } else if (elf) {
        read_object(search, elf);
    }
    elf_end(elf);
    if (file >= 0) close(file);
}

// Reads the archive that the linker takes for -lNAME, unless a shared library comes first.
static void read_library(Search *search, const char *name)
{
    const TextList *link = &search->options->link;
    for (size_t i = 0; i < link->count; i++) {
        if (strncmp(link->items[i], "-L", 2) != 0) continue;
        const char *folder = link->items[i] + 2;
        bool whole = *name == ':'; // -l:FILE
        const char *shared = cc_format(search->options, "%s/lib%s.so", folder, name);
        const char *archive = whole ? cc_format(search->options, "%s/%s", folder, name + 1)
                                    : cc_format(search->options, "%s/lib%s.a", folder, name);
        if (!shared || !archive) search->failed = true;
        if (search->failed || (!whole && access(shared, R_OK) == 0)) return;
        if (access(archive, R_OK) != 0) continue;
        read_file(search, archive);
        return;
    }
}

bool cc_modules_find(CcOptions *options, TextList *modules, HdError *err)
{
    Search search = {.options = options};
    for (size_t i = 0; i < options->link.count; i++) {
        const char *word = options->link.items[i];
        if (strncmp(word, "-l", 2) == 0) read_library(&search, word + 2);
        else if (*word && *word != '-') read_file(&search, word);
    }
    bool ok = true;
    for (size_t i = 0; i < search.called.count && ok && !search.failed; i++) {
        const char *name = search.called.items[i];
        if (contains(&search.defined, name)) continue;
        // The name becomes part of names in C.
        for (const char *c = name; *c && ok; c++)
            if (!text_is_alphanumeric(*c) && *c != '_')
                ok = hd_fail(err, REGISTER "%s: expected a module whose name has letters, digits "
                                  "and _ only", name);
        if (ok && !text_list_add(modules, name)) search.failed = true;
    }
    text_list_free(&search.called);
    text_list_free(&search.defined);
    return ok && (!search.failed || hd_fail_memory(err, "looking for relocatable device code"));
}

// ---- the registering object ----

static const char source_start[] =
    "typedef struct Wrapper {\n"
    "    unsigned magic, version;\n"
    "    const void *data, *files;\n"
    "} Wrapper;\n"
    "typedef void Callback(void **);\n"
    "extern void **__cudaRegisterFatBinary(const void *);\n"
    "extern void __cudaRegisterFatBinaryEnd(void **);\n"
    "extern void __cudaUnregisterFatBinary(void **);\n"
    "extern int atexit(void (*)(void));\n";

static const char source_end[] =
    "static const void *files[FILES + 1];\n"
    "static Callback *callbacks[FILES];\n"
    "static int count;\n"
    "static void **module;\n"
    "static const Header none __attribute__((section(\"" FATBIN_DATA_SECTION "\"), aligned(8))) =\n"
    "    {MAGIC, VERSION, sizeof none, 0};\n"
    "static const Wrapper wrapper __attribute__((section(\"" FATBIN_WRAPPER_SECTION "\"))) =\n"
    "    {WRAPPER_MAGIC, LINKED, &none, files};\n"
    "static void leave(void) { __cudaUnregisterFatBinary(module); }\n"
    "static void add(const Wrapper *file, Callback *callback)\n"
    "{\n"
    "    files[count] = file->data;\n"
    "    callbacks[count] = callback;\n"
    "    if (++count < FILES) return;\n"
    "    module = __cudaRegisterFatBinary(&wrapper);\n"
    "    atexit(leave);\n"
    "    for (int i = 0; i < FILES; i++) callbacks[i](module);\n"
    "    __cudaRegisterFatBinaryEnd(module);\n"
    "}\n"
    // Hidden: a library has a device link of its own, even if it has a module of the same name. The
    // wrapper's name makes the linker take the module's object from an archive.
    "#define MODULE(name) \\\n"
    "    extern const Wrapper __fatbinwrap##name; \\\n"
    "    __attribute__((visibility(\"hidden\"))) void " REGISTER "##name( \\\n"
    "        Callback *callback, void *own, void *id, void *reference) \\\n"
    "    { \\\n"
    "        (void)own, (void)id, (void)reference; \\\n"
    "        add(&__fatbinwrap##name, callback); \\\n"
    "    }\n";

const char *cc_modules_source(CcOptions *options, const TextList *modules)
{
    if (!modules->count) return "// There is no relocatable device code.\n";
    const char *text = cc_format(options,
                                 "// The device link of `heddle cc`.\n%s"
                                 "typedef struct Header {\n    unsigned magic;\n"
                                 "    unsigned short version, header_size;\n"
                                 "    unsigned long long size;\n} Header;\n"
                                 "enum { FILES = %zu, VERSION = %d, LINKED = %d };\n"
                                 "#define MAGIC %#xu\n#define WRAPPER_MAGIC %#xu\n%s",
                                 source_start, modules->count, FATBIN_VERSION,
                                 FATBIN_WRAPPER_LINKED, FATBIN_MAGIC, FATBIN_WRAPPER_MAGIC,
                                 source_end);
    for (size_t i = 0; text && i < modules->count; i++)
        text = cc_format(options, "%sMODULE(%s)\n", text, modules->items[i]);
    return text;
}

// ---- names ----

bool cc_module_rename(CcOptions *options, const char *object, const char *unique, HdError *err)
{
    Search search = {.options = options};
    read_file(&search, object);
    // clang's name: __nv_ and hexadecimal digits.
    const char *name = search.called.count ? search.called.items[0] : NULL;
    const char *digits = name ? strrchr(name, '_') : NULL;
    text_list_free(&search.called);
    text_list_free(&search.defined);
    if (search.failed) return hd_fail_memory(err, "naming a module");
    size_t length = digits ? strlen(++digits) : 0, size;
    if (!length || length > strlen(unique)) return true;
    char *bytes = file_read(object, &size, err);
    if (!bytes) return false;
    // The names are of equal length, so they can be replaced in place.
    char *end = bytes + size;
    for (char *at = bytes; (at = memmem(at, (size_t)(end - at), name, strlen(name)));
         at += strlen(name))
        memcpy(at + (digits - name), unique, length);
    bool ok = file_write(object, bytes, size, err);
    free(bytes);
    return ok;
}
