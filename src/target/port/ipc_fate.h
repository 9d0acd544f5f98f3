/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a runtime that is sent a command at its diagnostics port. The table is ipc_commands.def. */
#ifndef NT_TARGET_IPC_FATE_H
#define NT_TARGET_IPC_FATE_H

#include <stddef.h>

#include "decode/eventpipe/ipc.h"

enum nt_runtime_kind {
	NT_RUNTIME_UNKNOWN, /* taken for the most fragile */
	NT_RUNTIME_CORE_CLR,
	NT_RUNTIME_NATIVE_AOT,
};

enum nt_ipc_fate {
	NT_IPC_KILLS,    /* never to be sent; also a command that is not in the table */
	NT_IPC_REFUSES,  /* it says no, and goes on */
	NT_IPC_SURVIVES, /* carries it out */
};

/* `major`: of the runtime's version, 0 = not known: then it is the runtime that says what it does not know. Pure. */
enum nt_ipc_fate nt_ipc_fate(enum nt_runtime_kind kind, unsigned major, enum nt_ipc_command command);

/*
 * Of a process that may be in the middle of its start: CORE_CLR only when its mappings prove it, for nothing else tells before the first command. Reads
 * PROC_ROOT/PID/maps and no other file, so it does not hang with the target's file system.
 */
enum nt_runtime_kind nt_runtime_kind_of_process(const char *proc_root, uint32_t pid);

/* "a program compiled with Native AOT". Static. */
const char *nt_runtime_kind_text(enum nt_runtime_kind kind);

#endif
