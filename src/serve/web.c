// SPDX-License-Identifier: GPL-2.0-only
#include "serve/web.h"

#include "base/alloc.h"
#include "base/passed_fds.h"
#include "serve/web_process.h"
#include "source/decoder/decoder_child.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AGAIN_MS = 1000 };

struct text {
	int fd; /* owned; -1 = none */
	uint64_t version;
};

struct nt_web {
	struct nt_listen_address address;
	int listen_fd; /* owned: whoever connects while there is no process waits for the next one */
	struct nt_web_source source;
	struct nt_decoder_child child; /* pid 0: there is none, */
	nt_time again;                 /* and it is started then */
	struct text texts[NT_WEB_FORMS];
	struct nt_web_sums sums;
};

static enum nt_status start(struct nt_web *web, struct nt_error *err)
{
	const struct nt_web_begin said = { .loopback = web->address.loopback };
	int errnum = nt_decoder_child_start(&web->child, NT_WEB_WORD);
	if (errnum)
		return nt_error_errno(err, NT_ERR_FAILED, errnum, "cannot start the process that serves");
	nt_decoder_child_say(&web->child, &said, sizeof(said), web->listen_fd);
	return NT_OK;
}

enum nt_status nt_web_open(const char *listen, const struct nt_web_source *source, struct nt_web **out, struct nt_error *err)
{
	struct nt_web *web = nt_alloc(sizeof(*web));
	*web = (struct nt_web){ .listen_fd = -1, .source = *source, .child = { .pidfd = -1, .fd = -1 } };
	for (size_t form = 0; form < NT_WEB_FORMS; form++)
		web->texts[form].fd = -1;
	enum nt_status status = nt_listen_parse(listen, &web->address, err);
	if (status == NT_OK)
		status = nt_listen_open(&web->address, &web->listen_fd, err);
	if (status == NT_OK)
		status = start(web, err);
	if (status == NT_OK)
		*out = web;
	else
		nt_web_close(web);
	return status;
}

/* Returns how it ended, as waitpid() says it. */
static int end_child(struct nt_web *web)
{
	pid_t left;
	web->sums.cpu_ns += nt_decoder_child_cpu_ns(&web->child);
	return nt_decoder_child_end(&web->child, &left);
}

static void forget_text(struct text *text)
{
	if (text->fd >= 0)
		close(text->fd);
	text->fd = -1;
}

void nt_web_close(struct nt_web *web)
{
	if (!web)
		return;
	if (web->child.pid)
		end_child(web);
	for (size_t form = 0; form < NT_WEB_FORMS; form++)
		forget_text(&web->texts[form]);
	if (web->listen_fd >= 0)
		close(web->listen_fd);
	free(web);
}

const struct nt_listen_address *nt_web_address(const struct nt_web *web)
{
	return &web->address;
}

int nt_web_fd(const struct nt_web *web)
{
	return web->child.pid ? web->child.fd : -1;
}

struct nt_web_sums nt_web_sums(const struct nt_web *web)
{
	struct nt_web_sums sums = web->sums;
	if (web->child.pid)
		sums.cpu_ns += nt_decoder_child_cpu_ns(&web->child);
	return sums;
}

/* Sealed: a server that a stranger has taken over can change nothing in what others are sent. */
static int make_text(struct nt_web *web, enum nt_web_form form)
{
	int fd = memfd_create("nettop-metrics", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -1;
	if (web->source.write(web->source.context, form, fd) &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0)
		return fd;
	close(fd);
	return -1;
}

static void answer(struct nt_web *web, enum nt_web_form form)
{
	const nt_web_word word = (nt_web_word)form;
	struct text *text = &web->texts[form];
	uint64_t version = web->source.version(web->source.context);
	if (text->fd < 0 || text->version != version) {
		forget_text(text);
		*text = (struct text){ .fd = make_text(web, form), .version = version };
	}
	web->sums.text_count++;
	nt_decoder_child_say(&web->child, &word, sizeof(word), text->fd);
}

/* It asks for no more than one text of each form at a time: so many, and one that asks for more has to wait. False: it has ended. */
static bool take_questions(struct nt_web *web)
{
	for (int i = 0; i < NT_WEB_FORMS; i++) {
		nt_web_word word;
		ssize_t got = recv(web->child.fd, &word, sizeof(word), MSG_DONTWAIT);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (got != sizeof(word) || word >= NT_WEB_FORMS)
			return false;
		answer(web, (enum nt_web_form)word);
	}
	return true;
}

static enum nt_status say_end(int how, struct nt_error *err)
{
	if (how != -1 && WIFEXITED(how) && WEXITSTATUS(how) == NT_WEB_NO_LIBRARY)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "libmicrohttpd, which speaks HTTP, cannot be loaded; apt-get install libmicrohttpd12");
	if (how != -1 && WIFSIGNALED(how))
		return nt_error_set(err, NT_AGAIN, "the process that serves was ended by signal %d (%s); it is started again",
				    WTERMSIG(how), strsignal(WTERMSIG(how)));
	return nt_error_set(err, NT_AGAIN, "the process that serves has ended; it is started again");
}

enum nt_status nt_web_pump(struct nt_web *web, nt_time now, nt_time *next, struct nt_error *err)
{
	*next = NT_TIME_UNKNOWN;
	if (!web->child.pid && now >= web->again)
		return start(web, err);
	if (!web->child.pid)
		*next = web->again;
	if (!web->child.pid || take_questions(web))
		return NT_OK;
	web->sums.end_count++;
	web->again = *next = now + AGAIN_MS * NT_NS_PER_MS;
	return say_end(end_child(web), err);
}
