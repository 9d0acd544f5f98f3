// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_daemons.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/plain_rights.h"
#include "base/spawn.h"
#include "target/common/helper.h"
#include "target/needs/prerequisites.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
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
	struct nt_plain_rights rights = nt_plain_rights_begin(); /* runtime_dir is the person's, who may exchange it for a link */
	bool made = mkdir(relay->folder, 0700) == 0;
	nt_plain_rights_end(rights);
	if (!made)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the folder %s for lttng-relayd", relay->folder);
	return NT_OK;
}

/* How a relay is started. The texts are borrowed, and so is `argv`'s program. */
struct start {
	char control[40], data[40], live[40];
	char *health;
	const char *argv[10];
	struct nt_lttng_child_setup setup;
};

static void prepare_start(struct start *start, const char *program, const struct nt_lttng_relay *relay)
{
	snprintf(start->control, sizeof(start->control), "tcp://127.0.0.1:%u", relay->control_port);
	snprintf(start->data, sizeof(start->data), "tcp://127.0.0.1:%u", relay->data_port);
	snprintf(start->live, sizeof(start->live), "tcp://127.0.0.1:%u", relay->live_port);
	const char *const argv[] = { program, "-C", start->control, "-D", start->data, "-L", start->live, "-o", relay->folder, NULL };
	memcpy(start->argv, argv, sizeof(argv));
	/* Its health socket is for monitoring tools; a killed relay would leave it in the machine's folder. */
	start->health = nt_format("LTTNG_RELAYD_HEALTH=%s/health", relay->folder);
	start->setup = (struct nt_lttng_child_setup){ .argv = start->argv, .variable = start->health, .dies_with_thread = true };
}

static enum nt_status start_program(struct nt_lttng_relay *relay, struct nt_error *err)
{
	char *program = nt_lttng_find_program("lttng-relayd");
	if (!program) {
		const struct nt_facts facts = { .sessiond_installed = true };
		return nt_prerequisite_error(NT_NEEDS_LTTNG_DAEMONS, &facts, err);
	}
	struct start start;
	prepare_start(&start, program, relay);
	enum nt_status status;
	if (nt_helper_is_there()) {
		/* It gives its health socket to group `tracing`, or ends: that takes CHOWN, which we have not any more. */
		char *argument = nt_format("%u %u %u %s", relay->control_port, relay->data_port, relay->live_port, relay->folder);
		status = nt_lttng_child_start_by_helper(NT_LTTNG_RELAYD_VERB, argument, &start.setup, &relay->process, err);
		free(argument);
	} else {
		status = nt_lttng_child_start(&start.setup, &relay->process, err);
	}
	free(start.health);
	free(program);
	return status;
}

void nt_lttng_relay_become(const char *argument, int fd)
{
	struct nt_lttng_relay relay = { 0 };
	struct start start;
	char *program = nt_lttng_find_program("lttng-relayd");
	int at = 0;
	if (!program ||
	    sscanf(argument, "%" SCNu16 " %" SCNu16 " %" SCNu16 " %n", &relay.control_port, &relay.data_port, &relay.live_port, &at) != 3 ||
	    argument[at] != '/')
		_exit(NT_SPAWN_NOT_EXECUTED);
	relay.folder = nt_strdup(argument + at);
	prepare_start(&start, program, &relay);
	nt_lttng_child_become(&start.setup, fd);
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
