// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_out.h"

/* Small batches: a perf map of 500 000 lines passes through the few that are in flight. */
enum { EVENTS_MAX = 1024, LINES_MAX = 8192, BYTES_MAX = 256 << 10 };

/* Lines that are put into a batch before it is asked whether it is full. */
enum { AT_ONCE = 256 };

/* Answers rarely repeat a text but for an image's path and a reason: to know the texts of the last few hundred is enough, and each costs 60 bytes besides. */
enum { INTERNED_BYTES = 16 << 10 };

void nt_codemap_out_init(struct nt_codemap_out *out, struct nt_channel *channel, struct nt_codemap_inbox *inbox, uint32_t pid)
{
	*out = (struct nt_codemap_out){ .channel = channel, .inbox = inbox, .pid = pid };
	out->interner = nt_interner_new(INTERNED_BYTES);
	out->waste = nt_batch_new(NT_SOURCE_CODEMAP);
}

void nt_codemap_out_fini(struct nt_codemap_out *out)
{
	nt_codemap_out_flush(out);
	nt_interner_free(out->interner);
	nt_batch_free(out->waste);
}

static struct nt_batch *fresh_batch(struct nt_codemap_out *out)
{
	for (;;) {
		if (nt_codemap_inbox_cancelled(out->inbox)) {
			nt_batch_reset(out->waste);
			return out->waste;
		}
		struct nt_batch *batch = nt_channel_take_empty(out->channel);
		if (batch)
			return batch;
		/* Room may have come between the look and the wish. */
		nt_codemap_inbox_want_room(out->inbox);
		batch = nt_channel_take_empty(out->channel);
		if (batch)
			return batch;
		nt_codemap_inbox_wait(out->inbox, nt_clock_now() + NT_NS_PER_S);
	}
}

static void hand_over(struct nt_codemap_out *out, void (*how)(struct nt_channel *channel, struct nt_batch *batch))
{
	if (out->batch && out->batch != out->waste)
		how(out->channel, out->batch);
	out->batch = NULL;
}

void nt_codemap_out_flush(struct nt_codemap_out *out)
{
	hand_over(out, nt_channel_put);
}

void nt_codemap_out_send(struct nt_codemap_out *out)
{
	hand_over(out, nt_channel_send);
}

static bool is_full(const struct nt_batch *batch)
{
	return batch->event_count >= EVENTS_MAX || batch->line_count + batch->place_count >= LINES_MAX || batch->byte_count >= BYTES_MAX;
}

struct nt_event *nt_codemap_out_event(struct nt_codemap_out *out, enum nt_event_kind kind, nt_time time)
{
	if (out->batch && is_full(out->batch))
		nt_codemap_out_send(out); /* there is more: the few batches must come back soon */
	if (!out->batch) {
		out->batch = fresh_batch(out);
		nt_interner_begin(out->interner, out->batch);
		out->batch->pid = out->pid; /* each process has a worker, with ids of its own */
	}
	return nt_batch_add(out->batch, kind, time, out->pid, 0);
}

nt_str nt_codemap_out_str(struct nt_codemap_out *out, const char *text, size_t length)
{
	return nt_interner_str(out->interner, out->batch, text, length);
}

static bool continues(const struct nt_batch *batch, nt_time seen, const struct nt_ev_code *code)
{
	if (!batch || !batch->event_count || is_full(batch))
		return false;
	const struct nt_event *last = &batch->events[batch->event_count - 1];
	return last->kind == NT_EV_CODE && last->time == seen && last->u.code.from == code->from && last->u.code.map == code->map &&
	       last->u.code.kind == code->kind;
}

/* Let the newest event be a CODE event that says this of its lines or places. */
static void begin_code(struct nt_codemap_out *out, nt_time seen, const struct nt_ev_code *code)
{
	if (continues(out->batch, seen, code))
		return;
	struct nt_ev_code *fresh = &nt_codemap_out_event(out, NT_EV_CODE, seen)->u.code;
	*fresh = *code;
	fresh->first = (uint32_t)(code->map ? out->batch->place_count : out->batch->line_count);
}

void nt_codemap_out_lines(struct nt_codemap_out *out, nt_time seen, nt_time from, const struct nt_batch_line *lines, size_t count,
			  const char *text)
{
	for (size_t i = 0; i < count; i += AT_ONCE) {
		begin_code(out, seen, &(struct nt_ev_code){ .from = from });
		nt_batch_add_lines(out->batch, lines + i, count - i < AT_ONCE ? count - i : AT_ONCE, text);
	}
}

void nt_codemap_out_places(struct nt_codemap_out *out, nt_time seen, const struct nt_ev_code *code, const struct nt_batch_place *places,
			   size_t count)
{
	for (size_t i = 0; i < count; i += AT_ONCE) {
		begin_code(out, seen, code);
		nt_batch_add_places(out->batch, places + i, count - i < AT_ONCE ? count - i : AT_ONCE);
	}
}

nt_str nt_codemap_out_cstr(struct nt_codemap_out *out, const char *text)
{
	return nt_interner_cstr(out->interner, out->batch, text);
}
