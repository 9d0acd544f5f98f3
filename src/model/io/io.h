/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/io: what the process reads and writes, and what it has open. */
/*
 * What the process has read and written between two readings of /proc/PID/io, and a row for each name that looks have found open, or calls were made on. Readings do not wait for their
 * interval: the newest counts. Rows are bounded; one of which nothing is open any more becomes a tombstone and then goes, with its sums.
 */
#ifndef NT_MODEL_IO_H
#define NT_MODEL_IO_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/span.h"
#include "model/io/io_callers.h"
#include "model/io/io_calls.h"
#include "model/sites/site_tally.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"

enum { NT_IO_ROWS = 4096 };

struct nt_io_reading {
	nt_time time;
	struct nt_ev_io values; /* not known: nobody can read it */
};

struct nt_io_item {
	struct nt_io_row row; /* as it was last shown */
	nt_time blocked_since;
	nt_time heard;         /* last found */
	uint64_t look;         /* of which look */
	uint64_t opened_count; /* in the open interval */
	struct nt_io_call_sums calls;
	struct nt_io_callers *callers; /* owned; NULL = no call was looked at yet */
};

struct nt_io {
	struct nt_io_reading first, closed, newest;
	struct nt_io_item *items; /* owned, in no order */
	size_t count, capacity;
	struct nt_index by_id;
	uint64_t look;                 /* the one that goes on */
	uint64_t beyond, beyond_whole; /* names without a row: of the look that goes on, of the last whole one */
	nt_time looked;                /* end of the last whole look; 0 = none yet, or there is nobody who looks */
	struct nt_ev_descriptors last; /* of it */
	const char *reason;            /* why nobody looks, the table's; NULL = somebody does */
	struct nt_io_call_totals calls;
	struct nt_site_tally callers; /* of the open interval: by the item's index */
};

void nt_io_init(struct nt_io *io);
void nt_io_fini(struct nt_io *io);

/* An IO, a DESCRIPTOR and a DESCRIPTORS event; texts are the table's, NULL = none. */
void nt_io_read(struct nt_io *io, nt_time time, const struct nt_ev_io *reading);
void nt_io_found(struct nt_io *io, nt_time time, const struct nt_ev_descriptor *found, const char *what);
void nt_io_looked(struct nt_io *io, nt_time time, const struct nt_ev_descriptors *end, const char *reason);

/* A CALLS and a CALLS_TOLD event, likewise. Calls on what has no row, because there are too many, are in the figures alone. */
void nt_io_called(struct nt_io *io, nt_time time, const struct nt_ev_calls *calls, const char *what);
void nt_io_call_looked_at(struct nt_io *io, const struct nt_ev_caller *caller, const char *what, nt_site_ref stack); /* CALLER */
void nt_io_calls_told(struct nt_io *io, nt_time time, const struct nt_ev_calls_told *told, const char *reason, const char *fix);

/* Fill figures and rows, and start the next interval. `ended`: the process has ended, and has nothing open. */
void nt_io_close(struct nt_io *io, const struct nt_span *span, bool ended, struct nt_sites *sites, struct nt_snapshot *snapshot,
		 struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_io_each_text(const struct nt_io *io, nt_text_visit *visit, void *context);

#endif
