/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keeper's share of a startup port (target/launch/startup_port.h). Whoever inherits the port's variable waits at its start until somebody answers: also when
 * nettop is stopped or dead, and long after it. So the keeper answers, from the moment when nettop has found its program, and as long as there is anybody who
 * might come. Runs in the keeper process only.
 */
#ifndef NT_APP_KEEPER_PORT_H
#define NT_APP_KEEPER_PORT_H

#include <stdbool.h>

struct nt_keeper_port {
	struct nt_startup_port *port; /* owned; NULL = there is none */
	bool serves;
};

/* nettop has a port at `path` and serves it. Takes its listener; another one of the same path is that of who does not see the first. */
void nt_keeper_port_add(struct nt_keeper_port *held, const char *path, int listener);

/* nettop leaves it to us. */
void nt_keeper_port_begin(struct nt_keeper_port *held);

/* To be polled; -1 = nothing. */
int nt_keeper_port_fd(const struct nt_keeper_port *held);

/* Let all go on who have come. */
void nt_keeper_port_serve(struct nt_keeper_port *held);

/* nettop is gone: serve until nobody is left who might come. */
void nt_keeper_port_outlast(struct nt_keeper_port *held);

#endif
