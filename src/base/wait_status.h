/* SPDX-License-Identifier: GPL-2.0-only */
/* How a process ended: the status of wait(2), and its words. */
#ifndef NT_BASE_WAIT_STATUS_H
#define NT_BASE_WAIT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>

/* Of a child of ours, which is left to be collected. type and id as in waitid(2). False: it has not ended, or is no child. */
bool nt_wait_status_peek(idtype_t type, id_t id, int *status);

/* "exit status 3", "killed by SIGKILL". Writes into buf, returns it. */
const char *nt_wait_status_text(int status, char *buf, size_t size);

#endif
