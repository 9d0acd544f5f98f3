// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_opening.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "source/perf/perf_refusal.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum progress { RUNNING, DONE, ABANDONED };

struct nt_perf_opening {
	pthread_t thread;
	struct nt_perf_target target; /* proc_dir is owned */
	struct nt_perf_wish wish;
	/* The result belongs to the thread until DONE, then to the main thread; who finds the other one's mark frees all. */
	atomic_int progress;
	struct nt_perf_attach *attach;
	enum nt_status status;
	struct nt_error err;
};

int nt_perf_opening_try(uint32_t pid, const char *proc_dir, const struct nt_perf_wish *wish, struct nt_perf_features *out)
{
	struct nt_tids tids = { 0 };
	int error = nt_tids_list(&tids, proc_dir);
	if (!error && !tids.count)
		error = ESRCH;
	if (!error) {
		/* The leader lives longest, unless it has left its threads alone. */
		pid_t leader = (pid_t)pid;
		error = nt_perf_features_try((uint32_t)(nt_tids_contains(&tids, leader) ? leader : tids.tids[0]), wish, out);
	}
	nt_tids_fini(&tids);
	return error;
}

static void opening_free(struct nt_perf_opening *opening)
{
	free(opening->target.proc_dir);
	free(opening);
}

static void result_free(struct nt_perf_opening *opening)
{
	nt_perf_attach_free(opening->attach);
	opening_free(opening);
}

/*
 * A thousand runnable threads leave a newcomer a thousandth of the CPU, and attaching gives it up at each step: without precedence it took over 5 s,
 * with it half a second. It is some ms of work. Only root may, for others nothing changes. (On Linux this is the calling thread alone.)
 */
static void take_precedence(void)
{
	setpriority(PRIO_PROCESS, 0, -20);
}

static void *open_all(void *argument)
{
	struct nt_perf_opening *opening = argument;
	take_precedence();
	struct nt_perf_features features;
	const struct nt_perf_target *target = &opening->target;
	int error = nt_perf_opening_try(target->pid, target->proc_dir, &opening->wish, &features);
	if (error && error != ESRCH && opening->wish.several)
		opening->status = nt_perf_refusal_several(error, &opening->err);
	else if (error)
		opening->status = nt_perf_refusal_error(target->pid, target->uid, error, 0, &opening->err);
	else
		opening->status = nt_perf_attach_new(target, &features, &opening->attach, &opening->err);
	if (atomic_exchange(&opening->progress, DONE) == ABANDONED)
		result_free(opening);
	return NULL;
}

enum nt_status nt_perf_opening_start(const struct nt_target *target, const struct nt_perf_wish *wish, struct nt_perf_opening **out,
				     struct nt_error *err)
{
	struct nt_perf_opening *opening = nt_alloc(sizeof(*opening));
	opening->target = (struct nt_perf_target){ target->pid, target->ns_pid, target->uid, nt_strdup(target->proc_dir) };
	opening->wish = *wish;
	atomic_init(&opening->progress, RUNNING);
	int error = nt_thread_start(&opening->thread, 0, open_all, opening);
	if (error) {
		opening_free(opening);
		return nt_error_errno(err, NT_ERR_FAILED, error, "cannot start a thread");
	}
	*out = opening;
	return NT_OK;
}

enum nt_status nt_perf_opening_poll(struct nt_perf_opening **opening, struct nt_perf_attach **attach, struct nt_error *err)
{
	struct nt_perf_opening *done = *opening;
	if (atomic_load(&done->progress) == RUNNING)
		return NT_AGAIN;
	pthread_join(done->thread, NULL);
	enum nt_status status = done->status;
	*attach = done->attach;
	if (err && status != NT_OK)
		*err = done->err;
	opening_free(done);
	*opening = NULL;
	return status;
}

void nt_perf_opening_abandon(struct nt_perf_opening *opening)
{
	if (!opening)
		return;
	pthread_detach(opening->thread);
	if (atomic_exchange(&opening->progress, ABANDONED) == DONE)
		result_free(opening);
}

static void *close_all(void *argument)
{
	take_precedence();
	nt_perf_attach_free(argument);
	return NULL;
}

void nt_perf_attach_close(struct nt_perf_attach *attach, unsigned wait_ms)
{
	pthread_t thread;
	if (!attach)
		return;
	if (nt_thread_start(&thread, 0, close_all, attach) != 0) {
		nt_perf_attach_free(attach);
		return;
	}
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_nsec += (long)wait_ms * 1000000;
	deadline.tv_sec += deadline.tv_nsec / 1000000000;
	deadline.tv_nsec %= 1000000000;
	if (pthread_timedjoin_np(thread, NULL, &deadline) != 0)
		pthread_detach(thread);
}
