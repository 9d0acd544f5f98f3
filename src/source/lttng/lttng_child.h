/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes by identity, and starting a daemon as a child of ours. */
#ifndef NT_SOURCE_LTTNG_CHILD_H
#define NT_SOURCE_LTTNG_CHILD_H

#include <stdbool.h>

#include "decode/kernel/procfs_text.h"
#include "nettop/status.h"

/* A process, safe against its pid being used again. pid 0 = none. */
struct nt_lttng_process {
	uint32_t pid;
	uint64_t start_ticks; /* field 22 of stat */
};

/* "PID:START", as the keeper's verbs want it. */
enum { NT_LTTNG_PROCESS_TEXT = 48 };
const char *nt_lttng_process_text(const struct nt_lttng_process *process, char text[NT_LTTNG_PROCESS_TEXT]);

/* The same of who has this pid now; its start time is 0 when nobody has. */
const char *nt_lttng_process_text_of(uint32_t pid, char text[NT_LTTNG_PROCESS_TEXT]);

/* Read /proc/PID/stat (of nettop's own pid namespace). False: there is no such process. */
bool nt_lttng_process_stat(uint32_t pid, struct nt_procfs_stat *out);

/* Is it still there, and the same? A zombie is not. */
bool nt_lttng_process_alive(const struct nt_lttng_process *process);

/* Absolute path of a program: $PATH, then the usual folders (sudo and services shorten PATH). NULL = not installed; else the caller's. */
char *nt_lttng_find_program(const char *name);

struct nt_lttng_child_setup {
	const char *const *argv; /* [0] is an absolute path; ends with NULL */
	const char *variable;    /* one "NAME=value" to add to the environment; NULL = none */
	/*
	 * SIGKILL it when the calling *thread* ends (PR_SET_PDEATHSIG is per thread): for a child whose use ends with the thread. It then cannot
	 * outlive nettop, whatever becomes of nettop.
	 */
	bool dies_with_thread;
	/*
	 * NULL = none. Called with the new process before the program is executed, which does not happen before this returns: there is no moment
	 * in which nettop could be killed and leave a daemon behind that nobody has noted.
	 */
	void (*note)(void *context, const struct nt_lttng_process *child);
	void *note_context;
};

/*
 * Start it in a session of its own (the terminal's Ctrl-C is not meant for it), in "/", with standard streams on /dev/null, no other descriptor
 * and default signals. NT_OK: the program was executed; the caller ends it with nt_lttng_child_end() or leaves it alone.
 */
enum nt_status nt_lttng_child_start(const struct nt_lttng_child_setup *setup, struct nt_lttng_process *out, struct nt_error *err);

/*
 * The same, forked by the process that has kept the rights which we have given up (target/common/helper.h), so that it has its usual ones; our child nevertheless. What is executed the helper knows by
 * `verb` and `argument`; of `setup` counts who is to be noted.
 */
enum nt_status nt_lttng_child_start_by_helper(const char *verb, const char *argument, const struct nt_lttng_child_setup *setup,
					      struct nt_lttng_process *out, struct nt_error *err);

/* There: be that child, whose starter is at the socket `fd`. The thread that it then ends with is the one that started the helper. */
_Noreturn void nt_lttng_child_become(const struct nt_lttng_child_setup *setup, int fd);

/*
 * Has our child ended? Then `how` says so ("exit status 1", "killed by SIGKILL"), and the zombie is collected. Of one that was killed, what it had started is
 * killed as well: the helpers of a session daemon that dies while it starts wait for it for ever.
 */
bool nt_lttng_child_ended(const struct nt_lttng_process *child, char *how, size_t how_size);

/* Kill our child and collect it; it is gone on return. Works on a stopped process. */
void nt_lttng_child_kill(const struct nt_lttng_process *child);

#endif
