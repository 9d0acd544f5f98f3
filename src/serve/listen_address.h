/* SPDX-License-Identifier: GPL-2.0-only */
/* Where `nettop serve` listens: a numeric address and a port. */
#ifndef NT_SERVE_LISTEN_ADDRESS_H
#define NT_SERVE_LISTEN_ADDRESS_H

#include "nettop/status.h"

#include <stdbool.h>
#include <sys/socket.h>

#define NT_LISTEN_DEFAULT "127.0.0.1:6388"

struct nt_listen_address {
	struct sockaddr_storage address;
	socklen_t length;
	bool loopback; /* only this machine (its network namespace) can reach it */
};

/* `127.0.0.1:6388`, `[::1]:6388`, `6388` (of 127.0.0.1); port 0 is any that is free. No name is looked up. USAGE: it is none. */
enum nt_status nt_listen_parse(const char *text, struct nt_listen_address *out, struct nt_error *err);

/* A socket that listens there; *fd is the caller's, and the port is known then. FAILED with the reason: somebody else does. */
enum nt_status nt_listen_open(struct nt_listen_address *address, int *fd, struct nt_error *err);

/* As it stands in a URL: `127.0.0.1:6388`, `[::1]:6388`. */
enum { NT_LISTEN_TEXT = 64 };
const char *nt_listen_text(const struct nt_listen_address *address, char buf[NT_LISTEN_TEXT]);

#endif
