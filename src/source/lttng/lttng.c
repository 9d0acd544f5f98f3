// SPDX-License-Identifier: GPL-2.0-only
/*
 * The LTTng source: a thin shell around the worker thread (lttng_worker.c), because everything in liblttng-ctl and libbabeltrace2 can block. The main
 * thread only gives orders, takes batches and, in the end, cuts what hangs.
 */
#include "source/lttng/lttng.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "source/common/inner_tids.h"
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/lttng/lttng_cost.h"
#include "source/lttng/lttng_probe.h"
#include "source/lttng/lttng_worker.h"
#include "target/process/target.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
	UNDO_MS = 40, /* close(): how long the worker may take before its connections are cut */
	CUTS = 5,     /* and how often, before it is left behind; together under the 100 ms of the contract */
	CUT_MS = 10,
	HANG_MS = 10000, /* a relay that does not answer for so long is replaced */
};

struct lttng_source {
	struct nt_source base;
	struct nt_lttng_link *link;            /* one share is ours */
	const struct nt_source_config *config; /* borrowed */
	uint32_t pids[NT_LTTNG_WATCHED_MAX];   /* of the targets, that have not been removed; none = it is being looked for */
	size_t count;
	pthread_t worker;
	bool started;
	bool failed; /* the worker could not be started */
	bool left;   /* one of several targets was removed */
	struct nt_lttng_cost cost;
};

static struct lttng_source *self(struct nt_source *source)
{
	nt_assert(source->ops == &nt_source_lttng);
	return (struct lttng_source *)source;
}

static enum nt_status lttng_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	struct nt_lttng_link *link = nt_lttng_link_new(config);
	if (!link)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the descriptors of the LTTng source");
	struct lttng_source *source = nt_alloc(sizeof(*source));
	source->base.ops = &nt_source_lttng;
	source->link = link;
	source->config = config;
	*out = &source->base;
	return NT_OK;
}

enum nt_status nt_lttng_open_told(const struct nt_source_config *config, const struct nt_lttng_chosen *chosen, struct nt_source **out,
				  struct nt_lttng_telling **telling, struct nt_error *err)
{
	enum nt_status status = lttng_open(config, out, err);
	if (status == NT_OK)
		*telling = self(*out)->link->telling = nt_lttng_telling_new(chosen, config->no_payload);
	return status;
}

/* Who a target is, or, followed, the process of the command from which it will descend. */
static void describe(struct lttng_source *source, const struct nt_target *target, struct nt_follow *follow)
{
	struct nt_lttng_link *link = source->link;
	link->uid = target->uid;
	nt_lttng_watched_add(&link->watched, target, !follow);
	if (follow)
		link->follow = nt_follow_share(follow);
	else
		source->pids[source->count++] = target->pid;
}

static enum nt_status start_worker(struct lttng_source *source, struct nt_error *err)
{
	struct nt_lttng_link *link = source->link;
	nt_lttng_out_init(&link->out, link->channel, &link->watched);
	link->out.telling = link->telling;
	atomic_fetch_add(&link->owners, 1);
	int error = nt_thread_start(&source->worker, 0, nt_lttng_worker_main, link);
	if (error) {
		nt_lttng_link_drop(link);
		return nt_error_errno(err, NT_ERR_FAILED, error, "cannot start the LTTng thread");
	}
	source->started = true;
	return NT_OK;
}

/* What keeps a process out of a session of several. */
static enum nt_status check_beside(const struct lttng_source *source, const struct nt_target *target, struct nt_error *err)
{
	if (source->started)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "process %u came after the LTTng session of the others had begun",
				    target->pid);
	if (source->count && target->uid != source->link->uid)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "one LTTng session is for the processes of one user, here of uid %u",
				    source->link->uid);
	if (source->count == NT_LTTNG_WATCHED_MAX)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "one LTTng session is for %d processes at most", NT_LTTNG_WATCHED_MAX);
	if (!nt_inner_tids_namespace(target->proc_dir))
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "it is not known of which pid namespace process %u is", target->pid);
	return NT_OK;
}

/* Of several all are to be known before the session is made: with the next tick. */
static enum nt_status lttng_add(struct nt_source *base, const struct nt_target *target, struct nt_error *err)
{
	struct lttng_source *source = self(base);
	bool several = source->config->several;
	if (source->started && !several)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the LTTng source watches one process at a time (now %u)", source->pids[0]);
	enum nt_status status = several ? check_beside(source, target, err) : NT_OK;
	if (status != NT_OK)
		return status;
	describe(source, target, NULL);
	return several ? NT_OK : start_worker(source, err);
}

enum nt_status nt_lttng_open_early(const struct nt_source_config *config, const struct nt_target *command, struct nt_follow *follow,
				   struct nt_source **out, struct nt_error *err)
{
	enum nt_status status = lttng_open(config, out, err);
	if (status != NT_OK)
		return status;
	struct lttng_source *source = self(*out);
	source->link->early = true;
	describe(source, command, follow);
	status = start_worker(source, err);
	if (status != NT_OK)
		nt_source_lttng.close(*out);
	return status;
}

bool nt_lttng_is_ready(struct nt_source *base)
{
	struct nt_lttng_link *link = self(base)->link;
	return atomic_load(&link->traces) || atomic_load(&link->ended);
}

void nt_lttng_target_runs(struct nt_source *base)
{
	atomic_store(&self(base)->link->running_since, nt_clock_now());
}

static void lttng_remove(struct nt_source *base, uint32_t pid)
{
	struct lttng_source *source = self(base);
	for (size_t i = 0; i < source->count; i++) {
		if (source->pids[i] != pid)
			continue;
		source->pids[i] = source->pids[--source->count];
		source->left |= source->config->several;
		if (!source->started)
			nt_lttng_watched_remove(&source->link->watched, i);
		else if (!source->count)
			nt_lttng_link_order(source->link, NT_LTTNG_GIVE_UP);
		return;
	}
}

static void lttng_want(struct nt_source *base, unsigned demand)
{
	struct nt_lttng_link *link = self(base)->link;
	atomic_store(&link->demand, demand);
	nt_lttng_link_order(link, NT_LTTNG_RUN);
}

/* Several are being told to it one by one. */
static bool is_about_to_start(const struct lttng_source *source)
{
	return source->config->several && source->count && !source->failed;
}

static int lttng_fd(struct nt_source *base)
{
	return nt_channel_fd(self(base)->link->channel);
}

/* Of one that was removed the worker still tells, its end too. Its pid may be another one's by now, which is not in this session: check_beside(). */
static bool is_watched(const void *context, const struct nt_event *event)
{
	const struct lttng_source *source = context;
	for (size_t i = 0; i < source->count; i++)
		if (source->pids[i] == event->pid)
			return true;
	return false;
}

static enum nt_status lttng_drain(struct nt_source *base, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* a batch is smaller than any */
	(void)err;
	struct lttng_source *source = self(base);
	/* In this order: what was sent before the end is in the channel by then. */
	bool ended = source->started ? atomic_load(&source->link->ended) : !is_about_to_start(source);
	*take = nt_channel_take_full(source->link->channel);
	if (*take && source->left)
		nt_batch_leave_out(*take, is_watched, source);
	if (*take)
		return NT_OK;
	return ended ? NT_END : NT_AGAIN;
}

static void lttng_give_back(struct nt_source *base, struct nt_batch *batch)
{
	nt_channel_give_back(self(base)->link->channel, batch);
}

/* All of several are known. What keeps the worker from starting keeps it from telling, so it is told here; then the source is over. */
static void start_with_all(struct lttng_source *source)
{
	struct nt_lttng_out *out = &source->link->out;
	struct nt_error err = { 0 };
	char text[2 * NT_ERROR_TEXT];
	if (start_worker(source, &err) == NT_OK)
		return;
	source->failed = true;
	if (nt_lttng_out_room(out))
		nt_lttng_out_state(out, nt_clock_now(), NT_STATE_ABSENT, nt_error_reason(&err, text, sizeof(text)), err.fix);
}

/* A relay that is stopped or stuck holds the worker for ever; cutting makes it start a new one. */
static void lttng_on_tick(struct nt_source *base, nt_time now, bool closing)
{
	(void)closing;
	struct lttng_source *source = self(base);
	struct nt_lttng_link *link = source->link;
	if (!source->started && is_about_to_start(source))
		start_with_all(source);
	nt_time since = atomic_load(&link->viewing_since);
	if (since && now > since && now - since > HANG_MS * NT_NS_PER_MS)
		nt_lttng_link_cut(link);
}

static void lttng_stats(struct nt_source *base, struct nt_source_stats *out)
{
	struct lttng_source *source = self(base);
	struct nt_lttng_link *link = source->link;
	memset(out, 0, sizeof(*out));
	out->last_event = NT_TIME_UNKNOWN;
	if (!source->started)
		return;
	const struct nt_lttng_counters *counters = &link->out.counters;
	out->event_count = atomic_load_explicit(&counters->event_count, memory_order_relaxed);
	out->lost_count = atomic_load_explicit(&counters->lost_count, memory_order_relaxed);
	out->lost_unknown = atomic_load_explicit(&counters->lost_unknown, memory_order_relaxed);
	out->end_missed = atomic_load_explicit(&counters->end_missed, memory_order_relaxed);
	out->last_event = atomic_load_explicit(&counters->last_event, memory_order_relaxed);
	out->price_ns = nt_price_of(NT_PRICE_LTTNG, out->event_count);
	out->cpu_ns = atomic_load_explicit(&link->cpu_ns, memory_order_relaxed);
}

static void lttng_stop(struct nt_source *base)
{
	nt_lttng_link_order(self(base)->link, NT_LTTNG_FINISH);
}

static bool ends_within(struct nt_lttng_link *link, int timeout_ms)
{
	struct pollfd ended = { .fd = link->ended_fd, .events = POLLIN };
	return poll(&ended, 1, timeout_ms) == 1;
}

static void lttng_close(struct nt_source *base)
{
	struct lttng_source *source = self(base);
	struct nt_lttng_link *link = source->link;
	if (source->started) {
		nt_lttng_link_order(link, NT_LTTNG_GIVE_UP);
		bool ended = ends_within(link, UNDO_MS);
		/* Each cut frees one call; to undo what was made takes several. */
		for (int i = 0; i < CUTS && !ended; i++) {
			nt_lttng_link_cut(link);
			ended = ends_within(link, CUT_MS);
		}
		if (ended) {
			pthread_join(source->worker, NULL);
		} else {
			nt_lttng_link_abandon(link);
			pthread_detach(source->worker);
		}
	}
	nt_lttng_link_drop(link);
	free(source);
}

uint64_t nt_lttng_daemons_cpu_ns(struct nt_source *base, bool *known)
{
	struct lttng_source *source = self(base);
	nt_lttng_cost_read(&source->cost, source->link);
	*known = source->cost.known;
	return source->cost.total_ns;
}

const struct nt_source_ops nt_source_lttng = {
	.name = "lttng",
	.id = NT_SOURCE_LTTNG,
	.probe = nt_lttng_probe,
	.open = lttng_open,
	.add = lttng_add,
	.remove = lttng_remove,
	.want = lttng_want,
	.fd = lttng_fd,
	.drain = lttng_drain,
	.give_back = lttng_give_back,
	.on_tick = lttng_on_tick,
	.stats = lttng_stats,
	.stop = lttng_stop,
	.close = lttng_close,
};
