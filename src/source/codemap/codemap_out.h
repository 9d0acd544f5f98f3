/* SPDX-License-Identifier: GPL-2.0-only */
/* The files worker's pen: events into batches, batches into the channel. Waits for the main thread when all batches are in flight. */
#ifndef NT_SOURCE_CODEMAP_OUT_H
#define NT_SOURCE_CODEMAP_OUT_H

#include "base/channel.h"
#include "base/interner.h"
#include "source/codemap/codemap_inbox.h"

struct nt_codemap_out {
	struct nt_channel *channel;     /* borrowed */
	struct nt_codemap_inbox *inbox; /* borrowed: tells when a batch came back, and of cancel */
	struct nt_interner *interner;   /* owned */
	struct nt_batch *batch;         /* being filled; NULL = none */
	struct nt_batch *waste;         /* owned; takes what nobody reads any more after a cancel */
	uint32_t pid;                   /* of every event */
};

void nt_codemap_out_init(struct nt_codemap_out *out, struct nt_channel *channel, struct nt_codemap_inbox *inbox, uint32_t pid);
void nt_codemap_out_fini(struct nt_codemap_out *out);

/* A zeroed event to fill; valid until the next call. Never NULL. Make the event first, then its texts. */
struct nt_event *nt_codemap_out_event(struct nt_codemap_out *out, enum nt_event_kind kind, nt_time time);

/* Id of a text for the event just made. */
nt_str nt_codemap_out_str(struct nt_codemap_out *out, const char *text, size_t length);
nt_str nt_codemap_out_cstr(struct nt_codemap_out *out, const char *text);

/*
 * Lines of the perf map, seen at `seen` and valid from `from` on. They go into the CODE event that was made last if that says the same of its lines,
 * else into a new one. `text`: see nt_batch_add_lines().
 */
void nt_codemap_out_lines(struct nt_codemap_out *out, nt_time seen, nt_time from, const struct nt_batch_line *lines, size_t count,
			  const char *text);

/* The same of places. Of `code`: from, map, kind. */
void nt_codemap_out_places(struct nt_codemap_out *out, nt_time seen, const struct nt_ev_code *code, const struct nt_batch_place *places,
			   size_t count);

/* Send what there is. The main thread takes it when it looks next: names are shown with the next frame, however soon they come. */
void nt_codemap_out_flush(struct nt_codemap_out *out);

/* The same, and wakes the main thread up. */
void nt_codemap_out_send(struct nt_codemap_out *out);

#endif
