/* SPDX-License-Identifier: GPL-2.0-only */
/* Generated code whose name somebody asked for (NT_RUNTIME_IMAGE). */
#ifndef NT_SOURCE_NAMED_CODE_H
#define NT_SOURCE_NAMED_CODE_H

#include "source/common/outbox.h"
#include "source/runtime/asked_places.h"
#include "source/runtime/passing_code.h"

struct nt_named_code {
	struct nt_asked_places places;
	uint64_t found; /* of which the reader has just said what is there NOW; 0 = none */
	struct nt_passing_code passing;
};

/* The reader's answer, as a NAME event of process `pid`; none where it has no answer yet. */
void nt_named_code_take(struct nt_named_code *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box);

/* The reader has ended: nothing is open. What it was asked for the model asks again. */
void nt_named_code_forget(struct nt_named_code *code);

/* The end of it all. */
void nt_named_code_fini(struct nt_named_code *code);

#endif
