// SPDX-License-Identifier: GPL-2.0-only
/* Room source/codemap: what lies at an address. */
/*
 * The code map source "map": what address means what. It reads the target's perf map, its executable mappings and, when asked, the symbols of its
 * images and of the kernel; it gives CODE, MAP, NAME and IDLE events. This file is the main thread's side of it: everything is read by a worker,
 * because a file of the target can block for ever.
 */
#include "base/alloc.h"
#include "source/codemap/codemap_worker.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "target/process/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Batches in flight; each is small (codemap_out.c). */
enum { CHANNEL_BATCHES = 4 };

struct codemap {
	struct nt_source source;
	const struct nt_source_config *config;
	struct nt_channel *channel;
	struct nt_codemap_inbox *inbox;
	struct nt_codemap_worker *worker; /* NULL until a process is added */
	uint32_t pid;
	bool stopped;
	struct nt_source_stats stats;
};

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
	struct nt_channel *channel = nt_channel_new(NT_SOURCE_CODEMAP, CHANNEL_BATCHES);
	if (!channel)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no descriptor for the code map");
	struct codemap *codemap = nt_alloc(sizeof(*codemap));
	*codemap = (struct codemap){ .source.ops = &nt_source_codemap, .config = config, .channel = channel };
	codemap->inbox = nt_codemap_inbox_new();
	codemap->stats.last_event = NT_TIME_UNKNOWN;
	*out = &codemap->source;
	return NT_OK;
}

static enum nt_status codemap_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct codemap *codemap = (struct codemap *)source;
	if (codemap->worker || codemap->stopped)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the code map watches one process at a time");
	codemap->pid = target->pid;
	return nt_codemap_worker_new(target, codemap->config, codemap->channel, codemap->inbox, &codemap->worker, err);
}

static void codemap_stop(struct nt_source *source)
{
	struct codemap *codemap = (struct codemap *)source;
	codemap->stopped = true;
	nt_codemap_inbox_stop(codemap->inbox);
}

static void codemap_remove(struct nt_source *source, uint32_t pid)
{
	if (((struct codemap *)source)->pid == pid)
		codemap_stop(source);
}

static void codemap_want(struct nt_source *source, unsigned demand)
{
	nt_codemap_inbox_need(((struct codemap *)source)->inbox, demand & NT_WANT_PERF_MAP);
}

static int codemap_fd(struct nt_source *source)
{
	return nt_channel_fd(((struct codemap *)source)->channel);
}

static enum nt_status codemap_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* no batch is larger than what the worker puts into one */
	(void)err;
	struct codemap *codemap = (struct codemap *)source;
	/* Asked first: a worker that had ended before the look sends nothing after it. */
	bool ended = codemap->worker ? nt_codemap_worker_ended(codemap->worker) : codemap->stopped;
	struct nt_batch *batch = nt_channel_take_full(codemap->channel);
	if (!batch)
		return ended ? NT_END : NT_AGAIN;
	nt_source_stats_add(&codemap->stats, batch);
	*take = batch;
	return NT_OK;
}

static void codemap_give_back(struct nt_source *source, struct nt_batch *batch)
{
	struct codemap *codemap = (struct codemap *)source;
	nt_channel_give_back(codemap->channel, batch);
	nt_codemap_inbox_poke(codemap->inbox);
}

static size_t codemap_ask(struct nt_source *source, const struct nt_question *questions, size_t question_count)
{
	return nt_codemap_inbox_ask(((struct codemap *)source)->inbox, questions, question_count);
}

static void codemap_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct codemap *codemap = (struct codemap *)source;
	*out = codemap->stats;
	if (!codemap->worker)
		return;
	out->cpu_ns = nt_codemap_worker_cpu_ns(codemap->worker);
	out->helper_cpu_ns = nt_codemap_worker_decoder_cpu_ns(codemap->worker);
	out->helper_bytes = nt_codemap_worker_decoder_bytes(codemap->worker);
}

static void codemap_close(struct nt_source *source)
{
	struct codemap *codemap = (struct codemap *)source;
	nt_codemap_worker_free(codemap->worker);
	nt_codemap_inbox_free(codemap->inbox);
	nt_channel_free(codemap->channel);
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
