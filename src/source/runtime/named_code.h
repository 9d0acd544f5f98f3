/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generated code whose name somebody asked for (NT_RUNTIME_IMAGE), and the reader is asked: so many addresses at a time, the next ones when it has answered.
 */
#ifndef NT_SOURCE_NAMED_CODE_H
#define NT_SOURCE_NAMED_CODE_H

#include "nettop/source.h"
#include "source/common/outbox.h"
#include "source/contract/contract_reader.h"
#include "source/runtime/passing_code.h"

enum { NT_NAMED_CODE_WAITING = 4096 /* addresses, at most; what is left out the model asks again */ };

struct nt_named_code {
	uint64_t waiting[NT_NAMED_CODE_WAITING];
	size_t count;
	size_t open;    /* that the reader has been asked for and has not answered */
	nt_time asked;  /* when it was */
	uint64_t found; /* of which the reader has just said what is there NOW; 0 = none */
	struct nt_passing_code passing;
};

/* Take over what is for this source of the questions; returns how many. */
size_t nt_named_code_ask(struct nt_named_code *code, const struct nt_question *questions, size_t count);

/* Ask the reader for the next ones, if it has answered. False: it does not hear. */
bool nt_named_code_go_on(struct nt_named_code *code, struct nt_reader *reader, nt_time now);

/* The reader's answer, as a NAME event of process `pid`; none where it has no answer yet. */
void nt_named_code_take(struct nt_named_code *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box);

/* The reader has ended: nothing is open. What it was asked for the model asks again. */
void nt_named_code_forget(struct nt_named_code *code);

/* The end of it all. */
void nt_named_code_fini(struct nt_named_code *code);

#endif
