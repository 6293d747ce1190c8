// The victim buffer of a cache: a few fully associative lines that hold the lines last replaced in
// its sets (Jouppi, "Improving Direct-Mapped Cache Performance by the Addition of a Small
// Fully-Associative Cache and Prefetch Buffers", ISCA 1990). A line is in a set or in the buffer,
// never in both: a line that is used again changes places with the line that its set replaces for
// it.
//
// The buffer's lines follow those of the sets in Cache.lines and Cache.tags, so that loops over all
// lines of a cache include them. Part of the inside of a cache, as cache_state.h is.
#ifndef HEDDLE_MEMORY_CACHE_VICTIM_BUFFER_H
#define HEDDLE_MEMORY_CACHE_VICTIM_BUFFER_H

#include "memory/cache/cache_state.h"

// Whether this line of the cache is in its buffer.
static inline bool victim_buffered(const Cache *cache, const CacheLine *line)
{
    return line && line >= cache->buffer;
}

// The buffered line of a line address; NULL: it is not there.
CacheLine *victim_look(const Cache *cache, uint64_t line);

// The entry that the next line takes: an unused one, else the oldest (each use takes a line out of
// the buffer, so this is the least recently used). The buffer must have entries.
CacheLine *victim_place(const Cache *cache);

// Copies a line that its set replaces to victim_place.
void victim_put(Cache *cache, const CacheLine *line);

// Returns a buffered line to its set, in which cache_victim_way must find a way: the line there
// takes its place in the buffer. Nothing leaves the cache. Returns the new place.
CacheLine *victim_return(Cache *cache, uint32_t set, CacheLine *buffered);

#endif
