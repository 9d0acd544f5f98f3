/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a rundown says, collected while its stream is read: the names of modules come last, and belong into the names of all methods. Then handed over in pieces, as
 * events. Bounded: what is beyond is counted.
 */
#ifndef NT_SOURCE_RUNDOWN_LIST_H
#define NT_SOURCE_RUNDOWN_LIST_H

#include "decode/eventpipe/nettrace.h"
#include "source/common/outbox.h"

struct nt_rundown_list;

/* IL maps that can be asked for at a time. */
enum { NT_RUNDOWN_ASKED_MAX = 64 };

/* `asked`: addresses of code whose IL map is wanted; copied, at most NT_RUNDOWN_ASKED_MAX. `pid` goes into all events. */
struct nt_rundown_list *nt_rundown_list_new(uint32_t pid, const uint64_t *asked, size_t asked_count);

/* It is no list: the session brings the settings of the collector alone, and nothing is told of a list that has ended. */
void nt_rundown_list_of_settings(struct nt_rundown_list *list);

void nt_rundown_list_free(struct nt_rundown_list *list); /* NULL is allowed */

/* Where the stream's events go. Borrows the list. */
struct nt_nettrace_sink nt_rundown_list_sink(struct nt_rundown_list *list);

/*
 * The stream has ended, `took_ns` after the request and `stream_bytes` long; `reason`: why it is not whole, NULL = it is. From now on the list is handed over.
 */
void nt_rundown_list_end(struct nt_rundown_list *list, nt_time took_ns, uint64_t stream_bytes, const char *reason);

/* Append the next piece to the box. False: there is nothing left. */
bool nt_rundown_list_deliver(struct nt_rundown_list *list, struct nt_outbox *box);

#endif
