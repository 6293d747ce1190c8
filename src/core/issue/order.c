// The order of warps: asks a mechanism, and makes the schedulers' tables of its answer.
#include "core/issue/order.h"

#include "core/issue/scheduler.h"

enum { MOST_SCHEDULERS = 32 };

bool order_attach(Issue *issue, CacheHooks *hooks, HdTables *tables)
{
    WarpOrder *order = &issue->order;
    order->on = true;
    order->hooks = hooks;
    order->warps = hd_tables_new(tables, WARPSET_MOST, sizeof *order->warps);
    order->answer = hd_tables_new(tables, 1, sizeof *order->answer);
    return order->warps && order->answer &&
           (issue->policy->by_age || issue_new_tables(issue, tables));
}

// Has the schedulers try their warps by the tables, or round robin. An order that rotates and also
// ranks warps or is greedy needs ISSUE_ANY.
static void use(Issue *issue, bool by_table, bool greedy, bool rotates, bool ranked)
{
    for (unsigned s = 0; s < issue->schedulers; s++) {
        Scheduler *scheduler = &issue->scheduler[s];
        scheduler->before = by_table ? scheduler->table : NULL;
        scheduler->greedy = greedy ? ~UINT64_C(0) : 0;
    }
    issue->order.rotates = rotates;
    issue->order.ranked = ranked;
    issue->way = rotates && (ranked || greedy) ? ISSUE_ANY : issue->usual_way;
}

static void use_policy(Issue *issue)
{
    const Policy *policy = issue->policy;
    issue->order.decided = false;
    use(issue, policy->by_age, policy->greedy, policy->rotates, false);
}

void order_begin(Issue *issue, const SmContext *context)
{
    question_begin(&issue->order.next, context);
    use_policy(issue);
}

// Sorts by rank. Of equal ranks the order stays. Returns whether ranks differ.
static bool sort(HdWarp *warps, unsigned count, const uint32_t *rank)
{
    for (unsigned i = 1; i < count; i++) {
        HdWarp warp = warps[i];
        unsigned at = i;
        for (; at && rank[warps[at - 1].slot] > rank[warp.slot]; at--) warps[at] = warps[at - 1];
        warps[at] = warp;
    }
    return count && rank[warps[0].slot] != rank[warps[count - 1].slot];
}

// Makes the tables of the warps in this order. ranked: keys are ranks; by_age: ages; else places.
static void fill_tables(const Blocks *blocks, const HdWarp *warps, unsigned count,
                        const uint32_t *ranks, bool by_age)
{
    uint64_t earlier[MOST_SCHEDULERS][WARPSET_WORDS] = {0};
    for (unsigned i = 0; i < count; i++) {
        const Warp *w = &blocks->warps[warps[i].slot];
        uint64_t *before = &earlier[w->issue.scheduler][w->issue.local / 64];
        w->issue.home->table[w->issue.local] = *before;
        w->issue.home->key[w->issue.local] = ranks ? ranks[w->id] : by_age ? w->age : i;
        *before |= w->issue.bit;
    }
}

void order_ask(Issue *issue, const SmContext *context, const Blocks *blocks)
{
    WarpOrder *order = &issue->order;
    HdOrder *answer = order->answer;
    HdWarps warps = {.warps = order->warps, .schedulers = issue->schedulers,
                     .cycle = context->now, .committed = context->count.sm.committed,
                     .count = list_warps(blocks, true, order->warps)};
    bool decided = core_hooks_decide_order(order->hooks, &warps, answer);
    question_asked(&order->next, context, answer->ask_at);
    order->hooks->reconsider.order = false;
    if (decided) {
        bool ranked = sort(order->warps, warps.count, answer->rank) && answer->rotates;
        fill_tables(blocks, order->warps, warps.count, ranked ? answer->rank : NULL, false);
        order->decided = true;
        use(issue, !answer->rotates, answer->greedy, answer->rotates, ranked);
    } else if (order->decided) {
        fill_tables(blocks, order->warps, warps.count, NULL, true);
        use_policy(issue);
    }
}
