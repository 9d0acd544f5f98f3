// SPDX-License-Identifier: GPL-2.0-only
/* Room source/codemap: what lies at an address. */
/*
 * The code map source "map": what address means what. It reads a target's perf map, its executable mappings and, when asked, the symbols of its
 * images and of the kernel; it gives CODE, MAP, NAME and IDLE events. This file is the main thread's side of it: everything is read by a worker, one for
 * each process, because a file of the target can block for ever.
 */
#include "base/alloc.h"
#include "source/codemap/codemap_worker.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "target/process/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

struct codemap {
	struct nt_source source;
	const struct nt_source_config *config;
	struct nt_codemap_worker **workers; /* owned array of owned ones */
	size_t count, capacity;
	size_t next; /* whose batch is taken first */
	int epoll;   /* owned: workers whose batches wait */
	bool asked;  /* somebody has said what is wanted: */
	unsigned demand;
	bool began; /* there was a process */
	bool stopped;
	struct nt_source_stats stats;
};

static struct codemap *self(struct nt_source *source)
{
	return (struct codemap *)source;
}

static void codemap_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	/* Mappings and native names are there for every process; whether there is a perf map is looked at by the worker, because that may block. */
	memset(out, 0, sizeof(*out));
	out->result = NT_PROBE_AVAILABLE;
}

static enum nt_status codemap_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no descriptor for the code map");
	struct codemap *codemap = nt_alloc(sizeof(*codemap));
	*codemap = (struct codemap){ .source.ops = &nt_source_codemap, .config = config, .epoll = epoll };
	codemap->stats.last_event = NT_TIME_UNKNOWN;
	*out = &codemap->source;
	return NT_OK;
}

/* The place of a process; `count` = it is not watched. */
static size_t place_of(const struct codemap *codemap, uint32_t pid)
{
	size_t i = 0;
	while (i < codemap->count && nt_codemap_worker_pid(codemap->workers[i]) != pid)
		i++;
	return i;
}

static enum nt_status codemap_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct codemap *codemap = self(source);
	if (codemap->stopped || place_of(codemap, target->pid) < codemap->count)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the code map of process %u is %s already", target->pid,
				    codemap->stopped ? "stopped" : "read");
	struct nt_codemap_worker *worker;
	enum nt_status status = nt_codemap_worker_new(target, codemap->config, &worker, err);
	if (status != NT_OK)
		return status;
	struct epoll_event event = { .events = EPOLLIN };
	epoll_ctl(codemap->epoll, EPOLL_CTL_ADD, nt_codemap_worker_fd(worker), &event);
	if (codemap->asked)
		nt_codemap_worker_need(worker, codemap->demand & NT_WANT_PERF_MAP);
	codemap->workers = nt_grow(codemap->workers, &codemap->capacity, codemap->count + 1, sizeof(struct nt_codemap_worker *));
	codemap->workers[codemap->count++] = worker;
	codemap->began = true;
	return NT_OK;
}

static void codemap_stop(struct nt_source *source)
{
	struct codemap *codemap = self(source);
	codemap->stopped = true;
	for (size_t i = 0; i < codemap->count; i++)
		nt_codemap_worker_stop(codemap->workers[i]);
}

/* Add what it has taken. */
static void add_cpu(const struct nt_codemap_worker *worker, struct nt_source_stats *stats)
{
	stats->cpu_ns += nt_codemap_worker_cpu_ns(worker);
	stats->helper_cpu_ns += nt_codemap_worker_decoder_cpu_ns(worker);
}

static void codemap_remove(struct nt_source *source, uint32_t pid)
{
	struct codemap *codemap = self(source);
	size_t place = place_of(codemap, pid);
	if (place == codemap->count)
		return;
	add_cpu(codemap->workers[place], &codemap->stats);
	nt_codemap_worker_free(codemap->workers[place]);
	codemap->workers[place] = codemap->workers[--codemap->count];
}

static void codemap_want(struct nt_source *source, unsigned demand)
{
	struct codemap *codemap = self(source);
	codemap->asked = true;
	codemap->demand = demand;
	for (size_t i = 0; i < codemap->count; i++)
		nt_codemap_worker_need(codemap->workers[i], demand & NT_WANT_PERF_MAP);
}

static int codemap_fd(struct nt_source *source)
{
	return self(source)->epoll;
}

static bool have_ended(const struct codemap *codemap)
{
	for (size_t i = 0; i < codemap->count; i++)
		if (!nt_codemap_worker_ended(codemap->workers[i]))
			return false;
	return codemap->began || codemap->stopped;
}

/* A large map of one process does not keep the others waiting. */
static struct nt_batch *take_next(struct codemap *codemap)
{
	for (size_t i = 0; i < codemap->count; i++) {
		size_t place = (codemap->next + i) % codemap->count;
		struct nt_batch *batch = nt_codemap_worker_take(codemap->workers[place]);
		codemap->next = batch ? place + 1 : codemap->next;
		if (batch)
			return batch;
	}
	return NULL;
}

static enum nt_status codemap_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* no batch is larger than what a worker puts into one */
	(void)err;
	struct codemap *codemap = self(source);
	/* Asked first: a worker that had ended before the look sends nothing after it. */
	bool ended = have_ended(codemap);
	struct nt_batch *batch = take_next(codemap);
	if (!batch)
		return ended ? NT_END : NT_AGAIN;
	nt_source_stats_add(&codemap->stats, batch);
	*take = batch;
	return NT_OK;
}

static void codemap_give_back(struct nt_source *source, struct nt_batch *batch)
{
	struct codemap *codemap = self(source);
	size_t place = place_of(codemap, batch->pid);
	if (place < codemap->count)
		nt_codemap_worker_give_back(codemap->workers[place], batch);
	else
		nt_batch_free(batch); /* its worker is gone */
}

static size_t codemap_ask(struct nt_source *source, const struct nt_question *questions, size_t question_count)
{
	struct codemap *codemap = self(source);
	size_t taken = 0;
	for (size_t i = 0; i < codemap->count; i++)
		taken += nt_codemap_worker_ask(codemap->workers[i], questions, question_count);
	return taken;
}

static void codemap_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct codemap *codemap = self(source);
	*out = codemap->stats;
	for (size_t i = 0; i < codemap->count; i++) {
		add_cpu(codemap->workers[i], out);
		out->helper_bytes += nt_codemap_worker_decoder_bytes(codemap->workers[i]);
	}
}

static void codemap_close(struct nt_source *source)
{
	struct codemap *codemap = self(source);
	for (size_t i = 0; i < codemap->count; i++)
		nt_codemap_worker_free(codemap->workers[i]);
	free(codemap->workers);
	close(codemap->epoll);
	free(codemap);
}

const struct nt_source_ops nt_source_codemap = {
	.name = "map",
	.id = NT_SOURCE_CODEMAP,
	.probe = codemap_probe,
	.open = codemap_open,
	.add = codemap_add,
	.remove = codemap_remove,
	.want = codemap_want,
	.fd = codemap_fd,
	.drain = codemap_drain,
	.give_back = codemap_give_back,
	.ask = codemap_ask,
	.stats = codemap_stats,
	.stop = codemap_stop,
	.close = codemap_close,
};
