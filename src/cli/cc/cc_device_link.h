// The device link of `heddle cc`: makes one module of the relocatable device code (-rdc=true, -dc)
// of several objects. The protocol is that of nvcc, whose objects may be among them.
#ifndef HEDDLE_CLI_CC_CC_DEVICE_LINK_H
#define HEDDLE_CLI_CC_CC_DEVICE_LINK_H

#include "cli/cc/cc_options.h"

// Adds to `modules` the names of the modules in the objects and archives of options->link that no
// object registers yet. A file that cannot be read is left to the linker.
bool cc_modules_find(CcOptions *options, TextList *modules, HdError *err);

// The C source of an object that registers the modules as one; NULL: out of memory.
const char *cc_modules_source(CcOptions *options, const TextList *modules);

// Gives the module in an object that clang wrote a name made of `unique`. clang's own depends on
// the path only, as given, so files of two folders and two compilations of one file have the same.
bool cc_module_rename(CcOptions *options, const char *object, const char *unique, HdError *err);

#endif
