// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_tap.h"

#include "base/alloc.h"
#include "source/common/sources.h"
#include "source/lttng/lttng.h"

#include <stdlib.h>

enum { BATCH_BUDGET = 1000 };

struct nt_lttng_tap {
	struct nt_source *source; /* owned */
	struct nt_lttng_telling *telling;
	struct nt_lttng_told_sink sink;
	struct nt_lttng_telling_state state;
};

enum nt_status nt_lttng_tap_open(const struct nt_target *target, const struct nt_source_config *config,
				 const struct nt_lttng_chosen *chosen, const struct nt_lttng_told_sink *sink, struct nt_lttng_tap **out,
				 struct nt_error *err)
{
	struct nt_lttng_tap *tap = nt_alloc(sizeof(*tap));
	tap->sink = *sink;
	enum nt_status status = nt_lttng_open_told(config, chosen, &tap->source, &tap->telling, err);
	if (status == NT_OK)
		status = nt_source_lttng.add(tap->source, target, err);
	if (status == NT_OK)
		*out = tap;
	else
		nt_lttng_tap_close(tap);
	return status;
}

/* What the batches say of the source is known already. */
static enum nt_status pass_batches(struct nt_lttng_tap *tap, struct nt_error *err)
{
	struct nt_batch *batch = NULL;
	enum nt_status status;
	while ((status = nt_source_lttng.drain(tap->source, BATCH_BUDGET, &batch, err)) == NT_OK)
		nt_source_lttng.give_back(tap->source, batch);
	return status;
}

enum nt_status nt_lttng_tap_advance(struct nt_lttng_tap *tap, nt_time now, struct nt_error *err)
{
	/* In this order: an end is seen before what was told until then is taken. */
	enum nt_status status = pass_batches(tap, err);
	nt_source_lttng.on_tick(tap->source, now, false);
	nt_lttng_telling_look(tap->telling, &tap->state);
	nt_lttng_telling_take(tap->telling, &tap->sink);
	if (status != NT_END || tap->state.state == NT_STATE_ENDED)
		return status;
	nt_error_set(err, tap->state.state == NT_STATE_FORBIDDEN ? NT_ERR_FORBIDDEN : NT_ERR_ABSENT, "%s", tap->state.reason);
	nt_error_set_fix(err, tap->state.fix);
	return tap->state.state == NT_STATE_FORBIDDEN ? NT_ERR_FORBIDDEN : NT_ERR_ABSENT;
}

bool nt_lttng_tap_began(const struct nt_lttng_tap *tap)
{
	return tap->state.began;
}

const char *nt_lttng_tap_says(const struct nt_lttng_tap *tap)
{
	return tap->state.reason;
}

void nt_lttng_tap_stop(struct nt_lttng_tap *tap)
{
	nt_source_lttng.stop(tap->source);
}

int nt_lttng_tap_fd(const struct nt_lttng_tap *tap)
{
	return nt_source_lttng.fd(tap->source);
}

static struct nt_source_stats stats_of(const struct nt_lttng_tap *tap)
{
	struct nt_source_stats stats;
	nt_source_lttng.stats(tap->source, &stats);
	return stats;
}

uint64_t nt_lttng_tap_came(const struct nt_lttng_tap *tap)
{
	return stats_of(tap).event_count;
}

uint64_t nt_lttng_tap_lost(const struct nt_lttng_tap *tap)
{
	return stats_of(tap).lost_count;
}

uint64_t nt_lttng_tap_price_ns(const struct nt_lttng_tap *tap)
{
	return stats_of(tap).price_ns;
}

void nt_lttng_tap_close(struct nt_lttng_tap *tap)
{
	if (!tap)
		return;
	if (tap->source)
		nt_source_lttng.close(tap->source);
	free(tap);
}
