// Reads XML by expat: limits, positions and memory.
#include "graph/xml_reader.h"

#include "base/fail.h"
#include "base/number.h"

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum {
    CHUNK = 1 << 16,   // bytes read at once
    LONGEST = 1 << 20, // bytes of a tag or a comment
    DEEPEST = 64,      // elements, each in another
};

struct XmlReader {
    XML_Parser parser;
    const XmlEvents *events;
    void *user;
    GraphBuild *build;
    const char *file;
    size_t since; // bytes handed to expat after the last event
    int depth;
    bool failed;
};

// ---- memory ----

// expat's functions for memory have no argument of their caller. A thread reads one file at a time.
static _Thread_local MemoryBudget *budget;
static const char memory_name[] = "the reader of XML";

static void *xml_new(size_t size)
{
    return budget_new(budget, size, 1, memory_name);
}

static void *xml_resize(void *pointer, size_t size)
{
    size_t capacity;
    return budget_resize(budget, &pointer, &capacity, size, 1, memory_name) ? pointer : NULL;
}

static void xml_free(void *pointer)
{
    budget_free(budget, pointer);
}

// ---- messages ----

static bool fail_at(XmlReader *xml, const char *text)
{
    XML_Size line = XML_GetCurrentLineNumber(xml->parser);
    XML_Size column = XML_GetCurrentColumnNumber(xml->parser) + 1;
    return hd_fail_at(xml->build->err, xml->file, line < INT_MAX ? (int)line : INT_MAX,
                      column < INT_MAX ? (int)column : 0, "%s", text);
}

bool xml_fail(XmlReader *xml, const char *format, ...)
{
    char text[HD_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    return fail_at(xml, text);
}

uint64_t xml_line(const XmlReader *xml)
{
    return XML_GetCurrentLineNumber(xml->parser);
}

const char *xml_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

// ---- events ----

static void handled(XmlReader *xml, bool ok)
{
    xml->since = 0;
    if (ok) return;
    xml->failed = true;
    XML_StopParser(xml->parser, XML_FALSE);
}

// expat may still call after it was stopped.
static void on_start(void *user, const char *element, const char **attributes)
{
    XmlReader *xml = user;
    if (xml->failed) return;
    bool ok = xml->depth++ < DEEPEST ||
              xml_fail(xml, "more than %d elements in each other: expected fewer", DEEPEST);
    handled(xml, ok && xml->events->start(xml->user, xml, element, attributes));
}

static void on_end(void *user, const char *element)
{
    XmlReader *xml = user;
    (void)element;
    if (xml->failed) return;
    xml->depth--;
    handled(xml, xml->events->end(xml->user, xml));
}

static void on_text(void *user, const char *text, int length)
{
    XmlReader *xml = user;
    if (!xml->failed)
        handled(xml, xml->events->text(xml->user, xml, text, (size_t)length));
}

static void on_document_type(void *user, const char *name, const char *system, const char *public,
                             int declarations)
{
    XmlReader *xml = user;
    (void)name, (void)system, (void)public;
    if (!xml->failed)
        handled(xml, !declarations ||
                         xml_fail(xml, "declarations in the document type: expected none, "
                                       "because entities and default values are not read"));
}

static void on_skipped_entity(void *user, const char *name, int parameter)
{
    XmlReader *xml = user;
    (void)parameter;
    if (!xml->failed)
        handled(xml, xml_fail(xml, "the entity '%.60s' is not declared: expected &lt;, &gt;, "
                                   "&amp;, &apos; or &quot;", name));
}

// Comments and all else: counts as an event.
static void on_other(void *user, const char *text, int length)
{
    (void)text, (void)length;
    handled(user, true);
}

// ---- reading ----

// Hands the next bytes to the parser; *last is set behind the end of the input.
static bool read_chunk(XmlReader *xml, Input *in, bool *last)
{
    void *bytes = XML_GetBuffer(xml->parser, CHUNK);
    if (!bytes) return false; // err is set
    size_t got = input_read(in, bytes, CHUNK, xml->build->err);
    if (got == INPUT_ERROR) return false;
    *last = got < CHUNK;
    graph_progress(xml->build, "reading", input_stored_offset(in), input_stored_size(in));
    xml->since += got;
    enum XML_Status status = XML_ParseBuffer(xml->parser, (int)got, *last);
    if (xml->failed) return false;
    if (status == XML_STATUS_OK)
        return xml->since <= LONGEST + CHUNK ||
               xml_fail(xml, "a tag or a comment is longer than 1.0 MiB: expected a shorter one");
    enum XML_Error error = XML_GetErrorCode(xml->parser);
    const HdError *err = xml->build->err;
    if (error == XML_ERROR_NO_MEMORY && err && err->set) return false; // the budget's message
    return xml_fail(xml, "%s: expected well-formed XML", XML_ErrorString(error));
}

bool xml_read(Input *in, const XmlEvents *events, void *user, GraphBuild *build)
{
    const XML_Memory_Handling_Suite memory = {xml_new, xml_resize, xml_free};
    XmlReader xml = {.events = events, .user = user, .build = build, .file = input_name(in)};
    bool last = false, ok = true;
    budget = &build->memory;
    xml.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!xml.parser) return false; // err is set
    XML_SetUserData(xml.parser, &xml);
    XML_SetElementHandler(xml.parser, on_start, on_end);
    XML_SetCharacterDataHandler(xml.parser, on_text);
    XML_SetStartDoctypeDeclHandler(xml.parser, on_document_type);
    XML_SetSkippedEntityHandler(xml.parser, on_skipped_entity);
    XML_SetDefaultHandler(xml.parser, on_other);
    while (ok && !last) ok = read_chunk(&xml, in, &last);
    XML_ParserFree(xml.parser);
    budget = NULL;
    return ok;
}
