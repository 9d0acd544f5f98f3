/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command was started; which process is to be watched? The first .NET program among the process of the command and its descendants that is no
 * part of the SDK (target/launch/dotnet_command.h). Two may find it: the main thread, which looks at /proc, and the LTTng worker, to which the program's first
 * event comes. Whoever is first decides. Callable from both threads.
 */
#ifndef NT_TARGET_FOLLOW_H
#define NT_TARGET_FOLLOW_H

#include "target/process/target.h"

struct nt_follow;

/* `pid`: the process of the command. proc_root is "/proc" except in tests, copied. One share. */
struct nt_follow *nt_follow_new(const char *proc_root, uint32_t pid);
struct nt_follow *nt_follow_share(struct nt_follow *follow); /* one share more */
void nt_follow_drop(struct nt_follow *follow);               /* one share less; NULL is allowed */

/*
 * Look once. NT_OK: *out is the program (the caller's), its runtime is up. NT_AGAIN: there is none yet. An error: it was chosen and cannot be
 * watched, mostly because it has ended.
 */
enum nt_status nt_follow_look(struct nt_follow *follow, struct nt_target **out, struct nt_error *err);

/* An event of the runtime came from process `pid`: is it the program? */
bool nt_follow_ask(struct nt_follow *follow, uint32_t pid);

/* The program's pid, 0 as long as it is not known. */
uint32_t nt_follow_chosen(struct nt_follow *follow);

#endif
