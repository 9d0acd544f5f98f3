/* SPDX-License-Identifier: GPL-2.0-only */
/* Types whose whole name somebody asked for (NT_TYPES_IMAGE), and the reader is asked: so many at a time, the next ones when it has answered. */
#ifndef NT_SOURCE_NAMED_TYPES_H
#define NT_SOURCE_NAMED_TYPES_H

#include "nettop/source.h"
#include "source/common/outbox.h"
#include "source/contract/contract_reader.h"

enum { NT_NAMED_TYPES_WAITING = 256 /* at most; what is left out the model asks again */ };

struct nt_named_types {
	uint64_t waiting[NT_NAMED_TYPES_WAITING];
	size_t count;
	size_t open;   /* that the reader has been asked for and has not answered */
	nt_time asked; /* when it was */
};

/* Take over what is for this source of the questions; returns how many. */
size_t nt_named_types_ask(struct nt_named_types *types, const struct nt_question *questions, size_t count);

/* Ask the reader for the next ones, if it has answered. False: it does not hear. */
bool nt_named_types_go_on(struct nt_named_types *types, struct nt_reader *reader, nt_time now);

/* The reader's answer (TYPED), as a NAME event of process `pid`; none where it has no answer yet. */
void nt_named_types_take(struct nt_named_types *types, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box);

/* The reader has ended: nothing is open. What it was asked for the model asks again. */
void nt_named_types_forget(struct nt_named_types *types);

#endif
