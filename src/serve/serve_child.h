/* SPDX-License-Identifier: GPL-2.0-only */
/* A process without rights that speaks with others over the network: started, started again when it has ended, ended. For src/serve/ only. */
#ifndef NT_SERVE_CHILD_H
#define NT_SERVE_CHILD_H

#include "nettop/clock.h"
#include "nettop/status.h"
#include "source/decoder/decoder_child.h"

struct nt_serve_child {
	const char *word;              /* by which it is started (source/decoder/decoder_process.h) */
	const char *does;              /* as a part of a sentence: "serves" */
	const char *library;           /* what it cannot be without, and how that is had */
	struct nt_decoder_child child; /* pid 0: there is none, */
	nt_time again;                 /* and it is started then */
	uint64_t end_count, cpu_ns;    /* how often it has ended; CPU time of those before this one */
};

/* Its exit status without the library. */
enum { NT_SERVE_NO_LIBRARY = 3 };

/* It gives up its rights and loads what it needs: to be called first in it. Returns 0, or its exit status. */
int nt_serve_child_begin(const char *name, bool (*load)(void *context), void *context);

enum nt_status nt_serve_child_start(struct nt_serve_child *child, struct nt_error *err);
void nt_serve_child_end(struct nt_serve_child *child); /* one that is not there is allowed */

/* Is it there? */
static inline bool nt_serve_child_is_there(const struct nt_serve_child *child)
{
	return child->child.pid != 0;
}

/* It has ended: collected, and to be started again after a second. AGAIN, with the sentence; UNSUPPORTED: it cannot be had here. */
enum nt_status nt_serve_child_lost(struct nt_serve_child *child, nt_time now, struct nt_error *err);

/* Of it and those before it. */
uint64_t nt_serve_child_cpu_ns(const struct nt_serve_child *child);

#endif
