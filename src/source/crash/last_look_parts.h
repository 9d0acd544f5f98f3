/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the BPF program of last_look.h share: registers, places on its stack, labels. */
#ifndef NT_SOURCE_LAST_LOOK_PARTS_H
#define NT_SOURCE_LAST_LOOK_PARTS_H

#include "source/common/bpf_build.h"

enum { R0, R1, R2, R3, R4, R5, CONTEXT, RECORD, POINTER, WORD, FRAME };

/* On the program's own stack. */
enum { INFO = -8, HEADER = -24, LENGTH = -16, FIRST_UNIT = -12, CLOSING = -32, LOOP_CONTEXT = -16 };

enum nt_last_look_label {
	OUT,
	NO_EXCEPTION,
	SUBMIT,
	NEXT,
	DONE,
	STACK_OUT,
	LIVE_NEXT,
	HEAP_OUT,
	FAIL_NEXT,
	FAIL_TEXT_OUT,
	MESSAGE_OUT,
	NOT_THE_CODE,
	CODE_NEXT,
	CHAIN_NEXT,
	WALK_OUT,
	WALK_ON,
	WALK_UP,
	NOT_INNER,
	NO_OVERFLOW,
	STACK_CALLBACK,
	HEAP_CALLBACK,
	FAIL_TEXT_CALLBACK,
	MESSAGE_CALLBACK,
	TEXT_CALLBACK,
	LIVE_CALLBACK,
	FAIL_CALLBACK,
	OVERFLOW_CALLBACK,
	CHAIN_CALLBACK,
	WALK_CALLBACK,
	LABELS
};

/* Call `callback`, one of the labels, up to so many times, until it returns 1; it has the record's address. */
void nt_last_look_loop(struct nt_bpf_builder *b, int times, enum nt_last_look_label callback);

/* At the begin of a callback for one of `words` words: WORD is the place of the word in the record, less that of `above`. Goes to `next` when there is no such word. */
void nt_last_look_nth_word(struct nt_bpf_builder *b, int words, enum nt_last_look_label next);

#endif
