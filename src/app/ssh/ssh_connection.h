/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The installed ssh, and one connection of it: what is asked at its begin (a password, whether a key is the right one) is asked once, on the terminal. Whatever else is executed over there goes through
 * the same connection, whose socket lies in a folder of ours. It ends with us; when we are killed, ten seconds after the last thing that is executed over it.
 */
#ifndef NT_APP_SSH_CONNECTION_H
#define NT_APP_SSH_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "nettop/status.h"

struct nt_ssh;

/* Nothing is connected yet. `host` as ssh takes it, borrowed; USAGE for one that ssh could take for an option, or that has control characters. */
enum nt_status nt_ssh_new(const char *host, struct nt_ssh **out, struct nt_error *err);

/* Ends the connection. */
void nt_ssh_free(struct nt_ssh *ssh);

/* What is executed there, and what becomes of its standard streams. What it says on standard error is said on ours, escaped. */
struct nt_ssh_call {
	const char *line;  /* for the login shell there; borrowed */
	const char *input; /* for its standard input, input_length bytes; borrowed */
	size_t input_length;
	char **output; /* what it writes, the caller's: at most NT_SSH_OUTPUT_MAX bytes */
	size_t *output_length;
};

enum { NT_SSH_OUTPUT_MAX = 65536, NT_SSH_LOST = 255 };

/*
 * Execute it and wait for its end; *status is its exit status. Signals that end nettop, which must be blocked, end it: NT_END. UNSUPPORTED: no ssh is installed. FAILED: there is no connection, with ssh's own
 * reason.
 */
enum nt_status nt_ssh_call(struct nt_ssh *ssh, const struct nt_ssh_call *call, int *status, struct nt_error *err);

/*
 * Execute a line there with our standard output, and wait for its end. `terminal`: with a terminal there, which is ours as it is; else its standard input stays open until a signal comes that ends nettop.
 * *status as above; FAILED: the connection is gone.
 */
enum nt_status nt_ssh_hand_over(struct nt_ssh *ssh, const char *line, bool terminal, int *status, struct nt_error *err);

#endif
