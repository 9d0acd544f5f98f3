/* SPDX-License-Identifier: GPL-2.0-only */
/* Room serve: what nettop says to others over the network, by processes without rights. */
/*
 * The server's own side (nettop's is web.h): a process that nettop starts by executing itself, which is handed a listening socket, and speaks HTTP with whoever connects, in nettop's place and without any right. It has
 * nothing to tell by itself: for each request it asks nettop for the text, and gets a descriptor of it.
 */
#ifndef NT_SERVE_WEB_PROCESS_H
#define NT_SERVE_WEB_PROCESS_H

#include <stdbool.h>

/* From nettop, once: the socket is the descriptor that comes with it. */
struct nt_web_begin {
	bool loopback; /* nobody else's machine can connect: what comes under another name than this one's is refused */
};

/* To nettop: somebody wants the text of this form. One byte. From nettop: the same byte, with a descriptor of the text; without one: there is none. */
typedef unsigned char nt_web_word;

/* What one connection, and all of them, may take. */
enum { NT_WEB_CONNECTIONS = 32, NT_WEB_REQUEST_BYTES = 16 << 10, NT_WEB_IDLE_S = 10, NT_WEB_PATIENCE_MS = 5000 };

/* Is this process started as that? To be asked before anything else is done. */
bool nt_web_is_meant(int argc, char **argv);

/* Confines itself and serves until nettop has gone. Returns the exit status. */
int nt_web_process_serve(void);

#endif
