/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was said while nettop runs: its own messages, and the output of the program that it started. app/ writes, the screen shows (key L). Bounded:
 * the oldest lines go first, and are counted. (src/base/log.c)
 */
#ifndef NETTOP_LOG_H
#define NETTOP_LOG_H

#include <stddef.h>

#include "nettop/clock.h"

struct nt_log;

enum nt_log_kind { NT_LOG_NETTOP, NT_LOG_OUTPUT, NT_LOG_ERROR }; /* nettop; the program's standard output, its standard error */

struct nt_log_line {
	nt_time time;
	enum nt_log_kind kind;
	const char *text; /* one line, without control characters; borrowed until the next nt_log_add() */
};

enum { NT_LOG_LINES = 5000, NT_LOG_LINE_BYTES = 4096 };

struct nt_log *nt_log_new(void);
void nt_log_free(struct nt_log *log); /* NULL is allowed */

/*
 * Add a line, without its newline. Bytes from outside are welcome: escape sequences of terminals (colours) are left out, tabs become blanks, other
 * control characters become visible, and what is beyond NT_LOG_LINE_BYTES is cut.
 */
void nt_log_add(struct nt_log *log, nt_time time, enum nt_log_kind kind, const char *text, size_t length);

/* Lines that are kept. */
size_t nt_log_count(const struct nt_log *log);

/* The oldest kept one has index 0. */
struct nt_log_line nt_log_line(const struct nt_log *log, size_t index);

/* Lines that had to go. */
uint64_t nt_log_dropped(const struct nt_log *log);

#endif
