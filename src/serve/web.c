// SPDX-License-Identifier: GPL-2.0-only
#include "serve/web.h"

#include "base/alloc.h"
#include "base/passed_fds.h"
#include "serve/serve_child.h"
#include "serve/web_process.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct text {
	int fd; /* owned; -1 = none */
	uint64_t version;
};

struct nt_web {
	struct nt_listen_address address;
	int listen_fd; /* owned: whoever connects while there is no process waits for the next one */
	struct nt_web_source source;
	struct nt_serve_child process;
	struct text texts[NT_WEB_FORMS];
	uint64_t text_count;
};

static enum nt_status start(struct nt_web *web, struct nt_error *err)
{
	const struct nt_web_begin said = { .loopback = web->address.loopback };
	enum nt_status status = nt_serve_child_start(&web->process, err);
	if (status == NT_OK)
		nt_decoder_child_say(&web->process.child, &said, sizeof(said), web->listen_fd);
	return status;
}

enum nt_status nt_web_open(const char *listen, const struct nt_web_source *source, struct nt_web **out, struct nt_error *err)
{
	struct nt_web *web = nt_alloc(sizeof(*web));
	*web = (struct nt_web){ .listen_fd = -1,
				.source = *source,
				.process = { .word = NT_WEB_WORD,
					     .does = "serves",
					     .library = "libmicrohttpd, which speaks HTTP; apt-get install libmicrohttpd12" } };
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
	nt_serve_child_end(&web->process);
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
	return nt_serve_child_is_there(&web->process) ? web->process.child.fd : -1;
}

struct nt_web_sums nt_web_sums(const struct nt_web *web)
{
	return (struct nt_web_sums){ .text_count = web->text_count,
				     .end_count = web->process.end_count,
				     .cpu_ns = nt_serve_child_cpu_ns(&web->process) };
}

static void answer(struct nt_web *web, enum nt_web_form form)
{
	const nt_web_word word = (nt_web_word)form;
	struct text *text = &web->texts[form];
	uint64_t version = web->source.version(web->source.context);
	if (text->fd < 0 || text->version != version) {
		forget_text(text);
		*text = (struct text){ .fd = web->source.make(web->source.context, form), .version = version };
	}
	web->text_count++;
	nt_decoder_child_say(&web->process.child, &word, sizeof(word), text->fd);
}

/* It asks for no more than one text of each form at a time: so many, and one that asks for more has to wait. False: it has ended. */
static bool take_questions(struct nt_web *web)
{
	for (int i = 0; i < NT_WEB_FORMS; i++) {
		nt_web_word word;
		ssize_t got = recv(web->process.child.fd, &word, sizeof(word), MSG_DONTWAIT);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (got != sizeof(word) || word >= NT_WEB_FORMS)
			return false;
		answer(web, (enum nt_web_form)word);
	}
	return true;
}

enum nt_status nt_web_pump(struct nt_web *web, nt_time now, nt_time *next, struct nt_error *err)
{
	bool is_there = nt_serve_child_is_there(&web->process);
	*next = is_there ? NT_TIME_UNKNOWN : web->process.again;
	if (!is_there && now < web->process.again)
		return NT_OK;
	if (!is_there) {
		*next = NT_TIME_UNKNOWN;
		return start(web, err);
	}
	if (take_questions(web))
		return NT_OK;
	enum nt_status status = nt_serve_child_lost(&web->process, now, err);
	*next = web->process.again;
	return status;
}
