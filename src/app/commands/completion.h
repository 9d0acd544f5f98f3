/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can stand at the end of a command line, for a shell: from the tables of commands, options and columns, and from the processes that there are. A line each: what can stand
 * there, a tab, what it is. `:files`, `:folders` and `:commands` say that the shell completes those.
 */
#ifndef NT_APP_COMPLETION_H
#define NT_APP_COMPLETION_H

#include "app/common/options.h"
#include "nettop/process_row.h"

/* Where processes come from. `rows`: so many, in *rows; borrowed until `context` ends. */
struct nt_completion_processes {
	size_t (*rows)(void *context, const struct nt_process_row **rows);
	void *context;
};

/* The words behind `nettop`, the last one is to be completed and may be empty; ends with NULL. Processes are looked at only where one can stand. */
void nt_completion_write(char *const *words, const struct nt_completion_processes *processes, FILE *out);

#endif
