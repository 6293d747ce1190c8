// The lists between SMs and groups of slices.
#include "memory/network/exchange.h"

static bool init_post(Post *post, unsigned senders, unsigned receivers, HdTables *tables)
{
    post->receivers = receivers;
    post->words = (senders + 63) / 64;
    post->lists = hd_tables_new(tables, (size_t)senders * receivers, sizeof *post->lists);
    post->from = hd_tables_new(tables, (size_t)receivers * post->words, sizeof *post->from);
    return post->lists && post->from;
}

bool exchange_init(Exchange *exchange, unsigned sms, unsigned groups, unsigned slices_of_group,
                   bool crossbars, Tick core_period, HdTables *tables)
{
    *exchange = (Exchange){.slices_of_group = slices_of_group, .core_period = core_period};
    exchange->news = hd_tables_new(tables, sms, sizeof *exchange->news);
    return exchange->news && init_post(&exchange->requests, sms, crossbars ? 1 : groups, tables) &&
           init_post(&exchange->replies, groups + crossbars, sms, tables);
}
