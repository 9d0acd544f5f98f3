/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server that others read nettop's figures from, nettop's side: a process without rights (web_process.h) has the socket and the strangers, and asks for a text whenever one is wanted. So a text is made only for who reads it,
 * and once for all who read it in the same interval.
 */
#ifndef NT_SERVE_WEB_H
#define NT_SERVE_WEB_H

#include "nettop/clock.h"
#include "nettop/status.h"
#include "serve/listen_address.h"
#include "serve/web_request.h"

struct nt_web;

/* Who has the text. */
struct nt_web_source {
	void *context;
	/* What the next text would be of: as long as this is the same, a text is not made anew. */
	uint64_t (*version)(void *context);
	/* Make it: a descriptor, which is sealed (serve/sealed_text.h), for the server to keep. -1: there is none. */
	int (*make)(void *context, enum nt_web_form form);
};

/* Listens and starts the process. `source` is copied. *out is the caller's; the sentence in *err. */
enum nt_status nt_web_open(const char *listen, const struct nt_web_source *source, struct nt_web **out, struct nt_error *err);
void nt_web_close(struct nt_web *web); /* NULL is allowed */

/* Where it listens. Borrowed. */
const struct nt_listen_address *nt_web_address(const struct nt_web *web);

/* Readable when it has a question, or has ended; -1 = it has ended, and is started again by nt_web_pump(). It changes then. */
int nt_web_fd(const struct nt_web *web);

/* Answer what it has asked; never waits. When it has ended, which a stranger may have brought about, it is started again after a second; *err then says so. Returns the time of the next call; NT_TIME_UNKNOWN = when the descriptor
 * is readable. NT_ERR_*: it cannot be had at all. */
enum nt_status nt_web_pump(struct nt_web *web, nt_time now, nt_time *next, struct nt_error *err);

/* How often a text was asked for, how often the process has ended, and what CPU time it and those before it have taken. */
struct nt_web_sums {
	uint64_t text_count, end_count, cpu_ns;
};
struct nt_web_sums nt_web_sums(const struct nt_web *web);

#endif
