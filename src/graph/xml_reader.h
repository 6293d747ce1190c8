// Internal to the graph layer: reads XML from an input by expat, within the limits of a build.
//
// A document type that declares anything (entities, attributes) is refused: nothing expands.
// External document types are not opened. expat's memory counts in the budget.
#ifndef HEDDLE_GRAPH_XML_READER_H
#define HEDDLE_GRAPH_XML_READER_H

#include "graph/graph_internal.h"

typedef struct XmlReader XmlReader;

// What the user of the reader is called with. The functions return false to end the reading, after
// xml_fail.
typedef struct XmlEvents {
    // The beginning of an element. `attributes` alternate between names and values, and end with
    // NULL.
    bool (*start)(void *user, XmlReader *xml, const char *element, const char **attributes);
    bool (*end)(void *user, XmlReader *xml);
    // A piece of the text of an element, without a zero byte.
    bool (*text)(void *user, XmlReader *xml, const char *text, size_t length);
} XmlEvents;

// Reads all of the input. Returns false if it is no well-formed XML or breaks a limit, or if an
// event returned false; err is set.
bool xml_read(Input *in, const XmlEvents *events, void *user, GraphBuild *build);

// Fails at the current position.
bool xml_fail(XmlReader *xml, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The current line, from 1.
uint64_t xml_line(const XmlReader *xml);

// The value of an attribute, or NULL.
const char *xml_attribute(const char **attributes, const char *name);

#endif
