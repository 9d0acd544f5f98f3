/* SPDX-License-Identifier: GPL-2.0-only */
/* The executable mappings of a process: of a .NET process a twentieth of all, and all that tells which code it has. */
#ifndef NT_TARGET_CODE_MAPS_H
#define NT_TARGET_CODE_MAPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Asks the kernel for them alone, one after the other (Linux 6.11): *text, *length bytes, has the lines that the text of the mappings has of them, and is the caller's;
 * NULL and 0 where there are none. What lies behind limit_bytes is left out. [vsyscall], which is the same in each process and no mapping of its own, is never among
 * them. fd: of /proc/PID/maps. False: the kernel cannot do that, or not with these mappings; *text is NULL then, and the text of the file is still to be read.
 */
bool nt_code_maps_ask(int fd, size_t limit_bytes, char **text, size_t *length);

/*
 * The same by the process's folder, "/proc/PID". Where the kernel cannot be asked it is the text of all mappings: look at what each line says. It may wait for the process's
 * mmap lock. Returns 0, or an errno value and *text = NULL.
 */
int nt_code_maps_read(const char *proc_dir, size_t limit_bytes, char **text, size_t *length);

#endif
