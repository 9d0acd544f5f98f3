// SPDX-License-Identifier: GPL-2.0-only
/*
 * What nettop makes of a nettrace file: its decoder and its model, one interval from the first event to the last. Two lines of JSON, the interval's and the summary. The
 * same stream gives the same times to the nanosecond, which two sessions of one process never do; what another reader makes of the file is compared with this.
 *
 * usage: nettrace_model FILE
 */
#include "nettop/model.h"
#include "output/frame/json.h"
#include "source/eventpipe/eventpipe_events.h"

#include <stdio.h>
#include <stdlib.h>

enum { PID = 1, PIECE = 64 * 1024 };

static void show(struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = 0, .replay_equal = -1 };
	char *line = snapshot ? nt_json_line(snapshot, &options) : NULL;
	if (line)
		puts(line);
	free(line);
	nt_snapshot_release(snapshot);
}

static void make(const struct nt_batch *batch, const struct nt_eventpipe_events *events)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = PID;
	config.start = events->began;
	config.interval_ns = events->newest + 1 - events->began;
	config.history_limit = 1 << 16;
	struct nt_model *model = nt_model_new(&config);
	nt_model_apply(model, batch);
	show(nt_model_close(model, events->newest + 1, false));
	show(nt_model_close(model, events->newest + 1 + NT_NS_PER_S, true));
	nt_model_free(model);
}

static enum nt_status read_stream(FILE *file, struct nt_eventpipe_events *events)
{
	static uint8_t piece[PIECE];
	const struct nt_nettrace_sink sink = nt_eventpipe_events_sink(events, NT_EVENTPIPE_COUNTS);
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	struct nt_error err = { 0 };
	enum nt_status status = NT_OK;
	for (size_t length; status == NT_OK && (length = fread(piece, 1, sizeof(piece), file)) > 0;)
		status = nt_nettrace_feed(trace, piece, length, &err);
	nt_nettrace_settle(trace);
	nt_nettrace_free(trace);
	char text[2 * NT_ERROR_TEXT];
	if (status < 0)
		fprintf(stderr, "nettrace_model: %s\n", nt_error_text(&err, text, sizeof(text)));
	return status;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (!file) {
		if (argc == 2)
			perror(argv[1]);
		else
			fputs("usage: nettrace_model FILE\n", stderr);
		return 2;
	}
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = PID };
	nt_outbox_state(&box, 1, PID, NT_STATE_DELIVERING, true, NULL, NULL);
	enum nt_status status = read_stream(file, &events);
	fclose(file);
	struct nt_batch *batch = nt_outbox_take(&box);
	if (batch && events.newest > events.began)
		make(batch, &events);
	if (batch)
		nt_outbox_give_back(&box, batch);
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
	return status < 0;
}
