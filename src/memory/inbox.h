// What the memory side puts into the inbox of an SM, in the order of time: an element is behind those
// of its time that came before it. Room of elements that the SM has taken is used again.
#ifndef HEDDLE_MEMORY_INBOX_H
#define HEDDLE_MEMORY_INBOX_H

#include "base/memory.h"
#include "memory/packets.h"

// false: out of memory.
static inline bool inbox_add_reply(Inbox *inbox, const MemReply *reply)
{
    if (inbox->reply_count == inbox->reply_capacity)
        hd_drop_taken(inbox->replies, &inbox->reply_head, &inbox->reply_count,
                      sizeof *inbox->replies);
    if (!hd_reserve(&inbox->replies, inbox->reply_count, &inbox->reply_capacity,
                    sizeof *inbox->replies))
        return false;
    size_t at = inbox->reply_count++;
    for (; at > inbox->reply_head && inbox->replies[at - 1].time > reply->time; at--)
        inbox->replies[at] = inbox->replies[at - 1];
    inbox->replies[at] = *reply;
    return true;
}

// false: out of memory.
static inline bool inbox_add_credit(Inbox *inbox, const MemCredit *credit)
{
    if (inbox->credit_count == inbox->credit_capacity)
        hd_drop_taken(inbox->credits, &inbox->credit_head, &inbox->credit_count,
                      sizeof *inbox->credits);
    if (!hd_reserve(&inbox->credits, inbox->credit_count, &inbox->credit_capacity,
                    sizeof *inbox->credits))
        return false;
    size_t at = inbox->credit_count++;
    for (; at > inbox->credit_head && inbox->credits[at - 1].time > credit->time; at--)
        inbox->credits[at] = inbox->credits[at - 1];
    inbox->credits[at] = *credit;
    return true;
}

#endif
