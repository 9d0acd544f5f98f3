// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/replay_through.h"

#include "app/common/rights.h"

#include <stdio.h>
#include <sys/resource.h>

/* A build with sanitizers has reserved more than that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_BYTES RLIM_INFINITY
#else
#define MEMORY_BYTES (UINT64_C(4) << 30)
#endif

void nt_replay_prepare(void)
{
	struct rlimit limit;
	nt_rights_drop(NT_RIGHTS_FILES);
	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > MEMORY_BYTES) {
		limit.rlim_cur = MEMORY_BYTES;
		setrlimit(RLIMIT_DATA, &limit);
	}
}

void nt_replay_say(void *context, const char *line)
{
	(void)context;
	fprintf(stderr, "nettop: %s\n", line);
}

uint64_t nt_replay_sample_ns(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF);
	return perf && perf->rate_hz.known && perf->rate_hz.v ? NT_NS_PER_S / perf->rate_hz.v : 0;
}

static enum nt_status go_through(struct nt_replayed *replayed,
				 bool (*take)(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot),
				 void *context, struct nt_error *err)
{
	struct nt_snapshot *snapshot;
	enum nt_status status = NT_OK;
	for (bool more = true; more && (status = nt_replayed_step(replayed, &snapshot, err)) == NT_OK;) {
		more = !snapshot || take(context, replayed, snapshot);
		nt_snapshot_release(snapshot);
	}
	if (status == NT_END)
		nt_replayed_tell_end(replayed, nt_replay_say, NULL);
	return status < 0 ? status : NT_OK;
}

enum nt_status nt_replay_through(const char *path, const struct nt_replayed_wish *wish,
				 bool (*take)(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot),
				 void *context, struct nt_error *err)
{
	struct nt_replayed *replayed = NULL;
	nt_replay_prepare();
	enum nt_status status = nt_replayed_open(path, wish, &replayed, err);
	if (status == NT_OK && wish->summary && !nt_replayed_settings(replayed))
		status = nt_error_set(err, NT_ERR_ABSENT, "%s has nothing in it", path);
	if (status == NT_OK)
		status = go_through(replayed, take, context, err);
	nt_replayed_free(replayed);
	return status;
}
