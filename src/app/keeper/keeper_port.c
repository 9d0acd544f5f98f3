// SPDX-License-Identifier: GPL-2.0-only
#include "app/keeper/keeper_port.h"

#include "target/launch/startup_port.h"
#include "target/process/settings.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOOK_MS = 20, LOOK_SLOWEST_MS = 5000 };

void nt_keeper_port_add(struct nt_keeper_port *held, const char *path, int listener)
{
	if (held->port)
		nt_startup_port_adopt_second(held->port, listener);
	else
		held->port = nt_startup_port_adopt(listener, path, getenv(NT_STARTUP_PORT_VARIABLE));
}

void nt_keeper_port_begin(struct nt_keeper_port *held)
{
	held->serves = held->port;
	if (held->port)
		nt_startup_port_serve_second(held->port);
}

int nt_keeper_port_fd(const struct nt_keeper_port *held)
{
	return held->serves ? nt_startup_port_fd(held->port) : -1;
}

void nt_keeper_port_serve(struct nt_keeper_port *held)
{
	if (held->serves)
		nt_startup_port_serve(held->port, NULL, NULL);
}

void nt_keeper_port_outlast(struct nt_keeper_port *held)
{
	if (!held->port)
		return;
	nt_keeper_port_begin(held);
	for (int wait_ms = LOOK_MS; nt_startup_port_has_heirs(held->port);) {
		struct pollfd port = { .fd = nt_keeper_port_fd(held), .events = POLLIN };
		int ready = poll(&port, 1, wait_ms);
		nt_keeper_port_serve(held);
		if (ready == 0 && wait_ms < LOOK_SLOWEST_MS)
			wait_ms *= 2;
	}
	nt_startup_port_close(held->port);
	*held = (struct nt_keeper_port){ .port = NULL };
}
