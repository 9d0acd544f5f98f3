// SPDX-License-Identifier: GPL-2.0-only
/* Room source/procfs: what the kernel counts. */
/*
 * procfs: what /proc says about the targets, at the end of each interval and once a second: CPU time and memory of each process, state and CPU time of
 * its threads, and its end. Always available; the first frame stands on it. Intervals do not wait for it: its values are readings, not events in time.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/procfs/procfs_process.h"
#include "target/process/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	PROCESSES = 256, /* at a time: each has its open files */
	STEP_US = 1000,  /* threads per tick, in time; of all processes */
};

struct procfs {
	struct nt_source base;
	const struct nt_source_config *config; /* borrowed */
	struct nt_outbox box;
	struct nt_procfs_machine machine;
	struct nt_procfs_process *processes[PROCESSES]; /* owned */
	size_t process_count;
	unsigned demand; /* what is wanted of each */
	bool spoke;      /* a process was added */
	bool saw_an_end; /* of a process; when there is no other, nothing will come */
	bool stopped;
};

static struct procfs *self(struct nt_source *source)
{
	return (struct procfs *)source;
}

static void procfs_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status procfs_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct procfs *p = nt_alloc(sizeof(*p));
	p->config = config;
	p->base.ops = &nt_source_procfs;
	nt_outbox_init(&p->box, NT_SOURCE_PROCFS);
	*out = &p->base;
	return NT_OK;
}

static size_t place_of(const struct procfs *p, uint32_t pid)
{
	size_t i = 0;
	while (i < p->process_count && nt_procfs_process_pid(p->processes[i]) != pid)
		i++;
	return i;
}

static void drop(struct procfs *p, size_t place)
{
	nt_procfs_process_free(p->processes[place]);
	p->process_count--;
	memmove(&p->processes[place], &p->processes[place + 1], (p->process_count - place) * sizeof(p->processes[0]));
}

static enum nt_status procfs_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct procfs *p = self(source);
	if (place_of(p, target->pid) < p->process_count)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "process %u is watched already", target->pid);
	if (p->process_count == PROCESSES)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "no more than %d processes are watched at a time", PROCESSES);
	struct nt_procfs_process *process;
	enum nt_status status = nt_procfs_process_new(target, p->config, &p->box, !p->spoke && !p->config->several, &process, err);
	if (status != NT_OK)
		return status;
	p->spoke = true;
	if (process) {
		nt_procfs_process_want(process, p->demand);
		if (p->config->several)
			nt_procfs_process_share(process, &p->machine);
		p->processes[p->process_count++] = process;
	}
	p->saw_an_end |= !process;
	return NT_OK;
}

static void procfs_remove(struct nt_source *source, uint32_t pid)
{
	struct procfs *p = self(source);
	size_t place = place_of(p, pid);
	if (place < p->process_count)
		drop(p, place);
}

static void procfs_want(struct nt_source *source, unsigned demand)
{
	struct procfs *p = self(source);
	p->demand = demand;
	for (size_t i = 0; i < p->process_count; i++)
		nt_procfs_process_want(p->processes[i], demand);
}

static int procfs_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

static void procfs_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct procfs *p = self(source);
	if (p->stopped || !p->process_count)
		return;
	nt_time step_ns = STEP_US * NT_NS_PER_US / p->process_count;
	for (size_t i = 0; i < p->process_count;) {
		if (nt_procfs_process_tick(p->processes[i], now, step_ns, closing)) {
			i++;
			continue;
		}
		drop(p, i);
		p->saw_an_end = true;
	}
}

static enum nt_status procfs_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* bounded by the time budget of a tick */
	(void)err;
	struct procfs *p = self(source);
	bool over = p->stopped || (p->saw_an_end && !p->process_count);
	*take = nt_outbox_take(&p->box);
	return *take ? NT_OK : over ? NT_END : NT_AGAIN;
}

static void procfs_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void procfs_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct procfs *p = self(source);
	*out = p->box.stats;
	for (size_t i = 0; i < p->process_count; i++)
		nt_procfs_process_cost(p->processes[i], out);
}

static void procfs_stop(struct nt_source *source)
{
	struct procfs *p = self(source);
	for (size_t i = 0; i < p->process_count && !p->stopped; i++)
		nt_procfs_process_stop(p->processes[i]);
	p->stopped = true;
}

static void procfs_close(struct nt_source *source)
{
	struct procfs *p = self(source);
	while (p->process_count)
		drop(p, p->process_count - 1);
	nt_procfs_machine_fini(&p->machine);
	nt_outbox_fini(&p->box);
	free(p);
}

const struct nt_source_ops nt_source_procfs = {
	.name = "procfs",
	.id = NT_SOURCE_PROCFS,
	.probe = procfs_probe,
	.open = procfs_open,
	.add = procfs_add,
	.remove = procfs_remove,
	.want = procfs_want,
	.fd = procfs_fd,
	.drain = procfs_drain,
	.give_back = procfs_give_back,
	.on_tick = procfs_on_tick,
	.stats = procfs_stats,
	.stop = procfs_stop,
	.close = procfs_close,
};
