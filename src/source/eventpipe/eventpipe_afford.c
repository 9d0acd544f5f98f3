// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_afford.h"

enum { FIRST_WITH_ITEMS = 8 };

static unsigned within(struct nt_eventpipe_limit *limit, uint64_t price_ns, uint32_t pid, unsigned most_pct, unsigned demand, unsigned of,
		       nt_time now)
{
	if (!(demand & of)) {
		*limit = (struct nt_eventpipe_limit){ 0 };
		return demand;
	}
	bool dear = nt_eventpipe_limit_is_over(limit, price_ns, pid, most_pct, now);
	return dear ? demand & ~of : demand;
}

unsigned nt_eventpipe_afford_of(struct nt_eventpipe_afford *afford, const struct nt_eventpipe_events *events, unsigned most_pct,
				unsigned demand, nt_time now)
{
	demand = within(&afford->requests, events->request_price_ns, events->pid, most_pct, demand, NT_WANT_EACH_REQUEST, now);
	return within(&afford->items, events->item_price_ns, events->pid, most_pct, demand, NT_WANT_POOL_ITEMS, now);
}

unsigned nt_eventpipe_afford_dear(const struct nt_eventpipe_afford *afford)
{
	return (afford->requests.dear_pct > 0 ? NT_WANT_EACH_REQUEST : 0u) | (afford->items.dear_pct > 0 ? NT_WANT_POOL_ITEMS : 0u);
}

/* `unless`: why this target has none; NULL = it may have some. */
static void tell(const struct nt_eventpipe_limit *limit, const char *what, const char *unless, struct nt_outbox *box, nt_str *reason,
		 nt_str *fix)
{
	struct nt_probe told;
	if (unless)
		*reason = nt_outbox_str(box, unless);
	if (limit->dear_pct <= 0)
		return;
	nt_eventpipe_limit_tell(limit, what, &told);
	*reason = nt_outbox_str(box, told.reason);
	*fix = nt_outbox_str(box, told.fix);
}

void nt_eventpipe_afford_tell(const struct nt_eventpipe_afford *afford, unsigned never, unsigned major, struct nt_outbox *box,
			      struct nt_ev_source_state *said)
{
	static const char no_requests[] =
		"the members of a request that would be told are not there where a program was compiled ahead of time";
	static const char no_items[] = "work items are not told where a program was compiled ahead of time";
	static const char too_old[] = "work items are told from .NET 8 on";
	tell(&afford->requests, "single requests", never & NT_WANT_SINGLE_REQUESTS ? no_requests : NULL, box, &said->requests_reason,
	     &said->requests_fix);
	tell(&afford->items, "work items",
	     never & NT_WANT_POOL_ITEMS          ? no_items
	     : major && major < FIRST_WITH_ITEMS ? too_old
						 : NULL,
	     box, &said->items_reason, &said->items_fix);
}
