/* SPDX-License-Identifier: GPL-2.0-only */
/* What each thread has allocated, which the reader is asked about once a second. */
#ifndef NT_SOURCE_ASKED_ALLOCATED_H
#define NT_SOURCE_ASKED_ALLOCATED_H

#include "source/common/inner_tids.h"
#include "source/common/outbox.h"
#include "source/contract/contract_reader.h"

struct nt_asked_allocated {
	bool open;     /* it has been asked and has not answered */
	nt_time asked; /* when it was; 0 = not yet */
};

/*
 * Ask, if that is due and no answer is still to come. `thread_count`: where there are many it is asked less often, a thread costs the reader a microsecond or two. False: the reader does not hear.
 */
bool nt_asked_allocated_ask(struct nt_asked_allocated *allocated, struct nt_reader *reader, size_t thread_count, nt_time now);

/* The reader's answer (ALLOCATED), as a THREAD_ALLOCATED event for each thread of process `pid`. `tids`: of the target's numbers of threads as ours. */
void nt_asked_allocated_take(struct nt_asked_allocated *allocated, const struct nt_reader_record *record, struct nt_inner_tids *tids,
			     uint32_t pid, struct nt_outbox *box);

/* The reader has ended. */
void nt_asked_allocated_forget(struct nt_asked_allocated *allocated);

#endif
