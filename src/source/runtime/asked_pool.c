// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/asked_pool.h"

#include "nettop/clock.h"

bool nt_asked_pool_ask(struct nt_asked_pool *pool, struct nt_reader *reader, nt_time now)
{
	if (pool->open)
		return true;
	pool->open = true;
	pool->asked = now;
	return nt_reader_pool(reader);
}

static void tell(const struct nt_asked_pool *pool, nt_time now, uint32_t pid, struct nt_outbox *box)
{
	const struct nt_reader_pooled *last = &pool->last;
	if (!last->known)
		return;
	struct nt_event *event = nt_outbox_add(box, NT_EV_POOL_COUNTS, now, pid, 0);
	event->u.pool_counts = (struct nt_ev_pool_counts){ .queued_count = last->queued,
							   .working_count = last->working,
							   .existing_count = last->existing,
							   .goal_count = last->goal,
							   .min_count = last->min,
							   .max_count = last->max,
							   .queued_known = last->queued_known };
}

void nt_asked_pool_take(struct nt_asked_pool *pool, const struct nt_reader_pooled *pooled, uint32_t pid, struct nt_outbox *box)
{
	if (!pool->open) /* it was not asked */
		return;
	pool->open = false;
	pool->last = *pooled;
	tell(pool, nt_clock_now(), pid, box);
}

void nt_asked_pool_again(const struct nt_asked_pool *pool, nt_time now, uint32_t pid, struct nt_outbox *box)
{
	if (!pool->open)
		tell(pool, now, pid, box);
}

void nt_asked_pool_forget(struct nt_asked_pool *pool)
{
	*pool = (struct nt_asked_pool){ 0 };
}
