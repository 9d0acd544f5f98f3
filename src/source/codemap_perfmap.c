// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_perfmap.h"

#include "base/alloc.h"
#include "decode/perfmap.h"
#include "source/codemap_state.h"
#include "source/codemap_tail.h"

#include <stdlib.h>

/* Each look is a path walk and two threads that wake up. Intervals wait for it, but not longer than for their slowest source anyway. */
#define POLL_NS  (500 * NT_NS_PER_MS)
#define RETRY_NS (5 * NT_NS_PER_S) /* after a time-out: each try may cost a thread */

/* The runtime's write of a line becomes visible up to 0.3 ms after the code exists (measured, .NET 10): times are taken back by this much. */
#define VISIBLE_NS NT_NS_PER_MS

struct nt_codemap_perfmap {
	struct nt_codemap_out *out;
	struct nt_codemap_tail *tail;
	struct nt_codemap_state state;
	struct nt_perfmap_parser parser;
	nt_time known_until; /* every line written before this time has been read; 0 = the file was never read to its end */
	nt_time from, seen;  /* of the lines in hand */
};

struct nt_codemap_perfmap *nt_codemap_perfmap_new(const struct nt_codemap_target *target, struct nt_hand *hand, struct nt_codemap_out *out)
{
	struct nt_codemap_perfmap *perfmap = nt_alloc(sizeof(*perfmap));
	perfmap->out = out;
	perfmap->tail = nt_codemap_tail_new(target, hand);
	nt_codemap_state_init(&perfmap->state, target, out);
	return perfmap;
}

void nt_codemap_perfmap_free(struct nt_codemap_perfmap *perfmap)
{
	if (!perfmap)
		return;
	nt_codemap_tail_free(perfmap->tail);
	free(perfmap);
}

static void put_line(void *context, const struct nt_perfmap_entry *entry)
{
	struct nt_codemap_perfmap *perfmap = context;
	nt_codemap_out_line(perfmap->out, perfmap->seen, perfmap->from, entry);
}

/* True: there is more. */
static bool read_some(struct nt_codemap_perfmap *perfmap, struct nt_codemap_look *look)
{
	nt_codemap_tail_look(perfmap->tail, look);
	if (look->status != NT_OK && look->status != NT_ERR_GONE)
		return false;
	if (look->restarted)
		perfmap->parser = (struct nt_perfmap_parser){ 0 };
	size_t used = nt_perfmap_parse(&perfmap->parser, look->text, look->length, put_line, perfmap);
	if (look->length)
		nt_codemap_tail_consume(perfmap->tail, used);
	return look->more && used > 0;
}

nt_time nt_codemap_perfmap_poll(struct nt_codemap_perfmap *perfmap)
{
	struct nt_codemap_out *out = perfmap->out;
	struct nt_codemap_look look = { .status = NT_END };
	bool more = true;
	while (more && !nt_codemap_inbox_cancelled(out->inbox)) {
		/* What was written before this moment is in the file now; what is not in it yet is younger. */
		perfmap->seen = nt_clock_now() - VISIBLE_NS;
		perfmap->from = perfmap->known_until;
		more = read_some(perfmap, &look);
	}
	if (look.status == NT_END)
		return NT_TIME_UNKNOWN;
	nt_codemap_state_report(&perfmap->state, &look, &perfmap->parser);
	if (look.status == NT_OK)
		perfmap->known_until = perfmap->seen;
	if (look.status != NT_ERR_TIMEOUT)
		nt_codemap_out_event(out, NT_EV_IDLE, perfmap->seen);
	nt_codemap_out_flush(out);
	if (look.status == NT_ERR_GONE)
		return NT_TIME_UNKNOWN;
	return nt_clock_now() + (look.status == NT_ERR_TIMEOUT ? RETRY_NS : POLL_NS);
}
