/* SPDX-License-Identifier: GPL-2.0-only */
/* A look at the heap: what it would do, whether it may be, and on the screen (key H) the look itself. */
#ifndef NT_APP_HEAP_LOOK_H
#define NT_APP_HEAP_LOOK_H

#include "app/session/session.h"
#include "app/show/frame.h"
#include "source/eventpipe/heap_walk.h"

enum { NT_HEAP_PRICE_BYTES = 500 };

/* Memory of nettop's own that references may take at most. */
#define NT_HEAP_GRAPH_BYTES_MAX (UINT64_C(1) << 30)

/* As much as that, or a quarter of what the machine and its own control group have left for nettop. */
uint64_t nt_heap_look_graph_bytes(void);

/*
 * May it be, and with references if they are wanted? Then *wish says how it is asked for, and `price` is a sentence for who is asked. UNSUPPORTED, FAILED: it may not, or cannot.
 */
enum nt_status nt_heap_look_check(const struct nt_target *target, bool references, struct nt_heap_wish *wish,
				  char price[NT_HEAP_PRICE_BYTES], struct nt_error *err);

/*
 * The runtime tells a nested type's own name alone: where the process's memory can be read (.NET 9 and later), types get their whole names, and those that were one row by such a name are several. So do static fields of the types that they are fields of, where that is certain (.NET 10). Waits, two seconds at most.
 */
void nt_heap_look_name(const struct nt_target *target, struct nt_heap_found *heap);

/* How far it is: "[######..............] 1.20M objects, 31MB of some 104MB read; the process stands still". Returns text. */
const char *nt_heap_look_progress(const struct nt_heap_walk *walk, char text[NT_HEAP_PRICE_BYTES]);

/* The same by its figures. `expected`: bytes that may come, 0 = not known; there is no bar then. */
const char *nt_heap_progress_text(uint64_t objects, uint64_t bytes, uint64_t expected, bool still, char text[NT_HEAP_PRICE_BYTES]);

/* The screen's own part: all zero but `setup` and `frame`. */
struct nt_heap_look {
	const struct nt_session_setup *setup; /* borrowed */
	struct nt_frame *frame;               /* borrowed */
	struct nt_source_config config;       /* of the walk */
	struct nt_heap_walk *walk;            /* owned; NULL = none goes on */
	bool watched;
	bool holders;                         /* it is asked who holds what is there */
	nt_time told;                         /* when its progress was said last */
	struct nt_heap_found *first, *newest; /* owned; what was seen first, and last; NULL = nothing yet. They may be the same */
	int64_t first_unix_ns, newest_unix_ns;
};

/* Carry out what the screen asks for: enum nt_ui_effect bits of the heap, which are taken. */
void nt_heap_look_carry_out(struct nt_heap_look *look);

/* Go on with a look, if there is one; then it wants to be called again within some ms: true. */
bool nt_heap_look_go_on(struct nt_heap_look *look);

/* Ends one that is not over, and forgets what was seen. */
void nt_heap_look_fini(struct nt_heap_look *look);

#endif
