// SPDX-License-Identifier: GPL-2.0-only
/*
 * A runtime says who it is as soon as it has connected, and then waits for one command. After that command it connects anew, and says the same again. So
 * each comes three times: to be told the variable for its children, to be let go on, and, because a runtime that cannot connect tries again for ever, to
 * keep a connection on which nothing happens.
 */
#include "target/launch/startup_port.h"

#include "base/alloc.h"
#include "base/plain_rights.h"
#include "decode/eventpipe/ipc.h"
#include "target/launch/startup_port_heirs.h"
#include "target/launch/startup_port_lend.h"
#include "target/port/ipc_fate.h"
#include "target/process/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	PEERS_MAX = 256,
	PEERS_OF_ANOTHER_MAX = 64, /* of one other user's: no user can keep the others away */
	BACKLOG = 64,
	MET_MAX = 1024,
};

enum peer_state { UNHEARD, WAITS, HAS_COMMAND };

/* One connection. */
struct peer {
	int fd;
	uint32_t pid; /* in our namespace, from the kernel */
	uid_t uid;    /* likewise */
	enum peer_state state;
	size_t heard; /* bytes of its advertisement */
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES];
};

/* One life of one process, whose number may be used again. */
struct met {
	uint8_t cookie[NT_IPC_COOKIE_BYTES];
	bool goes_on;
};

struct nt_startup_port {
	int listener, epoll; /* owned; listener -1: left */
	int second;          /* the listener of who does not see the first; owned, -1 = none */
	struct nt_lent_port *lent;
	char *path, *setting; /* owned */
	char *before;         /* what the variable was; NULL = it was not set. Owned */
	struct peer peers[PEERS_MAX];
	size_t count;
	struct met met[MET_MAX]; /* the last ones */
	size_t met_count;        /* of all */
};

static struct nt_startup_port *new_port(const char *path, const char *before)
{
	struct nt_startup_port *port = nt_alloc(sizeof(*port));
	port->listener = port->second = port->epoll = -1;
	port->path = nt_strdup(path);
	port->setting = nt_format("%s,suspend", path);
	port->before = before ? nt_strdup(before) : NULL;
	return port;
}

static bool await_at(const struct nt_startup_port *port, int listener)
{
	struct epoll_event event = { .events = EPOLLIN };
	return epoll_ctl(port->epoll, EPOLL_CTL_ADD, listener, &event) == 0;
}

static bool await_listener(struct nt_startup_port *port)
{
	port->epoll = epoll_create1(EPOLL_CLOEXEC);
	return port->epoll >= 0 && await_at(port, port->listener);
}

static int new_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Where the file of a socket goes, the caller has a folder of its own: nobody can have come before. */
static bool let_everybody_reach(const char *folder, const char *path)
{
	return chmod(path, 0666) == 0 && chmod(folder, 0711) == 0;
}

static enum nt_status listen_at_path(struct nt_startup_port *port, const char *folder, struct nt_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(port->path) >= sizeof(address.sun_path))
		return nt_error_set(err, NT_ERR_FAILED, "%s is too long for the path of a socket", port->path);
	strcpy(address.sun_path, port->path);
	port->listener = new_socket();
	if (port->listener < 0 || bind(port->listener, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(port->listener, BACKLOG) < 0 || !await_listener(port) || !let_everybody_reach(folder, port->path))
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot listen at %s", port->path);
	return NT_OK;
}

enum nt_status nt_startup_port_open(const char *folder, const char *before, struct nt_startup_port **out, struct nt_error *err)
{
	char *path = nt_format("%s/startup", folder);
	struct nt_startup_port *port = new_port(path, before);
	free(path);
	struct nt_plain_rights rights = nt_plain_rights_begin(); /* the folder is the person's, who may exchange it for a link */
	enum nt_status status = listen_at_path(port, folder, err);
	nt_plain_rights_end(rights);
	if (status == NT_OK)
		*out = port;
	else
		nt_startup_port_close(port);
	return status;
}

struct nt_startup_port *nt_startup_port_adopt(int listener, const char *path, const char *before)
{
	struct nt_startup_port *port = new_port(path, before);
	port->listener = listener;
	await_listener(port);
	return port;
}

void nt_startup_port_adopt_second(struct nt_startup_port *port, int listener)
{
	if (port->second >= 0)
		close(port->second);
	port->second = listener;
}

void nt_startup_port_serve_second(struct nt_startup_port *port)
{
	/* One that was never bound cannot listen. */
	if (port->second >= 0 && (listen(port->second, BACKLOG) < 0 || (!await_at(port, port->second) && errno != EEXIST))) {
		close(port->second);
		port->second = -1;
	}
}

const char *nt_startup_port_setting(const struct nt_startup_port *port)
{
	return port->setting;
}

const char *nt_startup_port_path(const struct nt_startup_port *port)
{
	return port->path;
}

int nt_startup_port_listener(const struct nt_startup_port *port)
{
	return port->listener;
}

int nt_startup_port_second_listener(const struct nt_startup_port *port)
{
	return port->second;
}

int nt_startup_port_lent_deed(const struct nt_startup_port *port, char text[NT_DEED_TEXT_BYTES])
{
	return nt_startup_port_lent_place(port->lent, text);
}

int nt_startup_port_fd(const struct nt_startup_port *port)
{
	return port->epoll;
}

static void drop(struct nt_startup_port *port, struct peer *peer)
{
	close(peer->fd);
	*peer = port->peers[--port->count];
}

static size_t count_of(const struct nt_startup_port *port, uid_t uid)
{
	size_t count = 0;
	for (size_t i = 0; i < port->count; i++)
		count += port->peers[i].uid == uid;
	return count;
}

/* Our own user and root could do what they like to us anyhow. */
static bool is_welcome(const struct nt_startup_port *port, const struct peer *peer)
{
	if (port->count == PEERS_MAX)
		return false;
	if (peer->uid == geteuid() || peer->uid == 0)
		return true;
	return count_of(port, peer->uid) < PEERS_OF_ANOTHER_MAX && nt_startup_heirs_may_come(port->setting, peer->pid);
}

static bool identify(struct peer *peer)
{
	struct ucred credentials;
	socklen_t length = sizeof(credentials);
	if (getsockopt(peer->fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0)
		return false;
	peer->pid = (uint32_t)credentials.pid;
	peer->uid = credentials.uid;
	return true;
}

static void take_connections(struct nt_startup_port *port, int listener)
{
	int fd;
	while (listener >= 0 && (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		struct peer peer = { .fd = fd };
		if (identify(&peer) && is_welcome(port, &peer) && await_at(port, fd))
			port->peers[port->count++] = peer;
		else
			close(fd);
	}
}

static struct met *find(struct nt_startup_port *port, const uint8_t *cookie)
{
	for (size_t i = 0; i < port->met_count && i < MET_MAX; i++)
		if (memcmp(port->met[i].cookie, cookie, NT_IPC_COOKIE_BYTES) == 0)
			return &port->met[i];
	return NULL;
}

/* A connection that has had its command carries nothing any more but the reply. */
static void command(struct peer *peer, enum nt_runtime_kind kind, const uint8_t *request, size_t length)
{
	nt_assert(nt_ipc_fate(kind, 0, nt_ipc_request_command(request, length)) != NT_IPC_KILLS);
	ssize_t sent = send(peer->fd, request, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)sent; /* the first bytes on this connection: they fit, or the peer is gone */
	peer->state = HAS_COMMAND;
}

static void resume(struct nt_startup_port *port, struct peer *peer)
{
	uint8_t request[NT_IPC_HEADER_BYTES];
	size_t length = nt_ipc_request(NT_IPC_RESUME_RUNTIME, request, sizeof(request));
	struct met *met = find(port, nt_ipc_advertised_cookie(peer->bytes));
	if (met)
		met->goes_on = true;
	command(peer, NT_RUNTIME_UNKNOWN, request, length);
}

/*
 * The variable as it was. Where it was not set, it is taken away from who survives that; the others get it empty, which a runtime takes for no port.
 * False: it is too long to be said.
 */
static bool send_variable(const struct nt_startup_port *port, struct peer *peer)
{
	uint8_t request[NT_IPC_REQUEST_MAX];
	enum nt_runtime_kind kind = port->before ? NT_RUNTIME_UNKNOWN : nt_runtime_kind_of_process("/proc", peer->pid);
	bool is_taken_away = !port->before && nt_ipc_fate(kind, 0, NT_IPC_UNSET_ENVIRONMENT) == NT_IPC_SURVIVES;
	const char *value = port->before ? port->before : is_taken_away ? NULL : "";
	size_t length = nt_ipc_set_environment(NT_STARTUP_PORT_VARIABLE, value, request, sizeof(request));
	if (length)
		command(peer, kind, request, length);
	return length;
}

/* False: there is nothing to be said. */
static bool restore_variable(struct nt_startup_port *port, struct peer *peer)
{
	struct met *met = &port->met[port->met_count++ % MET_MAX];
	*met = (struct met){ .goes_on = false };
	memcpy(met->cookie, nt_ipc_advertised_cookie(peer->bytes), sizeof(met->cookie));
	return send_variable(port, peer);
}

/* False: the connection is over, or was none of a runtime. */
static bool hear(struct peer *peer)
{
	uint8_t rest[64]; /* the reply to the command, of which nothing is to be learned */
	bool all = peer->heard == sizeof(peer->bytes);
	ssize_t length = recv(peer->fd, all ? rest : peer->bytes + peer->heard, all ? sizeof(rest) : sizeof(peer->bytes) - peer->heard,
			      MSG_DONTWAIT);
	if (length < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!all)
		peer->heard += (size_t)length;
	return length > 0 && (peer->heard < sizeof(peer->bytes) || nt_ipc_is_advertisement(peer->bytes, sizeof(peer->bytes)));
}

static void answer(struct nt_startup_port *port, struct peer *peer, bool (*wanted)(void *context, uint32_t pid), void *context)
{
	const struct met *met = find(port, nt_ipc_advertised_cookie(peer->bytes));
	if (!met && restore_variable(port, peer))
		return;
	if (met && met->goes_on)
		peer->state = HAS_COMMAND;
	else if (wanted && wanted(context, peer->pid))
		peer->state = WAITS;
	else
		resume(port, peer);
}

void nt_startup_port_serve(struct nt_startup_port *port, bool (*wanted)(void *context, uint32_t pid), void *context)
{
	take_connections(port, port->listener);
	take_connections(port, port->second);
	for (size_t i = port->count; i-- > 0;) {
		struct peer *peer = &port->peers[i];
		if (!hear(peer))
			drop(port, peer);
		else if (peer->state == UNHEARD && peer->heard == sizeof(peer->bytes))
			answer(port, peer, wanted, context);
	}
}

enum nt_status nt_startup_port_reach(struct nt_startup_port *port, const struct nt_target *target, struct nt_error *err)
{
	if (port->lent)
		return NT_END;
	if (nt_startup_port_is_seen(port->path, target->root_dir))
		return nt_startup_port_check_open(port->path, target, err);
	enum nt_status status = nt_startup_port_find_place(port->path, target, &port->lent, err);
	if (status != NT_OK)
		return status;
	port->second = new_socket();
	return port->second >= 0 ? NT_OK : nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a socket");
}

enum nt_status nt_startup_port_make_second(struct nt_startup_port *port, const struct nt_target *target, struct nt_error *err)
{
	enum nt_status status = nt_startup_port_lend(port->lent, port->path, target, port->second, err);
	if (status == NT_OK && !await_at(port, port->second))
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot listen for process %u", (unsigned)target->pid);
	if (status != NT_OK) {
		close(port->second);
		port->second = -1;
	}
	return status;
}

bool nt_startup_port_holds(const struct nt_startup_port *port, uint32_t pid)
{
	for (size_t i = 0; i < port->count; i++)
		if (port->peers[i].state == WAITS && port->peers[i].pid == pid)
			return true;
	return false;
}

bool nt_startup_port_has_heirs(const struct nt_startup_port *port)
{
	return nt_startup_heirs_exist(port->setting);
}

static void stop_listening(struct nt_startup_port *port, int *listener)
{
	if (*listener < 0)
		return;
	/* Closing alone would not end the watch: the other process has the same socket. */
	epoll_ctl(port->epoll, EPOLL_CTL_DEL, *listener, NULL);
	close(*listener);
	*listener = -1;
}

void nt_startup_port_leave(struct nt_startup_port *port)
{
	stop_listening(port, &port->listener);
	stop_listening(port, &port->second);
	for (size_t i = port->count; i-- > 0;) {
		struct peer *peer = &port->peers[i];
		if (peer->state == WAITS)
			resume(port, peer);
		else if (peer->state == UNHEARD)
			drop(port, peer); /* it comes again */
	}
}

void nt_startup_port_close(struct nt_startup_port *port)
{
	if (!port)
		return;
	nt_startup_port_leave(port);
	while (port->count)
		drop(port, &port->peers[0]);
	/* Else it stays in that program's file system: who still comes would wait for ever. */
	if (port->lent && !nt_startup_port_has_heirs(port))
		nt_startup_port_take_back(port->lent);
	nt_startup_port_forget(port->lent);
	if (port->epoll >= 0)
		close(port->epoll);
	free(port->before);
	free(port->setting);
	free(port->path);
	free(port);
}
