// The victim buffer: how lines enter it and return to their sets.
#include "memory/cache/victim_buffer.h"

static void set_tag(Cache *cache, const CacheLine *line)
{
    cache_set_tag(cache, (size_t)(line - cache->lines), line->line);
}

CacheLine *victim_look(const Cache *cache, uint64_t line)
{
    size_t first = cache_set_lines(cache);
    for (size_t i = first; i < first + cache->config->victim_entries; i++)
        if (cache->tags[i] == cache_tag(line)) return &cache->lines[i];
    return NULL;
}

CacheLine *victim_place(const Cache *cache)
{
    size_t first = cache_set_lines(cache), place = first;
    for (size_t i = first; i < first + cache->config->victim_entries; i++) {
        if (cache->tags[i] == NO_TAG) return &cache->lines[i];
        if (cache->orders[i] < cache->orders[place]) place = i;
    }
    return &cache->lines[place];
}

void victim_put(Cache *cache, const CacheLine *line)
{
    CacheLine *place = victim_place(cache);
    *place = *line;
    if (cache->hooks)
        cache_hooks_move_line(cache->hooks, (size_t)(line - cache->lines),
                         (size_t)(place - cache->lines));
    cache_mark_used(cache, place);
    set_tag(cache, place);
}

CacheLine *victim_return(Cache *cache, uint32_t set, CacheLine *buffered)
{
    size_t way = (size_t)cache_victim_way(cache, set);
    CacheLine *home = &cache->lines[(size_t)set * cache->ways + way];
    CacheLine replaced = cache_used(cache, home) ? *home : (CacheLine){.line = NO_LINE};
    if (replaced.line != NO_LINE) {
        cache_note_replaced(cache, set, (uint32_t)way);
        cache_mark_used(cache, buffered);
        if (cache->config->replacement == REPLACE_RANDOM) cache->draws++;
    }
    if (cache->hooks)
        cache_hooks_swap_lines(cache->hooks, (size_t)(home - cache->lines),
                         (size_t)(buffered - cache->lines));
    *home = *buffered;
    cache_mark_used(cache, home);
    *buffered = replaced;
    set_tag(cache, home);
    set_tag(cache, buffered);
    return home;
}
