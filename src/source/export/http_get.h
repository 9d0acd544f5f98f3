/* SPDX-License-Identifier: GPL-2.0-only */
/* Fetching a file over HTTP, by libcurl, which is loaded by the first who needs it: only `nettop symbols` does. */
#ifndef NT_SOURCE_HTTP_GET_H
#define NT_SOURCE_HTTP_GET_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/status.h"

struct nt_http_get {
	const char *url;         /* http or https */
	int fd;                  /* what comes is written here; it may be a part when it fails */
	uint64_t limit_bytes;    /* a larger file is refused */
	const char *limit_is;    /* what that is, as a part of the sentence: "which no debug file is" */
	bool (*cancelled)(void); /* asked at least once a second; NULL = never */
};

/*
 * May take 10 minutes; who sends less than 1 KB/s for half a minute is given up earlier. OK with *size; ABSENT: the server answers and has no such file; GONE: nobody answers
 * there, so it need not be asked again; END: cancelled; UNSUPPORTED: no libcurl here; FAILED: anything else. The sentence in `err` names the URL and the reason.
 */
enum nt_status nt_http_get(const struct nt_http_get *get, uint64_t *size, struct nt_error *err);

#endif
