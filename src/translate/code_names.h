/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of generated code from a perf map or a jitdump that the person names beside a file which has addresses alone. */
#ifndef NT_TRANSLATE_CODE_NAMES_H
#define NT_TRANSLATE_CODE_NAMES_H

#include "translate/translation.h"

struct nt_code_names;

/*
 * `fd` is borrowed. `same_clock`: the times of a jitdump (CLOCK_MONOTONIC) are those of the file, and each name holds from when its code came to be; else, and those of a perf map, each holds for all the time, and of several at one
 * address the last.
 */
struct nt_code_names *nt_code_names_open(int fd, bool same_clock);
void nt_code_names_free(struct nt_code_names *names); /* NULL is allowed */

/* Tell of all code that was there at `until`, as far as it is not told yet, by `box`, the code map's, which is sent when it has much. */
void nt_code_names_tell(struct nt_code_names *names, nt_time until, const struct nt_translation *translation, struct nt_outbox *box);

/* How far it was read, and what of it could not be. */
struct nt_code_names_said {
	uint64_t line_count, bad_count; /* pieces of code with names; what cannot be such a piece */
	bool unreadable;
	bool cut; /* it ends in the middle of a line, or of a record */
};
struct nt_code_names_said nt_code_names_said(const struct nt_code_names *names);

#endif
