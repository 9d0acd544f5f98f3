/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that watches a process with root's rights: the fix of all that is closed to this user. */
#ifndef NT_TARGET_AS_ROOT_H
#define NT_TARGET_AS_ROOT_H

#include <stdint.h>

/* As it is written where it is not known on which machine: of a prerequisite, and in the manual. */
#define NT_FIX_AS_ROOT "sudo nettop -p {pid}"

/*
 * Ready to paste. sudo looks for a command in folders of its own (secure_path): where `program`, the path of nettop, is in none that every distribution has there,
 * the command has the whole path. "" = not known where it is. The text is the caller's.
 */
char *nt_as_root_of(const char *program, uint32_t pid);

/* The same of a nettop that was copied to the machine of this word of --ssh: it goes when it ends, so another one is copied there, as root. */
char *nt_as_root_there(const char *host, uint32_t pid);

/* How that one knows the word. */
#define NT_SSH_HOST_VARIABLE "NETTOP_SSH_HOST"

/* Of the program that runs. The text is the caller's. */
char *nt_as_root(uint32_t pid);

#endif
