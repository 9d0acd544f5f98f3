/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may come to a startup port, and whether anybody still may: the environment with which a process was started tells what those get that it starts. root can
 * read it, and an environment passes to another user (setpriv, gosu); who is not root knows those that it has started by their parents.
 */
#ifndef NT_TARGET_STARTUP_PORT_HEIRS_H
#define NT_TARGET_STARTUP_PORT_HEIRS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * `setting` is what programs get into their environment that are to come (nt_startup_port_setting()). Is this process of another user one of those that nettop has started, or that were started with it?
 * Reads /proc; `pid` is of our namespace, 0 = not visible there.
 */
bool nt_startup_heirs_may_come(const char *setting, uint32_t pid);

/* Is there a process that was started with it, so that it or what it starts may come? Reads /proc. */
bool nt_startup_heirs_exist(const char *setting);

#endif
