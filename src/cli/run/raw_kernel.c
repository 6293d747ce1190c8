// Reads a kernel's arguments, allocates its buffers, launches it.
#include "cli/run/raw_kernel.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_value(HdError *err, const char *text, const char *expected)
{
    return hd_fail(err, "--arg %s: expected %s after the colon", text, expected);
}

// Signed and unsigned integers of `bits` bits.
static bool parse_signed(const char *text, const char *value, int bits, int64_t *number,
                         HdError *err)
{
    char *end;
    errno = 0;
    long long wide = strtoll(value, &end, 0);
    long long limit = bits == 32 ? INT32_MAX : INT64_MAX;
    if (!*value || *end || errno || wide > limit || wide < -limit - 1)
        return fail_value(err, text, bits == 32 ? "a 32-bit integer" : "a 64-bit integer");
    *number = wide;
    return true;
}

static bool parse_unsigned(const char *text, const char *value, int bits, uint64_t *number,
                           HdError *err)
{
    char *end;
    errno = 0;
    unsigned long long wide = strtoull(value, &end, 0);
    if (*value < '0' || *value > '9' || *end || errno || (bits == 32 && wide > UINT32_MAX))
        return fail_value(err, text, bits == 32 ? "an unsigned 32-bit integer"
                                                : "an unsigned 64-bit integer");
    *number = wide;
    return true;
}

static bool parse_real(const char *text, const char *value, double *number, HdError *err)
{
    char *end;
    *number = number_read(value, &end);
    return (*value && !*end) || fail_value(err, text, "a number");
}

static bool parse_scalar(const char *text, const char *value, HdArg *arg, HdError *err)
{
    int64_t i = 0;
    uint64_t u = 0;
    double f = 0;
    bool ok = false;
    switch (arg->kind) {
    case HD_ARG_I32:
        ok = parse_signed(text, value, 32, &i, err);
        *arg = hd_i32((int32_t)i);
        break;
    case HD_ARG_I64:
        ok = parse_signed(text, value, 64, &i, err);
        *arg = hd_i64(i);
        break;
    case HD_ARG_U32:
        ok = parse_unsigned(text, value, 32, &u, err);
        *arg = hd_u32((uint32_t)u);
        break;
    case HD_ARG_U64:
        ok = parse_unsigned(text, value, 64, &u, err);
        *arg = hd_u64(u);
        break;
    case HD_ARG_F32:
        ok = parse_real(text, value, &f, err);
        *arg = hd_f32((float)f);
        break;
    case HD_ARG_F64:
        ok = parse_real(text, value, &f, err);
        *arg = hd_f64(f);
        break;
    case HD_ARG_BUFFER:
    case HD_ARG_KINDS: break;
    }
    return ok;
}

// The initial contents of a buffer: "fill:BYTE" or "file:PATH".
static bool parse_contents(const char *text, const char *contents, RawArg *arg, HdError *err)
{
    if (strncmp(contents, "file:", 5) == 0 && contents[5]) {
        arg->file = contents + 5;
        return true;
    }
    uint64_t byte;
    if (strncmp(contents, "fill:", 5) == 0) {
        OptionInput input = {.where = "--arg ...=fill", .text = contents + 5, .err = err};
        if (!option_read_number(&input, 0, 255, &byte)) return false;
        arg->fill = (uint8_t)byte;
        return true;
    }
    return hd_fail(err, "--arg %s: expected fill:BYTE or file:PATH after the =", text);
}

// SIZE[:NAME][=CONTENTS]
static bool parse_buffer(const char *text, const char *value, size_t index, RawArg *arg,
                         HdError *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    char size[32];
    size_t length = strcspn(value, ":=");
    snprintf(size, sizeof size, "%.*s", (int)length, value);
    OptionInput input = {.where = "--arg buf", .text = size, .err = err};
    if (!option_read_size(&input, &arg->bytes)) return false;
    const char *rest = value + length;
    snprintf(arg->name, sizeof arg->name, "arg%zu", index);
    if (*rest == ':') {
        length = strcspn(++rest, "=");
        if (length == 0 || length >= sizeof arg->name || strspn(rest, letters) < length)
            return hd_fail(err,
                           "--arg %s: expected a buffer name of 1 to %zu letters, digits, _, . or "
                           "-", text, sizeof arg->name - 1);
        snprintf(arg->name, sizeof arg->name, "%.*s", (int)length, rest);
        rest += length;
    }
    return *rest != '=' || parse_contents(text, rest + 1, arg, err);
}

static bool parse_arg(const char *text, size_t index, RawArg *arg, HdError *err)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    for (HdArgKind kind = 0; kind < HD_ARG_KINDS; kind++) {
        const char *name = hd_arg_kind_name(kind);
        if (strlen(name) != length || strncmp(text, name, length) != 0) continue;
        if (!colon) return fail_value(err, text, "a value");
        *arg = (RawArg){.arg.kind = kind};
        return kind == HD_ARG_BUFFER ? parse_buffer(text, colon + 1, index, arg, err)
                                     : parse_scalar(text, colon + 1, &arg->arg, err);
    }
    return hd_fail(err, "--arg %s: expected a type first: buf:, i32:, u32:, i64:, u64:, f32: or "
                        "f64:", text);
}

// N=FILE
static bool parse_dump(RawKernel *kernel, const char *text, HdError *err)
{
    char number[16];
    const char *equals = strchr(text, '=');
    uint64_t index;
    if (!equals || !equals[1] || equals - text >= (ptrdiff_t)sizeof number)
        return hd_fail(err, "--dump %s: expected N=FILE, N the number of a buffer argument", text);
    snprintf(number, sizeof number, "%.*s", (int)(equals - text), text);
    OptionInput input = {.where = "--dump", .text = number, .err = err};
    if (!option_read_number(&input, 0, UINT32_MAX, &index)) return false;
    if (index >= kernel->count || kernel->args[index].arg.kind != HD_ARG_BUFFER)
        return hd_fail(err,
                       "--dump %s: expected a buffer, but argument %" PRIu64
                       " is none (the first is 0)",
                       text, index);
    if (kernel->args[index].dump)
        return hd_fail(err, "--dump %s: argument %" PRIu64 " is already written to %s", text, index,
                       kernel->args[index].dump);
    kernel->args[index].dump = equals + 1;
    return true;
}

bool raw_kernel_parse(RawKernel *kernel, const RunOptions *options, HdError *err)
{
    size_t count = option_list_length(options->args);
    *kernel = (RawKernel){.args = hd_new(count, sizeof *kernel->args), .count = count};
    if (!kernel->args) return hd_fail_memory(err, "reading the command line");
    for (size_t i = 0; i < kernel->count; i++)
        if (!parse_arg(options->args[i], i, &kernel->args[i], err)) return false;
    // Reports and results identify a buffer by its name.
    for (size_t i = 0; i < kernel->count; i++)
        for (size_t j = 0; j < i; j++)
            if (kernel->args[i].name[0] && strcmp(kernel->args[i].name, kernel->args[j].name) == 0)
                return hd_fail(err, "--arg: buffers %zu and %zu are both named '%s'", j, i,
                               kernel->args[i].name);
    for (const char *const *dump = options->dumps; dump && *dump; dump++)
        if (!parse_dump(kernel, *dump, err)) return false;
    return true;
}

static bool make_buffer(RawArg *arg, HdDevice *device, HdError *err)
{
    HdAddress address = hd_allocate(device, arg->bytes, arg->name, err);
    arg->arg = hd_buffer(address);
    if (!address) return false;
    if (arg->fill && !hd_fill(device, address, arg->fill, arg->bytes, err)) return false;
    if (!arg->file) return true;
    size_t size;
    char *bytes = file_read(arg->file, &size, err);
    if (!bytes) return false;
    bool ok = size <= arg->bytes
                  ? hd_write(device, address, bytes, size, err)
                  : hd_fail(err, "%s: %zu bytes do not fit into buffer '%s' of %" PRIu64, arg->file,
                            size, arg->name, arg->bytes);
    free(bytes);
    return ok;
}

bool raw_kernel_run(RawKernel *kernel, const RunOptions *options, HdDevice *device, HdError *err)
{
    HdArg *args = hd_new(kernel->count, sizeof *args);
    if (!args) return hd_fail_memory(err, "running a kernel");
    bool ok = true;
    for (size_t i = 0; ok && i < kernel->count; i++) {
        RawArg *arg = &kernel->args[i];
        ok = arg->arg.kind != HD_ARG_BUFFER || make_buffer(arg, device, err);
        args[i] = arg->arg;
    }
    HdLaunch launch = {
        .kernel = options->entry,
        .dynamic_shared = options->dynamic_shared,
        .args = args,
        .arg_count = kernel->count,
    };
    memcpy(launch.grid, options->grid, sizeof launch.grid);
    memcpy(launch.block, options->block, sizeof launch.block);
    ok = ok && hd_launch(device, &launch, err) && hd_synchronise(device, err);
    for (size_t i = 0; ok && i < kernel->count; i++) {
        const RawArg *arg = &kernel->args[i];
        if (!arg->dump) continue;
        void *bytes = hd_new(arg->bytes, 1);
        ok = bytes ? hd_read(device, bytes, arg->arg.value.buffer, arg->bytes, err) &&
                         file_write(arg->dump, bytes, arg->bytes, err)
                   : hd_fail_memory(err, "writing a buffer");
        free(bytes);
    }
    free(args);
    return ok;
}

void raw_kernel_free(RawKernel *kernel)
{
    free(kernel->args);
    *kernel = (RawKernel){0};
}
