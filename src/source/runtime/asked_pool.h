/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread pool, which the reader is asked about at each look. */
#ifndef NT_SOURCE_ASKED_POOL_H
#define NT_SOURCE_ASKED_POOL_H

#include "source/common/outbox.h"
#include "source/contract/contract_reader.h"

struct nt_asked_pool {
	bool open;                    /* it has been asked and has not answered */
	nt_time asked;                /* when it was */
	struct nt_reader_pooled last; /* what it said last; not `known` = nothing */
};

/* Ask, unless an answer is still to come. False: the reader does not hear. */
bool nt_asked_pool_ask(struct nt_asked_pool *pool, struct nt_reader *reader, nt_time now);

/* The reader's answer (POOLED), as a POOL_COUNTS event of process `pid`; none where it does not know. */
void nt_asked_pool_take(struct nt_asked_pool *pool, const struct nt_reader_pooled *pooled, uint32_t pid, struct nt_outbox *box);

/* No thread has run since it was asked: it is as it was. */
void nt_asked_pool_again(const struct nt_asked_pool *pool, nt_time now, uint32_t pid, struct nt_outbox *box);

/* The reader has ended. */
void nt_asked_pool_forget(struct nt_asked_pool *pool);

#endif
