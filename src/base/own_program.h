/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that this process executes. Usually that is /proc/self/exe. Of a nettop that was copied to another machine with its libraries, it is the loader that was copied with them: the kernel was told to execute that, and that to load
 * nettop. Asynchronous-signal-safe, all of it.
 */
#ifndef NT_BASE_OWN_PROGRAM_H
#define NT_BASE_OWN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Was it loaded by a loader that came with it? Then everything of it lies in one folder. */
bool nt_own_program_is_carried(void);

/* Its path; "" = it is not known. */
void nt_own_program_path(char path[PATH_MAX]);

/* Execute it anew, with these words, at most NT_OWN_PROGRAM_WORDS, the first of which is a name; ends with NULL. Returns if that failed: errno. */
enum { NT_OWN_PROGRAM_WORDS = 8 };
void nt_own_program_execute(char *const *words, char *const *environment);

#endif
