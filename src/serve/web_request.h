/* SPDX-License-Identifier: GPL-2.0-only */
/* What is answered to a request: a pure function of its head. */
#ifndef NT_SERVE_WEB_REQUEST_H
#define NT_SERVE_WEB_REQUEST_H

#include <stdbool.h>

/* In which form the text is wanted. */
enum nt_web_form { NT_WEB_OPENMETRICS, NT_WEB_PROMETHEUS, NT_WEB_FORMS };

/* Texts of whoever connects: nothing is known of them but that they end. NULL = there is no such header. */
struct nt_web_request {
	const char *method, *path, *host, *accept;
	bool loopback; /* it came to a socket that only this machine can reach */
};

/*
 * The status of the answer: 200, with *form; else *refusal is the sentence, static, with its line feed. Besides GET and HEAD of /metrics nothing is there. What comes to a loopback socket under another name than
 * localhost or a number is a page in somebody's browser that was told that its server has this address (DNS rebinding): it gets nothing.
 */
enum { NT_WEB_SENTENCE = 128 };
unsigned nt_web_judge(const struct nt_web_request *request, enum nt_web_form *form, const char **refusal);

/* The value of Content-Type. */
const char *nt_web_content_type(enum nt_web_form form);

#endif
