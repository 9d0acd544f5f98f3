// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_connection.h"

#include "base/secret.h"
#include "base/signal_to.h"
#include "source/common/inner_tids.h"
#include "target/needs/prerequisites.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
	STEP_MS = 10, /* between two looks at something that is about to be there */
	SESSIOND_START_MS = 5000,
	RELAY_START_MS = 3000,
	VIEW_START_MS = 2000,
	GRACE_MS = 1000,        /* whoever had the session daemon may start it again first (a service manager does) */
	REGISTER_STEP_MS = 100, /* a look makes the daemon ask every process for its tracepoints */
	REGISTER_SAY_MS = 700,
	REGISTER_MOST_MS = 6000, /* of several */
	PROVIDER_MS = 3000,      /* a runtime loads its provider at its start */
	DECLARED_MS = 100,       /* for all of its events to be declared to the relay */
	DIAGNOSE_MS = 100,       /* a dying daemon's sockets close a little before it is dead */
	DISK_BYTES_MIN = 64 << 10,
	LIVE_PORT = 5344, /* of a relay that is not ours: LTTng's default */
};

void nt_lttng_connection_init(struct nt_lttng_connection *connection, struct nt_lttng_link *link)
{
	*connection = (struct nt_lttng_connection){ .link = link, .early = link->early, .sessiond_pidfd = -1, .relay_pidfd = -1 };
	for (size_t i = 0; i < link->watched.count; i++) {
		struct nt_lttng_watched *watched = &link->watched.items[i];
		watched->tids = nt_inner_tids_new(watched->proc_dir, watched->pid_ns == link->self.pid_ns);
	}
}

static void drop_pidfd(int *pidfd)
{
	if (*pidfd >= 0)
		close(*pidfd);
	*pidfd = -1;
}

void nt_lttng_connection_fini(struct nt_lttng_connection *connection)
{
	nt_lttng_disconnect(connection);
	drop_pidfd(&connection->sessiond_pidfd);
}

static void publish_cpu(struct nt_lttng_link *link)
{
	atomic_store_explicit(&link->cpu_ns, nt_clock_thread_cpu(), memory_order_relaxed);
}

enum nt_status nt_lttng_wait(struct nt_lttng_connection *connection, int timeout_ms, struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	struct nt_lttng_watched_list *list = &link->watched;
	enum { WAKE, SESSIOND, RELAY, TARGETS };
	struct pollfd fds[TARGETS + NT_LTTNG_WATCHED_MAX];
	fds[WAKE] = (struct pollfd){ .fd = link->wake_fd, .events = POLLIN };
	fds[SESSIOND] = (struct pollfd){ .fd = connection->sessiond_pidfd, .events = POLLIN };
	fds[RELAY] = (struct pollfd){ .fd = connection->relay_pidfd, .events = POLLIN };
	for (size_t i = 0; i < list->count; i++)
		fds[TARGETS + i] = (struct pollfd){ .fd = list->items[i].ended ? -1 : list->items[i].pidfd, .events = POLLIN };
	publish_cpu(link);
	poll(fds, TARGETS + list->count, timeout_ms);
	eventfd_t wakes;
	if (fds[WAKE].revents)
		eventfd_read(link->wake_fd, &wakes);
	for (size_t i = 0; i < list->count; i++)
		if (fds[TARGETS + i].revents)
			list->items[i].ended = nt_clock_now();
	bool all_ended = nt_lttng_watched_all_ended(list);
	unsigned order = atomic_load(&link->order);
	if (order == NT_LTTNG_GIVE_UP || (!connection->draining && (order == NT_LTTNG_FINISH || all_ended)))
		return NT_END;
	if (fds[SESSIOND].revents || fds[RELAY].revents)
		return nt_lttng_diagnose(connection, NT_ERR_GONE, err);
	return NT_OK;
}

static bool is_over(int pidfd, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = pidfd, .events = POLLIN };
	return pidfd >= 0 && poll(&poll_fd, 1, timeout_ms) == 1;
}

/* The relay gives up a session when it cannot write it down. */
static bool is_full(const char *folder)
{
	struct statvfs disk;
	return folder && statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < DISK_BYTES_MIN;
}

enum nt_status nt_lttng_diagnose(struct nt_lttng_connection *connection, enum nt_status status, struct nt_error *err)
{
	struct pollfd fds[] = { { .fd = connection->sessiond_pidfd, .events = POLLIN },
				{ .fd = connection->relay_pidfd, .events = POLLIN } };
	poll(fds, 2, DIAGNOSE_MS);
	if (is_over(connection->sessiond_pidfd, 0))
		return nt_error_set(err, NT_ERR_GONE, "the LTTng session daemon (lttng-sessiond, pid %u) has ended",
				    connection->sessiond.pid);
	if (atomic_load(&connection->link->was_cut))
		return nt_error_set(err, NT_ERR_TIMEOUT, "the LTTng relay did not answer for a long time; its connection was cut");
	if (is_over(connection->relay_pidfd, 0)) {
		char how[64];
		uint32_t pid = connection->relay.process.pid;
		bool ended = nt_lttng_child_ended(&connection->relay.process, how, sizeof(how));
		return nt_error_set(err, NT_ERR_GONE, "the LTTng relay (lttng-relayd, pid %u) has ended: %s", pid,
				    ended ? how : "no status");
	}
	if (status == NT_END && connection->link->foreign_session)
		return nt_error_set(err, NT_ERR_GONE, "there is no LTTng session %s (any more)", connection->link->foreign_session);
	if ((status == NT_END || status == NT_ERR_TIMEOUT) && is_full(connection->relay.folder))
		return nt_error_set(err, NT_ERR_FAILED, "the disk of the LTTng relay's folder %s is full; set TMPDIR to a folder with room",
				    connection->relay.folder);
	if (status == NT_END)
		return nt_error_set(err, NT_ERR_GONE, "the LTTng session %s was destroyed by somebody", connection->session_name);
	return status;
}

/* ---- session daemon ---- */

static void watch_sessiond(struct nt_lttng_connection *connection, const struct nt_lttng_process *sessiond)
{
	drop_pidfd(&connection->sessiond_pidfd);
	connection->sessiond = *sessiond;
	if (sessiond->pid)
		connection->sessiond_pidfd = pidfd_open((pid_t)sessiond->pid, 0);
	nt_lttng_link_set_daemon(connection->link, NT_LTTNG_SESSIOND, sessiond);
	nt_lttng_sweep(&connection->link->self);
}

static void forget_own_sessiond(struct nt_lttng_connection *connection)
{
	char text[NT_LTTNG_PROCESS_TEXT];
	if (connection->own_sessiond.pid)
		nt_lttng_link_note(connection->link, "-sessiond", nt_lttng_process_text(&connection->own_sessiond, text));
	connection->own_sessiond = (struct nt_lttng_process){ 0 };
}

static void note_sessiond(void *context, const struct nt_lttng_process *child)
{
	struct nt_lttng_connection *connection = context;
	char text[NT_LTTNG_PROCESS_TEXT];
	connection->own_sessiond = *child;
	nt_lttng_link_note(connection->link, "sessiond", nt_lttng_process_text(child, text));
}

static enum nt_status start_sessiond(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_process found;
	char how[64];
	/* connection->own_sessiond is set by the note. */
	enum nt_status status = nt_lttng_sessiond_start(note_sessiond, connection, &found, err);
	if (status != NT_OK) {
		forget_own_sessiond(connection);
		return status;
	}
	nt_time deadline = nt_clock_now() + SESSIOND_START_MS * NT_NS_PER_MS;
	for (;;) {
		if (nt_lttng_sessiond_find(&found) == NT_OK) {
			watch_sessiond(connection, &found);
			return NT_OK;
		}
		if (nt_lttng_child_ended(&connection->own_sessiond, how, sizeof(how))) {
			forget_own_sessiond(connection);
			return nt_error_set(err, NT_ERR_FAILED, "lttng-sessiond ended at its start: %s", how);
		}
		if (nt_clock_now() > deadline)
			return nt_error_set(err, NT_ERR_TIMEOUT, "lttng-sessiond was started and does not answer");
		status = nt_lttng_wait(connection, STEP_MS, err);
		if (status != NT_OK)
			return status;
	}
}

/* The one that we had has ended: its zombie is collected, its note taken back. */
static void lose_sessiond(struct nt_lttng_connection *connection)
{
	char how[64];
	connection->sessiond_lost_at = nt_clock_now();
	connection->sessiond = (struct nt_lttng_process){ 0 };
	drop_pidfd(&connection->sessiond_pidfd);
	nt_lttng_link_set_daemon(connection->link, NT_LTTNG_SESSIOND, NULL);
	nt_lttng_link_set_daemon(connection->link, NT_LTTNG_CONSUMERD, NULL);
	if (connection->own_sessiond.pid && nt_lttng_child_ended(&connection->own_sessiond, how, sizeof(how)))
		forget_own_sessiond(connection);
}

static enum nt_status sessiond_forbidden(const struct nt_lttng_link *link, struct nt_error *err)
{
	const struct nt_target target = { .pid = link->watched.items[0].pid, .uid = link->uid };
	struct nt_facts facts = { .target = &target, .sessiond = NT_ERR_FORBIDDEN };
	nt_facts_read_machine(&facts, "");
	return nt_prerequisite_error(NT_NEEDS_TRACING_GROUP, &facts, err);
}

static enum nt_status have_sessiond(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_process found;
	enum nt_status status = nt_lttng_sessiond_find(&found);
	if (status == NT_OK) {
		if (!connection->sessiond.pid || connection->sessiond.pid != found.pid ||
		    connection->sessiond.start_ticks != found.start_ticks)
			watch_sessiond(connection, &found);
		return NT_OK;
	}
	/* The machine's daemon may be closed to us; a process of our own user also talks to one of our own. */
	if (status == NT_ERR_FORBIDDEN && connection->link->uid != geteuid())
		return sessiond_forbidden(connection->link, err);
	if (connection->sessiond_lost_at && nt_clock_now() - connection->sessiond_lost_at < GRACE_MS * NT_NS_PER_MS)
		return nt_error_set(err, NT_ERR_GONE, "the LTTng session daemon has ended; waiting for it to come back");
	return start_sessiond(connection, err);
}

/* ---- relay, session, viewer ---- */

/* Does the session daemon see the pids of its peers, which it asks the kernel for, as they see them? Else as nettop does. */
static bool is_elsewhere(const struct nt_lttng_connection *connection)
{
	const struct nt_lttng_link *link = connection->link;
	char path[48];
	struct stat ns;
	snprintf(path, sizeof(path), "/proc/%u/ns/pid", connection->sessiond.pid);
	return !connection->sessiond.pid || (stat(path, &ns) == 0 && ns.st_ino != link->self.pid_ns);
}

/* The pids of the targets as the session daemon sees them, and which they are; none while the only one is not known. Returns how many. */
static size_t pids_at_sessiond(const struct nt_lttng_connection *connection, uint32_t pids[NT_LTTNG_WATCHED_MAX],
			       struct nt_lttng_watched *whose[NT_LTTNG_WATCHED_MAX])
{
	struct nt_lttng_watched_list *list = &connection->link->watched;
	bool elsewhere = is_elsewhere(connection);
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].over || !list->items[i].pid)
			continue;
		whose[count] = &list->items[i];
		pids[count++] = elsewhere ? list->items[i].vpid : list->items[i].pid;
	}
	return count;
}

/* lttng-ust sleeps 5 s before every second attempt to reach a daemon that comes back (its listener thread). */
static void say_unregistered(struct nt_lttng_connection *connection, uint32_t pid)
{
	char sentence[160];
	snprintf(sentence, sizeof(sentence), "process %u has not registered with the LTTng session daemon yet; lttng-ust may take 5 s",
		 pid);
	connection->say(connection->say_context, sentence);
}

/* The others are not kept waiting for these any longer. */
static void give_up_unregistered(struct nt_lttng_connection *connection, struct nt_lttng_watched *const *whose, const bool *registered,
				 size_t count)
{
	char sentence[96];
	for (size_t i = 0; i < count; i++) {
		if (registered[i] || whose[i]->ended)
			continue;
		snprintf(sentence, sizeof(sentence), "process %u has not registered with the LTTng session daemon", whose[i]->pid);
		connection->give_up(connection->say_context, whose[i], sentence);
	}
}

static enum nt_status wait_registered(struct nt_lttng_connection *connection, struct nt_error *err)
{
	uint32_t pids[NT_LTTNG_WATCHED_MAX];
	struct nt_lttng_watched *whose[NT_LTTNG_WATCHED_MAX];
	bool registered[NT_LTTNG_WATCHED_MAX];
	if (connection->sessiond.pid && connection->registered_at.pid == connection->sessiond.pid &&
	    connection->registered_at.start_ticks == connection->sessiond.start_ticks)
		return NT_OK;
	nt_time began = nt_clock_now(), say_at = began + REGISTER_SAY_MS * NT_NS_PER_MS;
	for (;;) {
		size_t count = pids_at_sessiond(connection, pids, whose), missing = 0;
		nt_lttng_registered(pids, registered, count);
		while (missing < count && (registered[missing] || whose[missing]->ended))
			missing++;
		nt_time now = nt_clock_now();
		if (missing < count && count > 1 && now > began + REGISTER_MOST_MS * NT_NS_PER_MS) {
			give_up_unregistered(connection, whose, registered, count);
			missing = count;
		}
		if (missing == count) {
			connection->registered_at = connection->sessiond;
			return nt_lttng_wait(connection, 0, err);
		}
		if (now > say_at) {
			say_unregistered(connection, whose[missing]->pid);
			say_at = NT_TIME_UNKNOWN;
		}
		enum nt_status status = nt_lttng_wait(connection, REGISTER_STEP_MS, err);
		if (status != NT_OK)
			return status;
	}
}

static enum nt_status have_relay(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	char text[NT_LTTNG_PROCESS_TEXT];
	enum nt_status status = nt_lttng_relay_start(link->runtime_dir, &connection->relay, err);
	if (status != NT_OK)
		return status;
	nt_lttng_link_note(link, "kill-child", nt_lttng_process_text(&connection->relay.process, text));
	nt_lttng_link_set_daemon(link, NT_LTTNG_RELAYD, &connection->relay.process);
	connection->relay_pidfd = pidfd_open((pid_t)connection->relay.process.pid, 0);
	nt_time deadline = nt_clock_now() + RELAY_START_MS * NT_NS_PER_MS;
	while (!nt_lttng_relay_listens(&connection->relay)) {
		if (nt_clock_now() > deadline)
			return nt_error_set(err, NT_ERR_TIMEOUT, "lttng-relayd was started and does not answer");
		status = nt_lttng_wait(connection, STEP_MS, err);
		if (status != NT_OK)
			return status;
	}
	atomic_store(&link->live_port, connection->relay.live_port);
	return NT_OK;
}

static enum nt_status have_session(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	nt_lttng_name_make(&link->self, ++connection->session_number, nt_secret(), connection->session_name);
	nt_lttng_link_note(link, "lttng-session", connection->session_name);
	uint32_t pids[NT_LTTNG_WATCHED_MAX];
	struct nt_lttng_watched *whose[NT_LTTNG_WATCHED_MAX];
	const struct nt_lttng_session_setup setup = {
		.name = connection->session_name,
		.relay = &connection->relay,
		.live_timer_us = link->live_timer_us,
		.chosen = link->telling ? nt_lttng_telling_chosen(link->telling) : NULL,
		.pids = pids,
		.pid_count = pids_at_sessiond(connection, pids, whose),
		.uid = link->uid,
	};
	connection->alloc_on = false;
	return nt_lttng_session_create(&setup, &connection->session, err);
}

static bool has_room(void *context)
{
	struct nt_lttng_connection *connection = context;
	return nt_lttng_out_room(&connection->link->out);
}

static void take(void *context, const struct bt_message *message)
{
	struct nt_lttng_connection *connection = context;
	nt_lttng_decode(connection->decoder, message);
}

static bool is_target(void *context, uint32_t vpid)
{
	struct nt_lttng_connection *connection = context;
	struct nt_lttng_link *link = connection->link;
	if (!nt_follow_ask(link->follow, vpid))
		return false;
	nt_lttng_watched_learn(&link->watched, vpid);
	return true;
}

/* The URL of the session to read. Somebody else's relay is asked at its usual port, unless --session gives a whole URL. */
static enum nt_status find_url(struct nt_lttng_connection *connection, char url[NT_LTTNG_URL_BYTES], struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	const char *name = link->foreign_session ? link->foreign_session : connection->session_name;
	if (strstr(name, "://")) {
		unsigned port = LIVE_PORT;
		sscanf(name, "net://%*[^:/]:%u", &port);
		atomic_store(&link->live_port, port);
		snprintf(url, NT_LTTNG_URL_BYTES, "%s", name);
		return NT_OK;
	}
	if (link->foreign_session)
		atomic_store(&link->live_port, LIVE_PORT);
	nt_time deadline = nt_clock_now() + VIEW_START_MS * NT_NS_PER_MS;
	for (;;) {
		atomic_store(&link->viewing_since, nt_clock_now());
		enum nt_status status = nt_lttng_viewer_find((uint16_t)atomic_load(&link->live_port), name, url, err);
		atomic_store(&link->viewing_since, 0);
		if (status != NT_AGAIN)
			return status;
		if (nt_clock_now() > deadline)
			return nt_error_set(err, NT_ERR_TIMEOUT, "the relay at port %u knows no live session %s",
					    atomic_load(&link->live_port), name);
		status = nt_lttng_wait(connection, STEP_MS, err);
		if (status != NT_OK)
			return status;
	}
}

bool nt_lttng_may_view(struct nt_lttng_connection *connection)
{
	const struct nt_lttng_link *link = connection->link;
	const struct nt_lttng_watched *only = &link->watched.items[0];
	nt_time now = nt_clock_now(), running_since = atomic_load(&link->running_since);
	/* Of a launcher it is the stream that tells what its program is. What runs for so long without a provider has none. */
	if (!connection->early || !only->pid || connection->draining || (running_since && now > running_since + PROVIDER_MS * NT_NS_PER_MS))
		return true;
	if (!connection->provided_at && nt_lttng_provides(is_elsewhere(connection) ? only->vpid : only->pid))
		connection->provided_at = now;
	return connection->provided_at && now > connection->provided_at + DECLARED_MS * NT_NS_PER_MS;
}

enum nt_status nt_lttng_view(struct nt_lttng_connection *connection, struct nt_error *err)
{
	atomic_store(&connection->link->viewing_since, nt_clock_now());
	enum nt_status status = nt_lttng_viewer_run(connection->viewer, err);
	atomic_store(&connection->link->viewing_since, 0);
	return status;
}

static enum nt_status have_viewer(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	char url[NT_LTTNG_URL_BYTES];
	enum nt_status status = find_url(connection, url, err);
	if (status != NT_OK)
		return status;
	const struct nt_lttng_wanted wanted = { .list = &link->watched, .is_target = is_target, .context = connection };
	const struct nt_lttng_viewer_sink sink = { .context = connection, .has_room = has_room, .take = take };
	connection->decoder = nt_lttng_decoder_new(&wanted, &link->out);
	link->out.delivered_until = link->out.stated_until = 0;
	status = nt_lttng_viewer_new(url, &sink, &connection->viewer, err);
	/* The first run connects and attaches: what is emitted from now on is not missed. */
	if (status == NT_OK)
		status = nt_lttng_view(connection, err);
	if (status == NT_AGAIN)
		return NT_OK;
	return status == NT_END ? nt_lttng_diagnose(connection, status, err) : status;
}

enum nt_status nt_lttng_connect(struct nt_lttng_connection *connection, struct nt_error *err)
{
	struct nt_lttng_link *link = connection->link;
	enum nt_status status = NT_OK;
	atomic_store(&link->was_cut, false);
	const struct nt_lttng_watched *first = &link->watched.items[0];
	if (link->follow && !first->pid && nt_follow_chosen(link->follow))
		nt_lttng_watched_learn(&link->watched, nt_follow_chosen(link->follow));
	if (!link->foreign_session) {
		status = nt_lttng_session_ready(err);
		if (status == NT_OK)
			status = have_sessiond(connection, err);
		if (status == NT_OK && !connection->early && first->pid)
			status = wait_registered(connection, err);
		if (status == NT_OK)
			status = have_relay(connection, err);
		if (status == NT_OK)
			status = have_session(connection, err);
	}
	if (status == NT_OK)
		status = have_viewer(connection, err);
	if (status == NT_OK && connection->session)
		status = nt_lttng_session_start(connection->session, err);
	if (status != NT_OK)
		return status;
	connection->started_at = nt_clock_now();
	atomic_store(&link->traces, true);
	struct nt_lttng_process consumerd;
	if (nt_lttng_consumerd_find(&connection->sessiond, &consumerd))
		nt_lttng_link_set_daemon(link, NT_LTTNG_CONSUMERD, &consumerd);
	return NT_OK;
}

static void end_relay(struct nt_lttng_connection *connection)
{
	struct nt_lttng_link *link = connection->link;
	char text[NT_LTTNG_PROCESS_TEXT];
	if (!connection->relay.process.pid)
		return;
	/* First from the link: after its collection the pid may be another's. */
	nt_lttng_link_set_daemon(link, NT_LTTNG_RELAYD, NULL);
	atomic_store(&link->live_port, 0);
	nt_lttng_process_text(&connection->relay.process, text);
	nt_lttng_relay_end(&connection->relay);
	nt_lttng_link_note(link, "-kill-child", text);
}

void nt_lttng_disconnect(struct nt_lttng_connection *connection)
{
	nt_lttng_viewer_free(connection->viewer);
	connection->viewer = NULL;
	nt_lttng_decoder_free(connection->decoder);
	connection->decoder = NULL;
	nt_lttng_session_end(connection->session);
	connection->session = NULL;
	/* A call that was cut says nothing of what the daemon did: then the session stays on the keeper's list. */
	if (connection->session_name[0] && (!atomic_load(&connection->link->was_cut) || is_over(connection->sessiond_pidfd, 0)))
		nt_lttng_link_note(connection->link, "-lttng-session", connection->session_name);
	connection->session_name[0] = '\0';
	end_relay(connection);
	drop_pidfd(&connection->relay_pidfd);
	if (is_over(connection->sessiond_pidfd, 0))
		lose_sessiond(connection);
}

void nt_lttng_release_sessiond(struct nt_lttng_connection *connection)
{
	const struct nt_lttng_process *daemon = &connection->own_sessiond;
	char how[64];
	if (daemon->pid && nt_lttng_child_ended(daemon, how, sizeof(how)))
		forget_own_sessiond(connection);
	/* Below 0: it does not answer yet, so nobody can have a session in it. */
	if (daemon->pid && nt_lttng_session_count() <= 0)
		nt_signal_process((pid_t)daemon->pid, SIGTERM);
	/*
	 * The note stays, this end is bounded: the keeper waits for a session that is still being destroyed, ours or somebody's, and for the end of
	 * a daemon that was just starting and did not hear SIGTERM.
	 */
}
