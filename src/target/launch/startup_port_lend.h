/* SPDX-License-Identifier: GPL-2.0-only */
/* The startup port for a program that does not see the folder in which it lies. */
#ifndef NT_TARGET_STARTUP_PORT_LEND_H
#define NT_TARGET_STARTUP_PORT_LEND_H

#include "target/common/deed.h"
#include "target/process/target.h"

/* Does `path` lead a process with this root folder ("/proc/PID/root") to the same file as us? */
bool nt_startup_port_is_seen(const char *path, const char *root_dir);

/* It is seen: may the target's user connect there? FAILED says why not, and what becomes of it. What cannot be found out is no failure: NT_END, as if it may. */
enum nt_status nt_startup_port_check_open(const char *path, const struct nt_target *target, struct nt_error *err);

/* What has been made in the program's file system. */
struct nt_lent_port;

/* Where `path` leads the target; nothing is made there yet. *out is the caller's. FAILED says what becomes of a program that cannot reach its port. */
enum nt_status nt_startup_port_find_place(const char *path, const struct nt_target *target, struct nt_lent_port **out,
					  struct nt_error *err);

/* Have `listener`, a new socket, listen there: the folder that the path ends in is made for it. FAILED as above: nothing was made. */
enum nt_status nt_startup_port_lend(const struct nt_lent_port *lent, const char *path, const struct nt_target *target, int listener,
				    struct nt_error *err);

/* How it is removed by somebody else: the text of that deed, and the folder that comes with it, borrowed. */
int nt_startup_port_lent_place(const struct nt_lent_port *lent, char text[NT_DEED_TEXT_BYTES]);

/* Remove it there. */
void nt_startup_port_take_back(const struct nt_lent_port *lent);

/* Ours of it. NULL is allowed. */
void nt_startup_port_forget(struct nt_lent_port *lent);

#endif
