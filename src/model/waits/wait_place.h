/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/waits: blocked time: where, and what for. */
/* What a thread waits for, and where, by the names of its frames. */
#ifndef NT_MODEL_WAIT_PLACE_H
#define NT_MODEL_WAIT_PLACE_H

#include "nettop/snapshot.h"

struct nt_wait_place {
	enum nt_wait_kind kind; /* NT_WAIT_UNKNOWN: its frames do not say */
	const char *means;      /* the outermost means of waiting that has a name of its own, of managed code: Task.Wait; NULL = none */
	uint32_t site;          /* the frame that waits */
	bool found;             /* there is such a frame: the site is no means of waiting */
};

/* `own`: the first frame that is the program's own, or the leaf when there is none (struct nt_call_stack). Pure; texts are those of the frames. */
struct nt_wait_place nt_wait_place_of(const struct nt_call_frame *frames, uint32_t count, uint32_t own);

/* What is waited for, when a source says one thing and the frames another: the source knows what the runtime or the kernel waits with, the frames why. */
enum nt_wait_kind nt_wait_place_kind(unsigned said, const struct nt_wait_place *place);

/*
 * Does what a thread knows of say something of its wait? It may know of a lock that it does not wait for: of a monitor where it waits for a Lock, or the other way round. `object`: whose lock that is, 0 = it is none;
 * `what`: its type, or what else is waited for by name, NULL = not known.
 */
bool nt_wait_is_about(enum nt_wait_kind kind, uint64_t object, const char *what);

#endif
