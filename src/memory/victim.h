// The victim buffer of a cache: a few fully associative lines that hold what its sets last gave up
// (Jouppi, "Improving Direct-Mapped Cache Performance by the Addition of a Small Fully-Associative
// Cache and Prefetch Buffers", ISCA 1990). A line is in a set or in the buffer, never in both: one
// that is used again changes places with the line that its set gives up for it.
//
// The buffer's lines follow the sets' in Cache.lines and Cache.tags, so that what is done to every
// line of a cache is done to them too. Part of the inside of a cache, as cache_state.h is.
#ifndef HEDDLE_MEMORY_VICTIM_H
#define HEDDLE_MEMORY_VICTIM_H

#include "memory/cache_state.h"

// Whether this line of the cache lies in its buffer.
static inline bool victim_buffered(const Cache *cache, const CacheLine *line)
{
    return line && line >= cache->lines + cache_set_lines(cache);
}

// The buffered line of a line address; NULL: not there.
CacheLine *victim_look(const Cache *cache, uint64_t line);

// The place that the next line takes: an unused one, else the one that came first (each use takes a
// line out of the buffer, so this is the least recently used). The buffer must have entries.
CacheLine *victim_place(const Cache *cache);

// Copies a line that its set gives up over the one at victim_place.
void victim_put(Cache *cache, const CacheLine *line);

// Brings a buffered line back to its set, whose cache_victim_way must be a way: what lies there
// takes its place in the buffer. Nothing leaves the cache. Returns where the line now is.
CacheLine *victim_return(Cache *cache, uint32_t set, CacheLine *buffered);

#endif
