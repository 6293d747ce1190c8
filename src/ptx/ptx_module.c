// Modules: allocation, parsing, relocation, finding kernels.
#include "ptx/internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- allocation for the parser ----

void *module_new(Parser *p, size_t size)
{
    void *made = hd_arena_new(&p->module->arena, size);
    p->out_of_memory |= !made;
    if (!made) ptx_fail(p, &p->token, "out of memory while reading PTX");
    return made;
}

void *scratch_new(Parser *p, size_t count, size_t size)
{
    size_t bytes;
    void *made = __builtin_mul_overflow(count, size, &bytes) ? NULL
                                                             : hd_arena_new(&p->scratch, bytes);
    p->out_of_memory |= !made;
    if (!made) ptx_fail(p, &p->token, "out of memory while reading PTX");
    return made;
}

bool scratch_grow(Parser *p, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    void *old, *grown = scratch_new(p, wanted, size);
    if (!grown) return false;
    memcpy(&old, items, sizeof old);
    if (count) memcpy(grown, old, count * size);
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

// ---- modules ----

// Lengths, columns and offsets in an initialiser are then within 32 bits.
enum { MAX_TEXT = 1 << 30 };

// Parses the next of the parser's texts. Its global names are in a scope of their own.
static bool parse_next(Parser *p)
{
    const PtxText *next = &p->texts[p->text_count++];
    p->token = (Token){.text = next->text, .line = 1};
    size_t length = strlen(next->text);
    p->ends[p->text_count - 1] = next->text + length;
    if (length > MAX_TEXT)
        return ptx_fail(p, &p->token, "a text of %zu bytes: expected at most %d", length, MAX_TEXT);
    p->may_allocate = strstr(next->text, "alloca");
    p->path = hd_arena_text(&p->module->arena, next->path, strlen(next->path));
    if (!p->path) return ptx_fail(p, &p->token, "out of memory while reading PTX");
    p->globals = p->scope = scope_open(p, NULL);
    if (!p->globals || (!p->words && !keywords_build(p))) return false;
    lex_start(p);
    return parse_module(p);
}

// `p`: the texts and how to parse them. `count`: how many they are.
static PtxModule *parse(Parser *p, size_t count, const char *path, HdError *err)
{
    PtxModule *module = hd_new(1, sizeof *module);
    if (!module) {
        hd_fail_memory(err, "reading PTX");
        return NULL;
    }
    HdError kept = {0}; // lenient parsing needs the text even if the caller does not
    p->err = err ? err : &kept;
    p->module = module;
    module->path = hd_arena_text(&module->arena, path, strlen(path));
    module->lenient = p->lenient;
    module->engines = p->engines;
    p->ends = hd_arena_new(&p->scratch, count * sizeof *p->ends);
    bool ok = (module->path && p->ends) || hd_fail_memory(p->err, "reading PTX");
    while (ok && p->text_count < count) ok = parse_next(p);
    ok = ok && locations_resolve(p) && (!p->relocatable || texts_link(p)) && module_finish(p);
    hd_arena_free(&p->scratch);
    hd_arena_free(&p->analyses);
    if (ok) return module;
    ptx_free(module);
    return NULL;
}

PtxModule *ptx_parse(const char *text, const char *path, HdError *err)
{
    return ptx_parse_with(text, path, (PtxOptions){0}, err);
}

PtxModule *ptx_parse_with(const char *text, const char *path, PtxOptions options, HdError *err)
{
    return parse(&(Parser){.texts = &(PtxText){text, path}, .lenient = options.lenient,
                           .contract = options.contract, .banks_by_name = options.banks_by_name,
                           .slots_apart = options.slots_apart, .engines = options.engines},
                 1, path, err);
}

PtxModule *ptx_link(const PtxText *texts, size_t count, const char *path, PtxOptions options,
                    HdError *err)
{
    return parse(&(Parser){.texts = texts, .relocatable = true, .lenient = options.lenient,
                           .contract = options.contract, .banks_by_name = options.banks_by_name,
                           .slots_apart = options.slots_apart, .engines = options.engines},
                 count, path, err);
}

bool ptx_mark_unusable(PtxModule *module, PtxFunction *function, const char *why)
{
    if (!function->unusable)
        function->unusable = hd_arena_text(&module->arena, why, strlen(why));
    return function->unusable != NULL;
}

bool tolerate_failure(Parser *p, PtxFunction *f)
{
    if (!p->lenient || p->out_of_memory || !ptx_mark_unusable(p->module, f, p->err->text))
        return false;
    p->failed = p->err->set = false;
    return true;
}

// The functions that call a function, in one array: those of function f are at[f] to at[f + 1].
typedef struct Callers {
    size_t *at;
    PtxFunction **callers;
} Callers;

// Calls `add` for each direct call in the module.
static void each_call(PtxModule *m, Callers *c, void (*add)(Callers *, uint32_t, PtxFunction *))
{
    for (size_t i = 0; i < m->function_count; i++)
        for (uint32_t k = 0; k < m->functions[i].op_count; k++)
            if (m->functions[i].ops[k].code == UOP_CALL)
                add(c, m->functions[i].ops[k].target, &m->functions[i]);
}

static void count_caller(Callers *c, uint32_t callee, PtxFunction *caller)
{
    (void)caller;
    c->at[callee]++;
}

// Fills the array from the ends of its parts.
static void add_caller(Callers *c, uint32_t callee, PtxFunction *caller)
{
    c->callers[--c->at[callee]] = caller;
}

bool ptx_propagate_unusable(PtxModule *module)
{
    size_t n = module->function_count, calls = 0, waiting = 0;
    Callers c = {.at = hd_new(n + 1, sizeof *c.at)};
    PtxFunction **unusable = hd_new(n, sizeof(PtxFunction *));
    if (c.at) each_call(module, &c, count_caller);
    for (size_t i = 0; c.at && i <= n; i++) c.at[i] = calls += c.at[i];
    c.callers = hd_new(calls, sizeof(PtxFunction *));
    bool ok = c.at && c.callers && unusable;
    if (ok) each_call(module, &c, add_caller);
    for (size_t i = 0; ok && i < n; i++)
        if (module->functions[i].unusable) unusable[waiting++] = &module->functions[i];
    for (size_t k = 0; ok && k < waiting; k++) {
        const PtxFunction *f = unusable[k];
        size_t index = (size_t)(f - module->functions);
        for (size_t i = c.at[index]; i < c.at[index + 1]; i++) {
            if (c.callers[i]->unusable) continue;
            c.callers[i]->unusable = f->unusable;
            unusable[waiting++] = c.callers[i];
        }
    }
    free(c.at);
    free(c.callers);
    free(unusable);
    return ok;
}

void ptx_free(PtxModule *module)
{
    if (!module) return;
    hd_arena_free(&module->arena);
    free(module);
}

void ptx_relocate(PtxModule *module, const uint64_t *addresses)
{
    for (size_t i = 0; i < module->variable_count; i++)
        if (module->variables[i].space == SPACE_GLOBAL)
            module->variables[i].address = addresses[i];
    for (size_t i = 0; i < module->relocation_count; i++) {
        const PtxRelocation *r = &module->relocations[i];
        uint64_t address = module->variables[r->variable].address + (uint64_t)r->addend;
        if (r->function < 0) {
            // Initialisers are const for users; the module's arena is writable.
            address >>= r->shift;
            memcpy((uint8_t *)module->variables[r->in].initial + r->slot, &address, r->bytes);
            continue;
        }
        uint32_t *slot = module->functions[r->function].constants + (size_t)r->slot * HD_MAX_LANES;
        for (int lane = 0; lane < HD_MAX_LANES; lane++)
            memcpy(slot + 2 * lane, &address, sizeof address);
    }
}

const PtxFunction *ptx_function_at(const PtxModule *module, uint64_t address, uint32_t signature)
{
    uint64_t index = (address - PTX_CODE_BASE) / PTX_CODE_STEP - 1;
    if (!signature || address % PTX_CODE_STEP || index >= module->function_count) return NULL;
    const PtxFunction *f = &module->functions[index];
    return f->signature == signature ? f : NULL;
}

// ---- names ----

const char *ptx_source_name(const char *name)
{
    static const char prefix[] = "__nv_static_";
    if (strncmp(name, prefix, strlen(prefix)) != 0) return name;
    char *end;
    size_t length = strtoul(name + strlen(prefix), &end, 10);
    size_t rest = strlen(end);
    return *end == '_' && length && rest > 2 && length < rest - 2 && end[length + 1] == '_'
               ? end + length + 2
               : name;
}

// Takes the last <length><name> of "_Z3foo...", "_ZN1a1b3fooE..." or "_ZL3foo...".
void ptx_base_name(const char *name, char *text, size_t size)
{
    name = ptx_source_name(name);
    const char *base = name;
    size_t left = strlen(name);
    int length = (int)left;
    if (!strncmp(name, "_Z", 2)) {
        const char *s = name + 2;
        bool nested = *s == 'N';
        if (nested) s++;
        while (*s == 'K' || *s == 'L') s++;
        left -= (size_t)(s - name);
        while (text_is_digit(*s)) {
            char *end;
            unsigned long n = strtoul(s, &end, 10);
            left -= (size_t)(end - s);
            if (n > left) break;
            base = end;
            length = (int)n;
            s = end + n;
            left -= n;
            if (!nested) break;
        }
    }
    snprintf(text, size, "%.*s", length, base);
}

enum { BASE_NAME = 512 };

static PtxFunction *fail_kernel(PtxModule *module, const char *name, HdError *err)
{
    char(*bases)[BASE_NAME] = hd_new(module->function_count, sizeof *bases);
    const char **names = hd_new(module->function_count, sizeof *names);
    int count = 0;
    for (size_t i = 0; bases && names && i < module->function_count; i++) {
        if (!module->functions[i].entry) continue;
        ptx_base_name(module->functions[i].name, bases[count], BASE_NAME);
        names[count] = bases[count];
        count++;
    }
    const char *near = names ? hd_nearest(name, names, count) : NULL;
    if (!count)
        hd_fail(err, "%s: no kernel '%s': expected an .entry, but the file has none", module->path,
                name);
    else if (near)
        hd_fail(err, "%s: no kernel '%s'; did you mean '%s'?", module->path, name, near);
    else
        hd_fail(err, "%s: no kernel '%s' among its %d kernels", module->path, name, count);
    free(names);
    free(bases);
    return NULL;
}

PtxFunction *ptx_find_kernel(PtxModule *module, const char *name, HdError *err)
{
    PtxFunction *found = NULL;
    for (size_t i = 0; i < module->function_count; i++) {
        PtxFunction *f = &module->functions[i];
        if (f->entry && !strcmp(f->name, name)) return f;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        PtxFunction *f = &module->functions[i];
        char base[BASE_NAME];
        ptx_base_name(f->name, base, sizeof base);
        if (!f->entry || strcmp(base, name)) continue;
        if (found) {
            hd_fail(err, "%s: kernel '%s' is ambiguous: expected a full name, '%s' or '%s'",
                    module->path, name, found->name, f->name);
            return NULL;
        }
        found = f;
    }
    return found ? found : fail_kernel(module, name, err);
}

const char *ptx_source_text(const PtxModule *module, const PtxFunction *function, uint32_t index)
{
    (void)module;
    return index < function->op_count ? function->source[index] : "";
}
