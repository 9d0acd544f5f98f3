// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_daemons.h"

#include "base/alloc.h"
#include "base/file.h"
#include "target/prerequisites.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* A socket bound to a free port of 127.0.0.1; -1 = none. */
static int bind_free(uint16_t *port)
{
	struct sockaddr_in address = loopback(0);
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || getsockname(fd, (struct sockaddr *)&address, &length) < 0) {
		close(fd);
		return -1;
	}
	*port = ntohs(address.sin_port);
	return fd;
}

/*
 * Three free ports. The relay takes numbers, not sockets, so somebody may take one in between: then it ends at once, and the next attempt has
 * other numbers.
 */
static enum nt_status choose_ports(struct nt_lttng_relay *relay, struct nt_error *err)
{
	uint16_t *const ports[] = { &relay->control_port, &relay->data_port, &relay->live_port };
	int fds[3];
	int error = 0;
	for (size_t i = 0; i < 3; i++) {
		fds[i] = bind_free(ports[i]);
		if (fds[i] < 0)
			error = errno;
	}
	for (size_t i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return error ? nt_error_errno(err, NT_ERR_FAILED, error, "no free port on 127.0.0.1 for lttng-relayd") : NT_OK;
}

static enum nt_status make_folder(const char *runtime_dir, struct nt_lttng_relay *relay, struct nt_error *err)
{
	relay->folder = nt_format("%s/relay-%u", runtime_dir, relay->live_port);
	if (mkdir(relay->folder, 0700) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the folder %s for lttng-relayd", relay->folder);
	return NT_OK;
}

static enum nt_status start_program(struct nt_lttng_relay *relay, struct nt_error *err)
{
	char *program = nt_lttng_find_program("lttng-relayd");
	if (!program) {
		const struct nt_facts facts = { .sessiond_installed = true };
		return nt_prerequisite_error(NT_NEEDS_LTTNG_DAEMONS, &facts, err);
	}
	char control[40], data[40], live[40];
	snprintf(control, sizeof(control), "tcp://127.0.0.1:%u", relay->control_port);
	snprintf(data, sizeof(data), "tcp://127.0.0.1:%u", relay->data_port);
	snprintf(live, sizeof(live), "tcp://127.0.0.1:%u", relay->live_port);
	const char *const argv[] = { program, "-C", control, "-D", data, "-L", live, "-o", relay->folder, NULL };
	/* Its health socket is for monitoring tools; a killed relay would leave it in the machine's folder. */
	char *health = nt_format("LTTNG_RELAYD_HEALTH=%s/health", relay->folder);
	const struct nt_lttng_child_setup setup = { .argv = argv, .variable = health, .dies_with_thread = true };
	enum nt_status status = nt_lttng_child_start(&setup, &relay->process, err);
	free(health);
	free(program);
	return status;
}

enum nt_status nt_lttng_relay_start(const char *runtime_dir, struct nt_lttng_relay *out, struct nt_error *err)
{
	*out = (struct nt_lttng_relay){ 0 };
	enum nt_status status = choose_ports(out, err);
	if (status == NT_OK)
		status = make_folder(runtime_dir, out, err);
	if (status == NT_OK)
		status = start_program(out, err);
	if (status != NT_OK)
		nt_lttng_relay_end(out);
	return status;
}

static bool port_listens(uint16_t port)
{
	struct sockaddr_in address = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool listens = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	if (fd >= 0)
		close(fd);
	return listens;
}

bool nt_lttng_relay_listens(const struct nt_lttng_relay *relay)
{
	return port_listens(relay->control_port) && port_listens(relay->data_port) && port_listens(relay->live_port);
}

void nt_lttng_relay_end(struct nt_lttng_relay *relay)
{
	nt_lttng_child_kill(&relay->process);
	if (relay->folder)
		nt_file_remove_tree(relay->folder);
	free(relay->folder);
	*relay = (struct nt_lttng_relay){ 0 };
}
