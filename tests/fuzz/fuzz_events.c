// SPDX-License-Identifier: GPL-2.0-only
/* Input: a nettrace stream, all the way: events, batch, model, snapshots, JSON, which must be JSON. */
#include "fuzz.h"

#include "decode/eventpipe/nettrace.h"
#include "shown.h"
#include "source/eventpipe/eventpipe_events.h"

enum { PID = 4711, INTERVALS = 3 };

/* Snapshots are shown; else as fuzz_nettrace.c. */
FUZZ_STEPS(1 << 20, 1 << 12)

size_t fuzz_cut_step(size_t size)
{
	return size / 32 + 1;
}

static void show(struct nt_batch *batch, nt_time start)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = PID;
	config.start = start;
	config.text_slack_bytes = 1; /* all texts are gone through in each interval */
	struct nt_model *model = nt_model_new(&config);
	nt_model_apply(model, batch);
	for (nt_time now = start; now <= start + INTERVALS * config.interval_ns; now += config.interval_ns)
		fuzz_check_shown(nt_model_tick(model, now));
	fuzz_check_shown(nt_model_close(model, start + (INTERVALS + 1) * config.interval_ns, true));
	nt_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = PID };
	const struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, size % 3 == 2 ? NT_EVENTPIPE_WHERE : NT_EVENTPIPE_COUNTS);
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	nt_outbox_state(&box, 1, PID, NT_STATE_DELIVERING, true, NULL, NULL);
	nt_nettrace_feed(trace, data, size, NULL);
	nt_nettrace_settle(trace);
	nt_nettrace_free(trace);
	/* Whatever the stream says of the time, nettop's own clock does not go beyond a few centuries. */
	nt_time start = events.began && events.began < NT_NS_PER_S << 32 ? events.began : 1000 * NT_NS_PER_S;
	struct nt_batch *batch = nt_outbox_take(&box);
	if (batch) {
		show(batch, start);
		nt_outbox_give_back(&box, batch);
	}
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
	return 0;
}
