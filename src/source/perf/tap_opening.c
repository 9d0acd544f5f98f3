// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/tap_opening.h"

#include "base/alloc.h"
#include "base/descriptors.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RING_MOST = 2 << 20, RINGS_BYTES = 64 << 20, RING_LEAST = 16 << 10, DESCRIPTORS = 8192 };
enum progress { RUNNING, DONE, ABANDONED };

struct nt_tap_opening {
	pthread_t thread;
	struct nt_tap_target target;
	struct nt_tap_wish wish;
	struct nt_moment_asked asked[NT_MOMENTS_ASKED_MAX]; /* copies: it may outlive who asked */
	const struct nt_moment_asked *borrowed;
	unsigned what[NT_MOMENTS_ASKED_MAX];
	size_t count;
	/* The result belongs to the thread until DONE, then to the main thread; who finds the other one's mark frees all. */
	atomic_int progress;
	struct nt_taps taps;
	enum nt_status status;
	struct nt_error err;
};

void nt_taps_close(struct nt_taps *taps)
{
	for (size_t i = 0; i < taps->count; i++)
		nt_tap_close(&taps->items[i]);
	free(taps->items);
	free(taps->what);
	*taps = (struct nt_taps){ 0 };
}

static void result_free(struct nt_tap_opening *opening)
{
	nt_taps_close(&opening->taps);
	free(opening);
}

/* Of each CPU and tap: all of them together have a limit. */
static size_t ring_bytes(size_t taps)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t share = RINGS_BYTES / (taps * (size_t)(cpus > 0 ? cpus : 1)), bytes = RING_MOST;
	while (bytes > share && bytes > RING_LEAST)
		bytes /= 2;
	return bytes;
}

static void *open_all(void *argument)
{
	struct nt_tap_opening *opening = argument;
	struct nt_taps *taps = &opening->taps;
	taps->items = nt_alloc(opening->count * sizeof(*taps->items));
	taps->what = nt_alloc(opening->count * sizeof(*taps->what));
	nt_descriptors_allow(DESCRIPTORS);
	for (size_t i = 0; opening->status == NT_OK && i < opening->count; i++) {
		taps->what[i] = opening->what[i];
		opening->status = nt_tap_open(&taps->items[i], &opening->asked[i], &opening->target, &opening->wish, &opening->err);
		taps->count += opening->status == NT_OK;
	}
	if (opening->status != NT_OK)
		nt_taps_close(taps);
	if (atomic_exchange(&opening->progress, DONE) == ABANDONED)
		result_free(opening);
	return NULL;
}

enum nt_status nt_tap_opening_start(const struct nt_target *target, const struct nt_source_config *config, struct nt_tap_opening **out,
				    struct nt_error *err)
{
	struct nt_tap_opening *opening = nt_alloc(sizeof(*opening));
	opening->target = (struct nt_tap_target){ .pid = target->pid, .ns_pid = target->ns_pid, .uid = target->uid };
	snprintf(opening->target.proc_dir, sizeof(opening->target.proc_dir), "%s", target->proc_dir);
	snprintf(opening->target.root_dir, sizeof(opening->target.root_dir), "%s", target->root_dir);
	opening->borrowed = config->moments;
	for (unsigned i = 0; i < config->moment_count && i < NT_MOMENTS_ASKED_MAX; i++) {
		if (nt_moment_source(&config->moments[i]) != NT_SOURCE_PERF)
			continue;
		opening->what[opening->count] = i;
		opening->asked[opening->count++] = config->moments[i];
	}
	opening->wish = (struct nt_tap_wish){ .hz = config->perf_hz, .ring_bytes = ring_bytes(opening->count ? opening->count : 1) };
	atomic_init(&opening->progress, RUNNING);
	int error = nt_thread_start(&opening->thread, 0, open_all, opening);
	if (error) {
		free(opening);
		return nt_error_errno(err, NT_ERR_FAILED, error, "cannot start a thread");
	}
	*out = opening;
	return NT_OK;
}

enum nt_status nt_tap_opening_poll(struct nt_tap_opening **opening, struct nt_taps *taps, struct nt_error *err)
{
	struct nt_tap_opening *done = *opening;
	if (atomic_load(&done->progress) == RUNNING)
		return NT_AGAIN;
	pthread_join(done->thread, NULL);
	enum nt_status status = done->status;
	*taps = done->taps;
	for (size_t i = 0; i < taps->count; i++)
		taps->items[i].asked = &done->borrowed[taps->what[i]];
	if (err && status != NT_OK)
		*err = done->err;
	free(done);
	*opening = NULL;
	return status;
}

void nt_tap_opening_abandon(struct nt_tap_opening *opening)
{
	if (!opening)
		return;
	pthread_detach(opening->thread);
	if (atomic_exchange(&opening->progress, ABANDONED) == DONE)
		result_free(opening);
}
