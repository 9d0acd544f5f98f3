/* SPDX-License-Identifier: GPL-2.0-only */
/* From events of the runtime to markers: what begins is joined with what ends it. In bounded memory: those that there is no room for are counted. */
#ifndef NT_OUTPUT_MARKERS_H
#define NT_OUTPUT_MARKERS_H

#include "nettop/model.h"
#include "output/export/export_timeline.h"

enum {
	NT_MARKERS_MOST = 1 << 19,      /* some 40 MB with their texts */
	NT_MARKERS_OPEN_MOST = 1 << 12, /* that have begun, of all kinds: a begin beyond has no marker */
};

struct nt_arena;

/* Something that has begun. */
struct nt_marker_open {
	enum nt_marker_kind kind;
	uint64_t key; /* what its end says, too: a number of a collection, a thread, a span */
	size_t marker;
};

/* All zero is empty. */
struct nt_markers {
	struct nt_marker *items; /* owned */
	size_t count, capacity;
	struct nt_marker_open *open; /* owned; the newest last */
	size_t open_count, open_capacity;
	struct nt_arena *texts; /* owned; NULL as long as there are none */
	uint64_t left_out[NT_MARKER_KINDS];
};

void nt_markers_fini(struct nt_markers *markers);

/* An event as nt_model_show_events() shows it. Those of which no marker is made are ignored, and ends without a begin. */
void nt_markers_see(struct nt_markers *markers, const struct nt_shown_event *shown);

/* That was all, and it ends there: what is open gets that end. In order of their begins from now on. */
void nt_markers_end(struct nt_markers *markers, nt_time end);

#endif
