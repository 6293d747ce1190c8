// Contraction: a mul and the add or sub that uses its product become one fused multiply-add, as
// ptxas makes them. PTX leaves this to the compiler where neither has a rounding modifier.
//
// The rule is ptxas 13.0's, found from the machine code of tests/ptx/contract.txt and of
// random programs (docs/validation.md). A product may be contracted if
// - its mul has no rounding modifier, no .sat and no guard;
// - each use is an add or sub of its type, with .ftz if it has .ftz, without rounding modifier. A
//   neg or mov of the product is looked through. The sum may have .sat and a guard;
// - each use is behind the mul in its basic block. A product with a constant factor (a literal, a
//   kernel parameter, a variable of the constant bank) may be used in any block that the mul
//   dominates: the other factor takes the product's place among the live registers;
// - no use adds the product to itself.
// Sums are visited in the order of the text. A sum of two products takes the product with fewer
// uses, or else the first; the other product must stay, and is not contracted from then on. A
// product with several uses is not contracted if one of them adds a product with one use.
//
// A fused multiply-add has the place, line, guard and destination of its sum. Registers are not
// renamed: if a factor's register is overwritten in front of the sum, nothing is contracted.
#include "ptx/internal.h"

#include <stdio.h>

enum { COPIES = 4 }; // neg and mov in a row that are looked through

// An operand of a sum that is a product. Lists are linked by `next`, an index + 1; 0: the end.
typedef struct Use { uint32_t sum, operand, next; } Use;
typedef struct Copy { uint32_t at, next; } Copy;

typedef struct Product {
    uint32_t at;     // its mul
    uint32_t count;  // operands that read the product, other uses included
    uint32_t left;   // of these, not contracted
    uint32_t uses;   // list of Use
    uint32_t obstacle; // the rest of that list, from the first use on that may prevent contraction
    uint32_t copies; // list of Copy: neg and mov of the product
    bool blocked;    // is not contracted, or not further
} Product;

// By instruction; of sums only.
typedef struct Sum {
    uint32_t product[2]; // of the operands: index + 1, or 0
    bool negated[2];     // the operand is the negated product
    uint32_t fused;      // the contracted operand + 1, or 0
} Sum;

typedef struct Contract {
    Parser *p;
    FunctionBuilder *b;
    const Liveness *live;
    uint32_t *line_of, *place; // by block: its straight line of blocks, and its place there
    Dominators dominators;
    Mentions reads, writes;
    Product *products;
    size_t product_count, product_capacity;
    Use *uses;
    size_t use_count, use_capacity;
    Copy *copies;
    size_t copy_count, copy_capacity;
    Sum *sums;
} Contract;

static bool is_product(const Instruction *in)
{
    return in->op.code == UOP_MUL_LO && type_is_float((PtxType)in->op.type) && !in->rounded &&
           !(in->op.flags & UF_SAT) && in->guard == VALUE_NONE;
}

static bool is_sum(const Instruction *in)
{
    return (in->op.code == UOP_ADD || in->op.code == UOP_SUB) &&
           type_is_float((PtxType)in->op.type) && !in->rounded;
}

static bool agree(const Instruction *mul, const Instruction *sum)
{
    return is_sum(sum) && mul->op.type == sum->op.type &&
           !((mul->op.flags ^ sum->op.flags) & UF_FTZ);
}

// ---- the function's blocks and registers ----

// Numbers straight lines: blocks that follow each other on every path.
static void find_lines(Contract *c)
{
    const Block *blocks = c->b->blocks;
    for (uint32_t i = 0; i < c->b->block_count; i++) c->line_of[i] = NO_NUMBER;
    for (uint32_t i = 0; i < c->b->block_count; i++) {
        const Block *block = &blocks[i];
        uint32_t before = block->previous_count == 1 ? block->previous[0] : NO_NUMBER;
        if (before != NO_NUMBER && blocks[before].next_count == 1 && !blocks[before].exits &&
            c->line_of[before] != NO_NUMBER) {
            c->line_of[i] = c->line_of[before];
            c->place[i] = c->place[before] + 1;
        } else {
            c->line_of[i] = i;
        }
    }
}

// Whether each path from the function's start to block `to` goes through block `through`.
static bool is_on_each_path(const Contract *c, uint32_t through, uint32_t to)
{
    return !c->dominators.end[to] || dominates(&c->dominators, through, to);
}

// Whether `later` comes behind `earlier` in one straight line of blocks.
static bool in_line(const Contract *c, uint32_t earlier, uint32_t later)
{
    uint32_t from = c->b->block_of[earlier], to = c->b->block_of[later];
    if (from == to) return earlier < later;
    return c->line_of[from] == c->line_of[to] && c->place[from] < c->place[to];
}

// How many instructions write the register.
static uint32_t write_count(const Contract *c, Value number)
{
    return c->writes.first[number + 1] - c->writes.first[number];
}

// The first entry of a register's mentions behind an instruction; their end: none.
static uint32_t next_mention(const Mentions *m, Value number, uint32_t at)
{
    uint32_t low = m->first[number], high = m->first[number + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->items[middle] > at) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The next instruction behind `at` that writes the register, or NO_NUMBER.
static uint32_t next_write(const Contract *c, Value number, uint32_t at)
{
    uint32_t k = next_mention(&c->writes, number, at);
    return k < c->writes.first[number + 1] ? c->writes.items[k] : NO_NUMBER;
}

// ---- factors ----

// Whether ptxas takes the value from the instruction or from the constant bank.
static bool is_constant(const Contract *c, Value value)
{
    for (unsigned step = 0; step < COPIES; step++) {
        if (!value_is_register(value)) return true;
        if (write_count(c, value) != 1) return false;
        const Instruction *in = &c->b->code[c->writes.items[c->writes.first[value]]];
        const UOp *op = &in->op;
        if (in->guard != VALUE_NONE) return false;
        if (op->code == UOP_LD)
            return (op->space == SPACE_PARAM || op->space == SPACE_CONST) &&
                   in->src[0] == VALUE_NONE;
        if (op->code != UOP_MOV && op->code != UOP_NEG) return false;
        value = in->src[0];
    }
    return false;
}

// Whether a register that the mul at `from` reads still has the same value at the sum at `to`.
static bool is_kept(Contract *c, Value value, uint32_t from, uint32_t to)
{
    if (!value_is_register(value) || !write_count(c, value)) return true;
    if (c->b->block_of[from] == c->b->block_of[to]) return next_write(c, value, from) >= to;
    if (write_count(c, value) != 1) return false;
    uint32_t at = c->writes.items[c->writes.first[value]];
    uint32_t written = c->b->block_of[at], read = c->b->block_of[from];
    return written == read ? at < from : is_on_each_path(c, written, read);
}

// ---- uses of a product ----

// Whether the product may be computed at the sum.
static bool can_move(Contract *c, const Product *product, uint32_t to)
{
    const Instruction *mul = &c->b->code[product->at];
    bool constant = is_constant(c, mul->src[0]) || is_constant(c, mul->src[1]);
    uint32_t from = c->b->block_of[product->at], block = c->b->block_of[to];
    if (!in_line(c, product->at, to) && !(constant && from != block &&
                                         is_on_each_path(c, from, block)))
        return false;
    return is_kept(c, mul->src[0], product->at, to) && is_kept(c, mul->src[1], product->at, to);
}

// A value that is the product, or the negated product: the register that instruction `at` writes.
typedef struct Follow {
    uint32_t product, at; // product: index
    Value value;
    bool negated;
    unsigned copies;
} Follow;

static bool follow(Contract *c, Follow f);

static bool add_sum(Contract *c, const Follow *f, uint32_t at)
{
    const Instruction *in = &c->b->code[at];
    Product *product = &c->products[f->product];
    Sum *sum = &c->sums[at];
    for (unsigned k = 0; k < 2; k++) {
        if (in->src[k] != f->value) continue;
        product->count++;
        sum->product[k] = f->product + 1;
        sum->negated[k] = f->negated;
        if (!PUSH(c->p, c->uses, c->use_count, c->use_capacity, (Use){at, k, product->uses}))
            return false;
        product->uses = (uint32_t)c->use_count;
    }
    if (sum->product[0] == sum->product[1] || !can_move(c, product, at)) product->blocked = true;
    return true;
}

static bool is_copy(const Instruction *mul, const Instruction *in)
{
    const UOp *op = &in->op;
    if (in->guard != VALUE_NONE || !value_is_register(in->dst[0])) return false;
    if (op->code == UOP_MOV)
        return ptx_type_bytes((PtxType)op->type) == ptx_type_bytes((PtxType)mul->op.type);
    return op->code == UOP_NEG && op->type == mul->op.type &&
           !(op->flags & ~mul->op.flags & UF_FTZ);
}

static bool add_use(Contract *c, const Follow *f, uint32_t at)
{
    const Instruction *in = &c->b->code[at];
    Product *product = &c->products[f->product];
    const Instruction *mul = &c->b->code[product->at];
    if (agree(mul, in)) return add_sum(c, f, at);
    if (is_copy(mul, in) && f->copies < COPIES) {
        if (!PUSH(c->p, c->copies, c->copy_count, c->copy_capacity, (Copy){at, product->copies}))
            return false;
        product->copies = (uint32_t)c->copy_count;
        return follow(c, (Follow){f->product, at, in->dst[0],
                                  f->negated != (in->op.code == UOP_NEG), f->copies + 1});
    }
    product->count++;
    product->blocked = true;
    return true;
}

// Finds the uses of a register that is written more than once: up to the next write in the block.
static bool follow_in_block(Contract *c, const Follow *f)
{
    uint32_t index = c->b->block_of[f->at], end = c->b->blocks[index].end;
    uint32_t write = next_write(c, f->value, f->at);
    for (uint32_t r = next_mention(&c->reads, f->value, f->at);
         r < c->reads.first[f->value + 1]; r++) {
        uint32_t at = c->reads.items[r];
        if (at >= end || at > write) break;
        if (!add_use(c, f, at)) return false;
    }
    // Behind a guarded write, lanes that skip it still have the product.
    if (write < end ? c->b->code[write].guard != VALUE_NONE
                    : liveness_has(c->live, c->live->kept, index, f->value))
        c->products[f->product].blocked = true;
    return true;
}

static bool follow(Contract *c, Follow f)
{
    if (write_count(c, f.value) != 1) return follow_in_block(c, &f);
    for (uint32_t r = c->reads.first[f.value + 1]; r-- > c->reads.first[f.value];)
        if (!add_use(c, &f, c->reads.items[r])) return false;
    return true;
}

static bool find_products(Contract *c)
{
    for (uint32_t i = 0; i < c->b->count; i++) {
        const Instruction *in = &c->b->code[i];
        uint32_t index = (uint32_t)c->product_count;
        if (!is_product(in)) continue;
        if (!PUSH(c->p, c->products, c->product_count, c->product_capacity, (Product){.at = i}) ||
            !follow(c, (Follow){.product = index, .at = i, .value = in->dst[0]}))
            return false;
        Product *product = &c->products[index];
        product->left = product->count;
        product->obstacle = product->uses;
        // If the mul stays for another use, it overwrites its factor.
        bool own = in->dst[0] == in->src[0] || in->dst[0] == in->src[1];
        product->blocked |= own && product->count > 1;
    }
    return true;
}

// ---- which sums are contracted ----

static Product *product_of(const Contract *c, const Sum *sum, unsigned operand)
{
    return sum->product[operand] ? &c->products[sum->product[operand] - 1] : NULL;
}

// Whether a use of a product with several uses adds another product, which has one use and will be
// contracted there. Once it is none, it stays none.
static bool is_obstacle(const Contract *c, const Use *use)
{
    const Sum *sum = &c->sums[use->sum];
    const Product *other = product_of(c, sum, 1 - use->operand);
    return !sum->fused && other && !other->blocked && other->count == 1;
}

// The first entry of a list of uses that is an obstacle, apart from the uses by one sum; 0: none.
static uint32_t find_obstacle(const Contract *c, uint32_t use, uint32_t apart_from)
{
    while (use && (c->uses[use - 1].sum == apart_from || !is_obstacle(c, &c->uses[use - 1])))
        use = c->uses[use - 1].next;
    return use;
}

// Whether the operand of the sum may be contracted. Not if another sum of the product has a product
// with one use: that one is contracted there, so this one stays anyway.
static bool can_fuse(const Contract *c, uint32_t at, unsigned operand)
{
    Product *product = product_of(c, &c->sums[at], operand);
    if (!product || product->blocked) return false;
    if (product->count <= 1) return true;
    product->obstacle = find_obstacle(c, product->obstacle, NO_NUMBER);
    return !find_obstacle(c, product->obstacle, at);
}

static void choose(Contract *c)
{
    for (uint32_t i = 0; i < c->b->count; i++) {
        Sum *sum = &c->sums[i];
        bool first = can_fuse(c, i, 0), second = can_fuse(c, i, 1);
        if (!first && !second) continue;
        unsigned k = first ? 0 : 1;
        if (first && second && product_of(c, sum, 1)->count < product_of(c, sum, 0)->count) k = 1;
        Product *other = product_of(c, sum, 1 - k);
        if (other) other->blocked = true;
        sum->fused = k + 1;
        product_of(c, sum, k)->left--;
    }
}

// ---- the new code ----

// The sum's text, with the line of the mul.
static const char *fused_text(Contract *c, const Instruction *sum, const Instruction *mul)
{
    static const char format[] = "%s // fused with the mul in line %d";
    int length = snprintf(NULL, 0, format, sum->source, mul->at.line);
    char *text = module_new(c->p, (size_t)length + 1);
    if (text) snprintf(text, (size_t)length + 1, format, sum->source, mul->at.line);
    return text;
}

static bool fuse(Contract *c, uint32_t at)
{
    const Sum *sum = &c->sums[at];
    unsigned k = sum->fused - 1;
    const Instruction *mul = &c->b->code[product_of(c, sum, k)->at];
    Instruction *in = &c->b->code[at];
    bool minus = in->op.code == UOP_SUB;
    if ((minus && k == 1) != sum->negated[k]) in->op.flags |= UF_NEGATE_A;
    if (minus && k == 0) in->op.flags |= UF_NEGATE_C;
    in->src[2] = in->src[1 - k];
    in->src[0] = mul->src[0];
    in->src[1] = mul->src[1];
    in->op.code = UOP_FMA;
    in->op.class = uop_class(&in->op);
    in->source = fused_text(c, in, mul);
    c->b->f.contracted++;
    return in->source != NULL;
}

// Removes instructions, and renumbers what refers to the others.
static bool remove_instructions(Parser *p, FunctionBuilder *b, const bool *removed)
{
    uint32_t *moved = scratch_new(p, b->count + 1, sizeof *moved), kept = 0;
    if (!moved) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        moved[i] = kept;
        if (!removed[i]) b->code[kept++] = b->code[i];
    }
    moved[b->count] = kept;
    b->count = kept;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->code[i].op.code == UOP_BRA) b->code[i].op.target = moved[b->code[i].op.target];
    for (size_t i = 0; i < b->table_count; i++)
        for (uint32_t k = 0; k < b->tables[i].count; k++)
            b->tables[i].targets[k] = moved[b->tables[i].targets[k]];
    for (size_t i = 0; i < b->use_count; i++)
        b->uses[i].instruction = moved[b->uses[i].instruction];
    return true;
}

static bool rewrite(Contract *c)
{
    bool *removed = scratch_new(c->p, c->b->count, sizeof *removed);
    if (!removed) return false;
    for (uint32_t i = 0; i < c->b->count; i++)
        if (c->sums[i].fused && !fuse(c, i)) return false;
    for (size_t i = 0; i < c->product_count; i++) {
        const Product *product = &c->products[i];
        if (product->left || !product->count) continue;
        removed[product->at] = true;
        for (uint32_t k = product->copies; k; k = c->copies[k - 1].next)
            removed[c->copies[k - 1].at] = true;
    }
    return remove_instructions(c->p, c->b, removed);
}

static bool has_pair(const FunctionBuilder *b)
{
    bool product = false, sum = false;
    for (size_t i = 0; i < b->count; i++) {
        product |= is_product(&b->code[i]);
        sum |= is_sum(&b->code[i]);
    }
    return product && sum;
}

bool contract(Parser *p, FunctionBuilder *b, const Liveness *live, bool *changed)
{
    size_t blocks = b->block_count;
    if (!has_pair(b)) return true;
    Contract c = {.p = p, .b = b, .live = live,
                  .line_of = scratch_new(p, blocks, sizeof *c.line_of),
                  .place = scratch_new(p, blocks, sizeof *c.place),
                  .sums = scratch_new(p, b->count, sizeof *c.sums)};
    if (!c.line_of || !c.place || !c.sums || !dominators_find(p, b, false, &c.dominators) ||
        !mentions_find(p, b, false, &c.reads) || !mentions_find(p, b, true, &c.writes))
        return false;
    find_lines(&c);
    if (!find_products(&c)) return false;
    choose(&c);
    for (uint32_t i = 0; i < b->count && !*changed; i++) *changed = c.sums[i].fused != 0;
    return !*changed || rewrite(&c);
}
