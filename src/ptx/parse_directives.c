// Parses the directives between a function's parameters and its body: bounds of threads, blocks and
// registers, hints to the compiler, and clusters of blocks.
//
// Clusters are not modelled. A kernel needs them if it says that its clusters have several blocks,
// or leaves their size to the launch. A maximum (.maxclusterrank) asks for none, and a cluster of
// one block is a block.
#include "ptx/internal.h"

enum { MAX_SIZE = 1024, MAX_COUNT = 65535 };

// sizes = n ("," n ("," n)?)?
static bool parse_sizes(Parser *p, const char *what, int64_t min, uint32_t sizes[3])
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    for (int i = 0; i < 3; i++) {
        int64_t n;
        if (i && !accept_char(p, ',')) return true;
        if (!expect_integer(p, what, min, MAX_SIZE, &n)) return false;
        sizes[i] = (uint32_t)n;
    }
    return true;
}

static bool parse_count(Parser *p, uint32_t *count)
{
    int64_t n;
    if (!expect_integer(p, "a number of blocks or registers", 0, MAX_COUNT, &n)) return false;
    *count = (uint32_t)n;
    return true;
}

// What a function says about clusters. A token without text: the directive is not given.
typedef struct Clusters {
    Token required, sized; // .explicitcluster; .reqnctapercluster
    uint32_t blocks[3];     // in each dimension
} Clusters;

static bool check_clusters(Parser *p, const Clusters *c)
{
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++) blocks *= c->blocks[i];
    if (c->sized.text && blocks > 1)
        return ptx_fail(p, &c->sized, "'%.*s': a kernel in clusters of %llu blocks: expected one "
                                      "without, because clusters are not modelled",
                        TEXT(&c->sized), (unsigned long long)blocks);
    if (c->required.text && !c->sized.text)
        return ptx_fail(p, &c->required, "'%.*s': a kernel in clusters, whose size the launch "
                                         "sets: expected one without, because clusters are not "
                                         "modelled", TEXT(&c->required));
    return true;
}

bool parse_abi_directive(Parser *p, bool *ok)
{
    uint32_t ignored;
    if (accept_dot(p, "noreturn")) return *ok = true;
    if (!accept_dot(p, "abi_preserve") && !accept_dot(p, "abi_preserve_control")) return false;
    *ok = parse_count(p, &ignored);
    return true;
}

bool skip_parentheses(Parser *p)
{
    if (!at_char(p, '(')) return true;
    for (unsigned depth = 0;;) {
        if (p->token.kind <= TOKEN_ERROR) return expect_char(p, ')');
        depth += at_char(p, '(');
        depth -= at_char(p, ')');
        lex_next(p);
        if (!depth) return true;
    }
}

bool skip_attribute(Parser *p) { return !accept_dot(p, "attribute") || skip_parentheses(p); }

// directives = (".maxntid" sizes | ".reqntid" sizes | ".minnctapersm" n | ".maxnreg" n | ...)*
bool parse_directives(Parser *p, PtxFunction *f)
{
    Clusters clusters = {.blocks = {1, 1, 1}};
    static const char threads[] = "a number of threads", blocks[] = "a number of blocks";
    while (p->token.kind == TOKEN_DOT) {
        Token at = p->token;
        bool ok;
        uint32_t hint;
        if (accept_dot(p, "maxntid")) {
            ok = parse_sizes(p, threads, 1, f->max_threads);
        } else if (accept_dot(p, "reqntid")) {
            ok = parse_sizes(p, threads, 1, f->required_threads);
        } else if (accept_dot(p, "minnctapersm")) {
            ok = parse_count(p, &f->min_blocks);
        } else if (accept_dot(p, "maxnreg")) {
            ok = parse_count(p, &f->max_registers);
        } else if (accept_dot(p, "maxnctapersm") || accept_dot(p, "maxclusterrank") ||
                   accept_dot(p, "local_maxnreg")) {
            ok = parse_count(p, &hint);
        } else if (accept_dot(p, "explicitcluster")) {
            clusters.required = at;
            ok = true;
        } else if (accept_dot(p, "reqnctapercluster")) {
            clusters.sized = at;
            ok = parse_sizes(p, blocks, 0, clusters.blocks);
        } else if (accept_dot(p, "blocksareclusters")) {
            ok = true; // it requires .reqnctapercluster
        } else if (at_dot(p, "pragma")) {
            ok = parse_pragma(p);
        } else if (!parse_abi_directive(p, &ok)) {
            ok = ptx_fail(p, &at, "'%.*s': expected .maxntid, .reqntid, .minnctapersm, .maxnreg, "
                                  "another directive of functions up to PTX 9.0, or the "
                                  "function's body", TEXT(&at));
        }
        if (!ok) return false;
    }
    return check_clusters(p, &clusters);
}
