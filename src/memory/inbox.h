// What the memory side puts into the inbox of an SM, in the order of time. Room of elements that
// the SM has taken is used again.
#ifndef HEDDLE_MEMORY_INBOX_H
#define HEDDLE_MEMORY_INBOX_H

#include "base/memory.h"
#include "memory/packets.h"

static inline void inbox_note(Inbox *inbox)
{
    inbox->news = true;
    if (inbox->due) *inbox->due = 0;
}

// Appends a reply that comes no sooner than the others. false: out of memory.
static inline bool inbox_add_reply(Inbox *inbox, const MemReply *reply)
{
    if (inbox->reply_count == inbox->reply_capacity)
        hd_drop_taken(inbox->replies, &inbox->reply_head, &inbox->reply_count,
                      sizeof *inbox->replies);
    inbox_note(inbox);
    return HD_PUSH(inbox->replies, inbox->reply_count, inbox->reply_capacity, *reply);
}

// The same of a credit.
static inline bool inbox_add_credit(Inbox *inbox, const MemCredit *credit)
{
    if (inbox->credit_count == inbox->credit_capacity)
        hd_drop_taken(inbox->credits, &inbox->credit_head, &inbox->credit_count,
                      sizeof *inbox->credits);
    inbox_note(inbox);
    return HD_PUSH(inbox->credits, inbox->credit_count, inbox->credit_capacity, *credit);
}

#endif
