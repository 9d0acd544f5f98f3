// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_connection.h"

#include "app/common/runtime_dir.h"
#include "app/loop/signals.h"
#include "app/ssh/ssh_child.h"
#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* What ssh lets a socket's path be, less the 17 characters that it adds for a while. */
enum { SOCKET_PATH_MAX = 108 - 18, QUIET_MS = 300, GRACE_MS = 5000 };

struct nt_ssh {
	const char *host; /* borrowed */
	char *folder;     /* owned */
	char *control;    /* owned: the option that says the socket */
	bool connected;
};

static bool is_harmless(const char *host)
{
	for (const char *at = host; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == '\x7f')
			return false;
	return *host && *host != '-';
}

enum nt_status nt_ssh_new(const char *host, struct nt_ssh **out, struct nt_error *err)
{
	char *folder;
	if (!is_harmless(host))
		return nt_error_set(err, NT_ERR_USAGE, "--ssh '%s' is no host: [USER@]HOST, ssh://HOST:PORT, or a name in ~/.ssh/config",
				    host);
	if (nt_runtime_dir_make(&folder, err) != NT_OK)
		return err->status;
	struct nt_ssh *ssh = nt_alloc(sizeof(*ssh));
	*ssh = (struct nt_ssh){ .host = host, .folder = folder };
	nt_assert(asprintf(&ssh->control, "ControlPath=%s/ssh", folder) > 0);
	*out = ssh;
	if (strlen(folder) + sizeof("/ssh") <= SOCKET_PATH_MAX)
		return NT_OK;
	enum nt_status status =
		nt_error_set(err, NT_ERR_FAILED, "the path of %s is too long for a socket; set TMPDIR to a shorter one", folder);
	nt_ssh_free(ssh);
	*out = NULL;
	return status;
}

/*
 * Nothing of the person's own settings that would be in the way of a screen: no forwarding, neither of ports that are taken nor of an agent that is nobody's business there, no command of another's, no
 * character that ssh keeps for itself. A connection that has gone silent is given up after 15 s, a machine that does not answer after 20: meanwhile somebody may type the password of one on the way there. ERROR: the names of connections that end are no news.
 */
static void put_words(const struct nt_ssh *ssh, const char *words[NT_SSH_WORDS_MAX], const char *terminal, const char *line)
{
	const char *const usual[] = { "ssh", terminal,
				      "-e",  "none",
				      "-x",  "-a",
				      "-o",  "ControlMaster=auto",
				      "-o",  ssh->control,
				      "-o",  "ControlPersist=10",
				      "-o",  "ClearAllForwardings=yes",
				      "-o",  "RemoteCommand=none",
				      "-o",  "PermitLocalCommand=no",
				      "-o",  "ConnectTimeout=20",
				      "-o",  "ServerAliveInterval=5",
				      "-o",  "ServerAliveCountMax=3",
				      "-o",  "LogLevel=ERROR",
				      "--",  ssh->host,
				      line,  NULL };
	memcpy(words, usual, sizeof(usual));
}

void nt_ssh_free(struct nt_ssh *ssh)
{
	if (ssh->connected) {
		const char *words[] = { "ssh", "-q", "-o", ssh->control, "-O", "exit", "--", ssh->host, NULL };
		struct nt_ssh_child child;
		struct nt_error ignored;
		if (nt_ssh_child_start(&child, words, NT_SSH_STREAMS_OURS_ALONE, &ignored) == NT_OK)
			nt_ssh_child_end(&child);
	}
	nt_file_remove_tree(ssh->folder);
	free(ssh->control);
	free(ssh->folder);
	free(ssh);
}

/* ---- what it says on standard error ---- */

/* Lines, each said a little later than it came: the last one is the reason when ssh has failed, and then part of our own sentence. */
struct sayings {
	char held[NT_ERROR_TEXT];
	size_t length;
};

static void say_held(struct sayings *sayings)
{
	if (sayings->length)
		fwrite(sayings->held, 1, sayings->length, stderr);
	sayings->length = 0;
}

static void take_saying(struct sayings *sayings, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool begins = sayings->length && sayings->held[sayings->length - 1] == '\n';
		if (bytes[i] == '\r')
			continue;
		if (begins || sayings->length == sizeof(sayings->held) - 1)
			say_held(sayings);
		sayings->held[sayings->length++] = bytes[i];
	}
}

static enum nt_status lost(const struct nt_ssh *ssh, struct sayings *sayings, struct nt_error *err)
{
	sayings->held[sayings->length] = '\0';
	sayings->held[strcspn(sayings->held, "\n")] = '\0';
	const char *reason = *sayings->held ? sayings->held : "ssh gives no reason";
	if (ssh->connected)
		return nt_error_set(err, NT_ERR_FAILED, "the connection to %s is gone%s%s", ssh->host, *sayings->held ? ": " : "",
				    sayings->held);
	return nt_error_set(err, NT_ERR_FAILED, "no connection to %s: %s", ssh->host, reason);
}

/* ---- one child of ssh ---- */

struct carrying {
	struct nt_ssh_child child;
	const struct nt_ssh_call *call; /* NULL = handed over */
	size_t written;
	struct sayings sayings;
	bool signalled;
};

static void write_input(struct carrying *carrying)
{
	const struct nt_ssh_call *call = carrying->call;
	ssize_t wrote = write(carrying->child.in, call->input + carrying->written, call->input_length - carrying->written);
	if (wrote > 0)
		carrying->written += (size_t)wrote;
	if ((wrote < 0 && errno != EAGAIN && errno != EINTR) || carrying->written == call->input_length)
		nt_ssh_child_close(&carrying->child.in);
}

static void read_output(struct carrying *carrying)
{
	const struct nt_ssh_call *call = carrying->call;
	char bytes[4096];
	ssize_t got = read(carrying->child.out, bytes, sizeof(bytes));
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		nt_ssh_child_close(&carrying->child.out);
	for (ssize_t i = 0; i < got && *call->output_length < NT_SSH_OUTPUT_MAX; i++)
		(*call->output)[(*call->output_length)++] = bytes[i];
}

static void read_sayings(struct carrying *carrying)
{
	char bytes[4096];
	ssize_t got = read(carrying->child.err, bytes, sizeof(bytes));
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		nt_ssh_child_close(&carrying->child.err);
	else if (got > 0)
		take_saying(&carrying->sayings, bytes, (size_t)got);
}

/* The first one is a word to what runs there, where one can be given: it says its last, and ends. The next one, or no end within a while, ends ssh. */
static void take_signal(struct carrying *carrying, int signals)
{
	struct signalfd_siginfo info;
	ssize_t got = read(signals, &info, sizeof(info));
	bool has_word = !carrying->call && carrying->child.in >= 0;
	if (got != (ssize_t)sizeof(info))
		return;
	carrying->signalled = true;
	if (has_word)
		nt_ssh_child_close(&carrying->child.in);
	else
		nt_ssh_child_kill(&carrying->child);
}

static void carry(struct carrying *carrying, int signals)
{
	struct nt_ssh_child *child = &carrying->child;
	for (bool ended = false; !ended || child->out >= 0 || child->err >= 0;) {
		struct pollfd fds[] = { { .fd = carrying->call ? child->in : -1, .events = POLLOUT },
					{ .fd = child->out, .events = POLLIN },
					{ .fd = child->err, .events = POLLIN },
					{ .fd = signals, .events = POLLIN },
					{ .fd = ended ? -1 : child->pidfd, .events = POLLIN } };
		bool stopping = carrying->signalled && child->in < 0;
		int ready = poll(fds, sizeof(fds) / sizeof(fds[0]),
				 ended || carrying->sayings.length ? QUIET_MS
				 : stopping                        ? GRACE_MS
								   : -1);
		if (ready == 0 && ended)
			break; /* somebody else holds our pipe */
		if (ready == 0 && carrying->sayings.length)
			say_held(&carrying->sayings);
		else if (ready == 0)
			nt_ssh_child_kill(child);
		if (ready <= 0)
			continue;
		if (fds[0].revents)
			write_input(carrying);
		if (fds[1].revents)
			read_output(carrying);
		if (fds[2].revents)
			read_sayings(carrying);
		if (fds[3].revents)
			take_signal(carrying, signals);
		ended = ended || fds[4].revents;
	}
}

/* Start it, carry what goes to and fro, wait for its end. */
static enum nt_status work(struct nt_ssh *ssh, struct carrying *carrying, const char *const *words, enum nt_ssh_streams streams,
			   int *status, struct nt_error *err)
{
	sigset_t ending;
	if (nt_ssh_child_start(&carrying->child, words, streams, err) != NT_OK)
		return err->status;
	nt_signals_ending(&ending);
	int signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	carry(carrying, signals);
	close(signals);
	*status = nt_ssh_child_end(&carrying->child);
	if (*status == NT_SSH_LOST && !carrying->signalled)
		return lost(ssh, &carrying->sayings, err);
	say_held(&carrying->sayings);
	ssh->connected = true;
	return carrying->signalled && carrying->call ? NT_END : NT_OK;
}

enum nt_status nt_ssh_call(struct nt_ssh *ssh, const struct nt_ssh_call *call, int *status, struct nt_error *err)
{
	const char *words[NT_SSH_WORDS_MAX];
	struct carrying carrying = { .call = call };
	put_words(ssh, words, "-T", call->line);
	*call->output = nt_alloc(NT_SSH_OUTPUT_MAX);
	*call->output_length = 0;
	return work(ssh, &carrying, words, NT_SSH_STREAMS_CARRIED, status, err);
}

enum nt_status nt_ssh_hand_over(struct nt_ssh *ssh, const char *line, bool terminal, int *status, struct nt_error *err)
{
	const char *words[NT_SSH_WORDS_MAX];
	struct carrying carrying = { .call = NULL };
	put_words(ssh, words, terminal ? "-tt" : "-T", line);
	return work(ssh, &carrying, words, terminal ? NT_SSH_STREAMS_TERMINAL : NT_SSH_STREAMS_WATCHED, status, err);
}
