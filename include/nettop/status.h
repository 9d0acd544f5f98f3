/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Status codes and the cause chain.
 *
 * enum nt_status steers the caller; struct nt_error tells a person. The lowest layer that fails fills the error with one sentence that names
 * the thing, the reason and the fix; layers above add context with nt_error_wrap(). Only src/app/ prints it, once.
 */
#ifndef NETTOP_STATUS_H
#define NETTOP_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Negative: an error. Zero: done. Positive: not an error, but not plain success either. */
enum nt_status {
	NT_OK = 0,
	NT_AGAIN = 1, /* nothing now; ask again later */
	NT_END = 2,   /* nothing will ever come again */

	NT_ERR_FAILED = -1,      /* the world said no; errno-like failure described in the error */
	NT_ERR_MALFORMED = -2,   /* bytes from outside break their format */
	NT_ERR_FORBIDDEN = -3,   /* permission is missing; the error says which */
	NT_ERR_ABSENT = -4,      /* the thing does not exist (no such process, file, library) */
	NT_ERR_UNSUPPORTED = -5, /* known, but not possible here */
	NT_ERR_GONE = -6,        /* the target, or the peer, ended */
	NT_ERR_TIMEOUT = -7,     /* no answer within the deadline */
	NT_ERR_USAGE = -8,       /* the command line is wrong */
};

/* Causes kept per error and bytes per cause: enough for a chain of layers, small enough for the stack. */
#define NT_ERROR_CAUSES 6
#define NT_ERROR_TEXT   320

struct nt_error {
	enum nt_status status;
	unsigned cause_count;
	char cause[NT_ERROR_CAUSES][NT_ERROR_TEXT]; /* [0] is the lowest layer's; all are NUL-terminated and free of control characters */
	char fix[NT_ERROR_TEXT]; /* likewise: a command to paste, or the least thing to do; "" = none, or a cause says it */
};

/* Forget everything in `err`. `err` may be NULL in every function here: the caller does not want the text. */
void nt_error_clear(struct nt_error *err);

/* Start a chain: replaces what `err` held, records `status` and the formatted sentence. Returns `status`, so that a caller can write
 * `return nt_error_set(err, NT_ERR_ABSENT, "...")`. */
enum nt_status nt_error_set(struct nt_error *err, enum nt_status status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Like nt_error_set() with ": strerror(errnum)" appended. */
enum nt_status nt_error_errno(struct nt_error *err, enum nt_status status, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Add one cause on the way up; keeps the status. When the chain is full the newest cause is dropped (the lowest ones matter most). */
void nt_error_wrap(struct nt_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What would help, apart from the sentence: where reason and fix have places of their own. Until the chain is started anew. */
void nt_error_set_fix(struct nt_error *err, const char *fix);

/* The causes, outermost first, joined by ": ", into `buf` (always NUL-terminated when size > 0). Returns `buf`. */
const char *nt_error_reason(const struct nt_error *err, char *buf, size_t size);

/* The same, with the fix behind a semicolon. */
const char *nt_error_text(const struct nt_error *err, char *buf, size_t size);

/* What the programmer broke. Kept in release builds; restores nothing by itself (the keeper does). */
#define nt_assert(cond) ((cond) ? (void)0 : nt_assert_fail(#cond, __FILE__, __LINE__))
_Noreturn void nt_assert_fail(const char *cond, const char *file, int line);

#endif
