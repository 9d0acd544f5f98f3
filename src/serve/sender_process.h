/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sender's own side (nettop's is sender.h): a process that nettop starts by executing itself, and that speaks HTTP with a collector by libcurl. It has no rights; its system calls are not filtered, since names are looked
 * up, and certificates read, in files of the system.
 */
#ifndef NT_SERVE_SENDER_PROCESS_H
#define NT_SERVE_SENDER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* From nettop: a request is the descriptor that comes with it. */
enum { NT_SENDER_URL = 512, NT_SENDER_WHY = 120 };
struct nt_sender_order {
	char url[NT_SENDER_URL];
};

/* To nettop, of each. */
struct nt_sender_answer {
	uint32_t status;        /* of HTTP; 0 = none came: */
	uint32_t retry_after_s; /* as the collector says; 0 = it does not */
	char why[NT_SENDER_WHY];
};

/* How long one may take. */
enum { NT_SENDER_PATIENCE_S = 10 };

/* Is this process started as that? To be asked before anything else is done. */
bool nt_sender_is_meant(int argc, char **argv);

/* Gives up its rights and sends until nettop has gone. Returns the exit status. */
int nt_sender_process_serve(void);

#endif
