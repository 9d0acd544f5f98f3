// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf: CPU samples with call chains, and the mappings and threads that the kernel tells on the way. Each process has events, rings and rounds of its own
 * (perf_watch.h); what comes of all leaves in one outbox, as many records per batch as the caller wants. There is no descriptor to wait on (see perf_list.h): the
 * loop's timer drives it.
 */
#include "source/perf/perf.h"

#include "base/alloc.h"
#include "source/common/sources.h"
#include "source/perf/perf_watch.h"

#include <stdlib.h>

struct perf {
	struct nt_source base;
	const struct nt_source_config *config;
	struct nt_outbox box;
	struct nt_perf_watch **watches; /* owned array of owned ones */
	size_t count, capacity;
	bool began;          /* there was one */
	bool wants_switches; /* somebody looks at waits */
};

static struct perf *self(struct nt_source *source)
{
	return (struct perf *)source;
}

/* What the kernel refuses is found by attaching, and tried again. */
static void perf_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status perf_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct perf *p = nt_alloc(sizeof(*p));
	p->base.ops = &nt_source_perf;
	p->config = config;
	nt_outbox_init(&p->box, NT_SOURCE_PERF);
	*out = &p->base;
	return NT_OK;
}

static enum nt_status perf_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct perf *p = self(source);
	for (size_t i = 0; i < p->count; i++)
		if (p->watches[i]->target->pid == target->pid)
			return nt_error_set(err, NT_ERR_UNSUPPORTED, "process %u is sampled already", target->pid);
	struct nt_perf_watch *watch;
	enum nt_status status = nt_perf_watch_new(p->config, &p->box, target, &watch, err);
	if (status != NT_OK)
		return status;
	p->watches = nt_grow(p->watches, &p->capacity, p->count + 1, sizeof(struct nt_perf_watch *));
	watch->wants_switches = p->wants_switches;
	p->watches[p->count++] = watch;
	p->began = true;
	return NT_OK;
}

static void perf_remove(struct nt_source *source, uint32_t pid)
{
	struct perf *p = self(source);
	for (size_t i = 0; i < p->count; i++) {
		if (p->watches[i]->target->pid != pid)
			continue;
		nt_perf_watch_free(p->watches[i]);
		p->watches[i] = p->watches[--p->count];
		return;
	}
}

static void perf_want(struct nt_source *source, unsigned demand)
{
	struct perf *p = self(source);
	p->wants_switches = demand & NT_WANT_SWITCHES;
	for (size_t i = 0; i < p->count; i++)
		p->watches[i]->wants_switches = p->wants_switches;
}

static void perf_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	(void)closing;
	struct perf *p = self(source);
	for (size_t i = 0; i < p->count; i++)
		nt_perf_watch_tick(p->watches[i], now);
}

bool nt_perf_is_attaching(struct nt_source *source)
{
	struct perf *p = self(source);
	bool any = false;
	for (size_t i = 0; i < p->count; i++)
		any |= nt_perf_watch_is_attaching(p->watches[i]);
	return any;
}

static int perf_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

/* All that there were have ended. */
static bool has_ended(const struct perf *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->watches[i]->phase != NT_PERF_END)
			return false;
	return p->began;
}

static enum nt_status perf_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)err;
	struct perf *p = self(source);
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < p->count; i++)
		nt_perf_watch_go_on(p->watches[i], budget, now);
	*take = nt_outbox_take(&p->box);
	return *take ? NT_OK : has_ended(p) ? NT_END : NT_AGAIN;
}

static nt_time perf_rest(struct nt_source *source)
{
	const struct perf *p = self(source);
	nt_time least = NT_TIME_UNKNOWN;
	for (size_t i = 0; i < p->count; i++) {
		nt_time rest = nt_perf_watch_rest(p->watches[i]);
		least = rest < least ? rest : least;
	}
	return least;
}

static void perf_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void perf_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct perf *p = self(source);
	*out = p->box.stats;
	for (size_t i = 0; i < p->count; i++)
		nt_perf_watch_stats(p->watches[i], out);
}

static void perf_stop(struct nt_source *source)
{
	struct perf *p = self(source);
	p->began = true;
	for (size_t i = 0; i < p->count; i++)
		nt_perf_watch_stop(p->watches[i]);
}

static void perf_close(struct nt_source *source)
{
	struct perf *p = self(source);
	for (size_t i = 0; i < p->count; i++)
		nt_perf_watch_free(p->watches[i]);
	free(p->watches);
	nt_outbox_fini(&p->box);
	free(p);
}

const struct nt_source_ops nt_source_perf = {
	.name = "perf",
	.id = NT_SOURCE_PERF,
	.probe = perf_probe,
	.open = perf_open,
	.add = perf_add,
	.remove = perf_remove,
	.want = perf_want,
	.fd = perf_fd,
	.drain = perf_drain,
	.give_back = perf_give_back,
	.rest = perf_rest,
	.on_tick = perf_on_tick,
	.stats = perf_stats,
	.stop = perf_stop,
	.close = perf_close,
};
