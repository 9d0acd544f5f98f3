/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel says that a thread waits in: /proc/PID/task/TID/syscall, and what lies behind a descriptor. */
#ifndef NT_SOURCE_WAIT_FACT_H
#define NT_SOURCE_WAIT_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/wait.h"

enum { NT_WAIT_WHAT_BYTES = 256 };

struct nt_wait_fact {
	enum nt_wait_kind wait;        /* NT_WAIT_UNKNOWN: for a futex, or something that says nothing; the call stack may say more */
	char what[NT_WAIT_WHAT_BYTES]; /* the file's path; "" = nothing that a person knows by name. Any bytes */
	uint64_t socket;               /* that it waits at: the number in its link; 0 = none */
	uint64_t sp, pc;               /* its stack pointer, and where it is; 0 = not known, or it runs */
};

/* What a system call of this number waits for: NT_WAIT_UNKNOWN, it says nothing. */
enum nt_wait_kind nt_wait_of_call(long number);

/* From the text of the file. *fd: the descriptor that it waits at, -1 = none. False: that is no such text. */
bool nt_wait_fact_parse(const char *text, size_t length, struct nt_wait_fact *out, int *fd);

/* Of thread `tid` of the process of this folder of /proc. False: nobody says, but for whether it runs; the right to is missing, or the thread has ended. */
bool nt_wait_fact_read(const char *proc_dir, uint32_t tid, struct nt_wait_fact *out);

#endif
