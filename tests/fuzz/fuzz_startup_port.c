// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: what programs do at the port that waits for their start: they connect, say something (right or not, whole or in pieces), go. What the port says to them must be a whole command, and only the
 * two that it has.
 */
#include "fuzz.h"

#include "decode/eventpipe/ipc.h"
#include "file.h"
#include "target/launch/startup_port.h"

#include <sys/socket.h>
#include <sys/un.h>

enum { PEERS = 8, STEPS = 64 };

struct world {
	struct nt_startup_port *port;
	int peers[PEERS]; /* -1 = none */
	bool wanted, ever_wanted, left;
};

/* Each of its STEPS may be a look at a process. */
FUZZ_STEPS(1 << 18, 1 << 8)

size_t fuzz_cut_step(size_t size)
{
	return size / 32 + 1;
}

static bool is_wanted(void *context, uint32_t pid)
{
	struct world *world = context;
	FUZZ_CHECK(pid == (uint32_t)getpid());
	world->ever_wanted |= world->wanted;
	return world->wanted;
}

static void go(int *peer)
{
	if (*peer >= 0)
		close(*peer);
	*peer = -1;
}

static void come(const struct world *world, int *peer)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	go(peer);
	if (world->left)
		return;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", nt_startup_port_path(world->port));
	*peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (connect(*peer, (const struct sockaddr *)&address, sizeof(address)) != 0)
		go(peer);
}

static void say(int peer, const uint8_t *bytes, size_t length)
{
	if (peer >= 0 && length)
		send(peer, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void say_who(int peer, uint8_t life)
{
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES] = "ADVR_V1";
	bytes[8] = life;
	say(peer, bytes, sizeof(bytes));
}

/* Nothing, or one command. */
static void listen_to(int peer)
{
	uint8_t bytes[NT_IPC_REQUEST_MAX];
	ssize_t length = peer >= 0 ? recv(peer, bytes, sizeof(bytes), MSG_DONTWAIT) : -1;
	if (length <= 0)
		return;
	FUZZ_CHECK(length >= NT_IPC_HEADER_BYTES && (bytes[14] | (size_t)bytes[15] << 8) == (size_t)length);
	enum nt_ipc_command command = nt_ipc_request_command(bytes, (size_t)length);
	FUZZ_CHECK(command == NT_IPC_RESUME_RUNTIME || command == NT_IPC_SET_ENVIRONMENT || command == NT_IPC_UNSET_ENVIRONMENT);
}

/* Each step is two bytes: what, and by whom or how much. Returns how many bytes were used besides. */
static size_t step(struct world *world, uint8_t what, uint8_t more, const uint8_t *rest, size_t left)
{
	enum { COMES, SAYS_WHO, SAYS, GOES, SERVED, LISTENS, WANTED, PORT_LEAVES, STEP_KINDS };
	int *peer = &world->peers[more % PEERS];
	size_t length = more / PEERS < left ? more / PEERS : left;
	switch (what % STEP_KINDS) {
	case COMES:
		come(world, peer);
		break;
	case SAYS_WHO:
		say_who(*peer, more);
		break;
	case SAYS:
		say(*peer, rest, length);
		return length;
	case GOES:
		go(peer);
		break;
	case SERVED:
		nt_startup_port_serve(world->port, is_wanted, world);
		break;
	case LISTENS:
		listen_to(*peer);
		break;
	case WANTED:
		world->wanted = more & 1;
		break;
	case PORT_LEAVES:
		nt_startup_port_leave(world->port);
		world->left = true;
		break;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world world = { 0 };
	struct nt_error err = { 0 };
	FUZZ_CHECK(nt_startup_port_open(fuzz_folder(), size && data[0] & 1 ? "/run/other,nosuspend" : NULL, &world.port, &err) == NT_OK);
	char path[128];
	snprintf(path, sizeof(path), "%s", nt_startup_port_path(world.port));
	for (size_t i = 0; i < PEERS; i++)
		world.peers[i] = -1;
	for (size_t at = 1, steps = 0; at + 2 <= size && steps < STEPS; at += 2, steps++)
		at += step(&world, data[at], data[at + 1], data + at + 2, size - at - 2);
	if (!world.left)
		nt_startup_port_serve(world.port, is_wanted, &world);
	FUZZ_CHECK(world.ever_wanted || !nt_startup_port_holds(world.port, (uint32_t)getpid()));
	nt_startup_port_close(world.port);
	for (size_t i = 0; i < PEERS; i++)
		go(&world.peers[i]);
	unlink(path);
	return 0;
}
