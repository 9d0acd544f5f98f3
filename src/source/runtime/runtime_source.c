// SPDX-License-Identifier: GPL-2.0-only
/* Room source/runtime: where threads wait and what generated code is called, seen from outside. */
/*
 * The source "runtime": looks at the targets' threads, while somebody wants it, and tells where those are that do not run. Nothing is asked of a target: the kernel says which threads have run
 * and what system call they are in, the reader (source/contract) what the runtime's data in the target's memory says of their call stacks, and of the thread pool. Asked what code is called that nothing else names, it has the
 * reader look that up, too. Each process has a reader of its own (runtime_watch.h); what comes of all leaves in one outbox.
 */
#include "nettop/source.h"
#include "nettop/stacks.h"

#include "base/alloc.h"
#include "source/common/moment.h"
#include "source/common/sources.h"
#include "source/contract/contract_reader.h"
#include "source/runtime/runtime_watch.h"
#include "target/process/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct runtime {
	struct nt_source base;
	struct nt_runtime_common common;
	struct nt_runtime_watch **watches; /* owned array of owned ones */
	size_t count, capacity;
	unsigned demand;  /* of each process */
	uint64_t left_ns; /* CPU time of the readers of processes that are watched no more */
	bool stopping;
};

static struct runtime *self(struct nt_source *source)
{
	return (struct runtime *)source;
}

static void runtime_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	if (target->is_dotnet && nt_target_runtime_major(target) >= NT_RUNTIME_NAMED_MAJOR)
		return;
	out->result = NT_PROBE_ABSENT;
	snprintf(out->reason, sizeof(out->reason), "%s",
		 !target->is_dotnet ? "no runtime with a JIT: its data are not described"
		 : target->runtime  ? NT_NO_STACKS_DESCRIBED
				   : "it is not known which version of the runtime this is, and call stacks are described from .NET 10 on");
}

static enum nt_status runtime_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no descriptor for looks at threads");
	struct runtime *runtime = nt_alloc(sizeof(*runtime));
	runtime->base.ops = &nt_source_runtime;
	runtime->common.epoll = epoll;
	runtime->common.interval_ns = config->interval_ns;
	runtime->common.native = config->native_stacks;
	runtime->common.readonly = config->readonly;
	runtime->common.proc_root = nt_strdup(config->proc_root);
	runtime->common.as_moments = config->all_time;
	runtime->common.moment = NT_TIME_BLOCKED;
	for (size_t i = 0; i < config->moment_count; i++) {
		if (config->moments[i].sort != NT_MOMENT_WAIT)
			continue;
		runtime->common.as_moments = true;
		runtime->common.moment = (uint32_t)i;
	}
	nt_outbox_init(&runtime->common.box, NT_SOURCE_RUNTIME);
	*out = &runtime->base;
	return NT_OK;
}

/* The place of a process; `count` = it is not watched. */
static size_t place_of(const struct runtime *runtime, uint32_t pid)
{
	size_t i = 0;
	while (i < runtime->count && nt_runtime_watch_pid(runtime->watches[i]) != pid)
		i++;
	return i;
}

static enum nt_status runtime_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct runtime *runtime = self(source);
	if (place_of(runtime, target->pid) < runtime->count)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "threads of process %u are looked at already", target->pid);
	struct nt_runtime_watch *watch = nt_runtime_watch_new(&runtime->common, target);
	nt_runtime_watch_want(watch, runtime->demand);
	runtime->watches = nt_grow(runtime->watches, &runtime->capacity, runtime->count + 1, sizeof(struct nt_runtime_watch *));
	runtime->watches[runtime->count++] = watch;
	return NT_OK;
}

static void runtime_remove(struct nt_source *source, uint32_t pid)
{
	struct runtime *runtime = self(source);
	size_t place = place_of(runtime, pid);
	if (place == runtime->count)
		return;
	struct nt_source_stats left = { 0 };
	nt_runtime_watch_cost(runtime->watches[place], &left);
	runtime->left_ns += left.cpu_ns + left.helper_cpu_ns;
	nt_runtime_watch_free(runtime->watches[place]);
	runtime->watches[place] = runtime->watches[--runtime->count];
}

static void runtime_want(struct nt_source *source, unsigned demand)
{
	struct runtime *runtime = self(source);
	runtime->demand = demand;
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_want(runtime->watches[i], demand);
}

static void runtime_pace(struct nt_source *source, nt_time interval_ns)
{
	self(source)->common.interval_ns = interval_ns;
}

static int runtime_fd(struct nt_source *source)
{
	return self(source)->common.epoll;
}

static size_t runtime_ask(struct nt_source *source, const struct nt_question *questions, size_t count)
{
	struct runtime *runtime = self(source);
	size_t taken = 0;
	for (size_t i = 0; i < runtime->count; i++)
		taken += nt_runtime_watch_ask(runtime->watches[i], questions, count);
	return taken;
}

static void runtime_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct runtime *runtime = self(source);
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_tick(runtime->watches[i], now, closing);
}

static bool has_stopped(const struct runtime *runtime)
{
	for (size_t i = 0; i < runtime->count; i++)
		if (!nt_runtime_watch_has_stopped(runtime->watches[i]))
			return false;
	return runtime->stopping;
}

static enum nt_status runtime_drain(struct nt_source *source, unsigned budget, struct nt_batch **taken, struct nt_error *err)
{
	struct runtime *runtime = self(source);
	(void)err;
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_go_on(runtime->watches[i], budget);
	*taken = nt_outbox_take(&runtime->common.box);
	return *taken ? NT_OK : has_stopped(runtime) ? NT_END : NT_AGAIN;
}

static void runtime_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->common.box, batch);
}

static nt_time runtime_rest(struct nt_source *source)
{
	const struct runtime *runtime = self(source);
	nt_time least = NT_TIME_UNKNOWN;
	for (size_t i = 0; i < runtime->count; i++) {
		nt_time rest = nt_runtime_watch_rest(runtime->watches[i]);
		least = rest < least ? rest : least;
	}
	return least;
}

static void runtime_stats(struct nt_source *source, struct nt_source_stats *out)
{
	const struct runtime *runtime = self(source);
	*out = runtime->common.box.stats;
	out->helper_cpu_ns = runtime->left_ns;
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_cost(runtime->watches[i], out);
}

static void runtime_stop(struct nt_source *source)
{
	struct runtime *runtime = self(source);
	runtime->stopping = true;
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_stop(runtime->watches[i]);
}

static void runtime_close(struct nt_source *source)
{
	struct runtime *runtime = self(source);
	for (size_t i = 0; i < runtime->count; i++)
		nt_runtime_watch_free(runtime->watches[i]);
	free(runtime->watches);
	nt_outbox_fini(&runtime->common.box);
	close(runtime->common.epoll);
	free(runtime->common.proc_root);
	free(runtime);
}

const struct nt_source_ops nt_source_runtime = {
	.name = "runtime",
	.id = NT_SOURCE_RUNTIME,
	.probe = runtime_probe,
	.open = runtime_open,
	.add = runtime_add,
	.remove = runtime_remove,
	.want = runtime_want,
	.pace = runtime_pace,
	.fd = runtime_fd,
	.ask = runtime_ask,
	.drain = runtime_drain,
	.give_back = runtime_give_back,
	.rest = runtime_rest,
	.on_tick = runtime_on_tick,
	.stats = runtime_stats,
	.stop = runtime_stop,
	.close = runtime_close,
};
