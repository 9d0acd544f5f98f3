/* SPDX-License-Identifier: GPL-2.0-only */
/* How the target ended, in the snapshot, whose texts these are. */
#ifndef NETTOP_TARGET_END_H
#define NETTOP_TARGET_END_H

#include "nettop/known.h"

/*
 * Of an exception that nobody caught the runtime's own words are kept: neither is its type looked up nor is the stack ours.
 */
struct nt_target_end {
	struct nt_u64 exit_code; /* of one that ended by itself */
	struct nt_u64 signal;    /* of one that a signal ended */
	bool failed_fast;        /* the program called Environment.FailFast: the message is that of the call, and there is no exception */
	const char *
		overflow; /* a thread's stack was full: in which methods, and how many frames it had at least, as a sentence; NULL = it was not that */
	struct nt_u64 frames;  /* of those methods, at least */
	const char *exception; /* its type; NULL = there was none, or `reason` says why it is not known */
	const char *message;   /* NULL = it has none */
	const char *stack;     /* where it was thrown, inner exceptions first: a line each */
	const char *reason;    /* why it is not known, or not known whether there was one; NULL = nothing is missing */
};

/* Was it an exception, as far as that is known? */
static inline bool nt_end_by_exception(const struct nt_target_end *end)
{
	return !end->failed_fast && !end->overflow && (end->exception || end->message);
}

/* Is there more to say than how it ended? */
static inline bool nt_end_is_told(const struct nt_target_end *end)
{
	return end->exception || end->message || end->overflow;
}

/* What `message` is of. */
static inline const char *nt_end_subject(const struct nt_target_end *end)
{
	return end->overflow ? end->overflow : end->failed_fast ? "Environment.FailFast" : end->exception ? end->exception : "exception";
}

#endif
