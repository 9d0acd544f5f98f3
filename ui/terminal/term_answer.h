/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a terminal answers when it is asked for its background (OSC 11), among the bytes that are typed. An answer may come late, in pieces, or be none: no byte of it may be taken for
 * a key. Sequences that no key has are taken as answers: ESC ] ... BEL or ESC \, and ESC [ ? ... letter. Pure.
 */
#ifndef NT_UI_TERM_ANSWER_H
#define NT_UI_TERM_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_ANSWER_BYTES = 64 };

/* What to send: the background, and what kind of terminal it is, which every one answers that answers anything. */
#define NT_ANSWER_QUESTION "\033]11;?\033\\\033[c"

enum nt_answer_state { NT_ANSWER_NONE, NT_ANSWER_ESCAPE, NT_ANSWER_BRACKET, NT_ANSWER_KIND, NT_ANSWER_TEXT, NT_ANSWER_TEXT_ESCAPE };

/* All zero before the first byte. */
struct nt_answer {
	enum nt_answer_state state;
	char text[NT_ANSWER_BYTES]; /* what stands behind ESC ], as far as it fits */
	size_t length;
};

enum nt_answer_step {
	NT_ANSWER_IS_KEY, /* neither this one nor those held back before belong to an answer: nt_answer_held() are keys, then this one is */
	NT_ANSWER_HELD,   /* it may be the begin of one */
	NT_ANSWER_INSIDE, /* it belongs to one */
	NT_ANSWER_COLOR,  /* the last one of an answer: nt_answer_is_light() */
	NT_ANSWER_KNOWN,  /* the last one of an answer that says what kind of terminal it is: no other one follows */
};

/* The next one typed, a character. */
enum nt_answer_step nt_answer_take(struct nt_answer *answer, uint32_t code);

/* Characters that were held back and are keys after all, and forget them: into `out`. Returns how many. */
size_t nt_answer_held(struct nt_answer *answer, char out[2]);

/* Is the background light? False also sets *known to false when the text says no colour. */
bool nt_answer_is_light(const struct nt_answer *answer, bool *known);

#endif
