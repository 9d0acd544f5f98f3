// SPDX-License-Identifier: GPL-2.0-only
#include "app/relay/relay_command.h"

#include "app/common/exit.h"
#include "app/common/rights.h"
#include "app/loop/signals.h"
#include "app/relay/relay.h"
#include "app/show/ps.h"
#include "output/frame/json.h"
#include "output/frame/plain_frame.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frames {
	const struct nt_options *options;
	struct nt_plain *plain; /* owned; NULL = tables */
	uint64_t printed;       /* intervals */
	bool broken;            /* nobody reads them any more, or they cannot be written: */
	int write_errno;
	char said[2 * NT_ERROR_TEXT]; /* the last sentence on standard error */
};

static void print_json(const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->listed_count; i++) {
		char *line = nt_json_process_row(snapshot, &snapshot->listed[i]);
		puts(line);
		free(line);
	}
}

static bool enough(const struct frames *frames)
{
	return frames->broken || (frames->options->interval_count && frames->printed >= frames->options->interval_count);
}

static void print(void *context, struct nt_snapshot *snapshot)
{
	struct frames *frames = context;
	bool json = frames->options->output == NT_OUTPUT_JSON;
	if (frames->broken || (snapshot->final ? !json : enough(frames)))
		return;
	if (json) {
		print_json(snapshot);
	} else if (frames->plain) {
		nt_plain_list(frames->plain, &nt_table_relayed, snapshot, nt_clock_realtime_offset(), stdout);
	} else {
		if (frames->printed)
			putchar('\n');
		nt_ps_print(snapshot, &nt_table_relayed, stdout);
	}
	frames->printed += !snapshot->final;
	frames->broken = fflush(stdout) == EOF || ferror(stdout);
	frames->write_errno = frames->broken ? (errno ? errno : EIO) : 0;
}

/* Each sentence once, until there is another one. */
static void say(struct frames *frames, const char *sentence)
{
	if (*sentence && strcmp(sentence, frames->said) != 0)
		fprintf(stderr, "nettop: %s\n", sentence);
	snprintf(frames->said, sizeof(frames->said), "%s", sentence);
}

static void follow(struct frames *frames, struct nt_relay *relay, struct nt_loop *loop)
{
	const struct nt_options *options = frames->options;
	nt_time end = options->duration_ns ? nt_clock_now() + options->duration_ns : NT_TIME_UNKNOWN;
	while (!enough(frames) && nt_clock_now() < end) {
		nt_time next = nt_relay_pump(relay);
		say(frames, nt_relay_says(relay));
		nt_loop_wake_at(loop, next < end ? next : end);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(loop, true))
			break;
	}
}

static void tell_replay(const struct nt_relay *relay)
{
	size_t count;
	int equal = nt_relay_replay_equal(relay, &count);
	if (equal >= 0)
		fprintf(stderr, "nettop: replay_equal: %s (%zu snapshots)\n", equal ? "true" : "false", count);
}

/* What is of processes of this machine. */
static enum nt_status check(const struct nt_options *options, struct nt_error *err)
{
	bool chooses = options->target || options->all || options->cgroup || options->follow_children;
	const char *what = chooses                  ? "a choice of processes (-p, --all, --cgroup)"
			   : options->lttng_session ? "--session"
			   : options->trigger_count ? "--on"
						    : NULL;
	return what ? nt_error_set(err, NT_ERR_USAGE, "--relay lists all processes of its sessions: %s is for those of this machine", what)
		    : NT_OK;
}

int nt_relay_command(const struct nt_options *options, struct nt_error *err)
{
	struct frames frames = { .options = options, .plain = options->plain ? nt_plain_new(options->rows) : NULL };
	struct nt_loop *loop = NULL;
	struct nt_relay *relay = NULL;
	nt_rights_drop(NT_RIGHTS_FILES); /* nothing of this machine is looked at */
	nt_signals_block();
	enum nt_status status = check(options, err);
	if (status == NT_OK)
		status = nt_loop_new(&loop, err);
	if (status == NT_OK)
		status = nt_relay_new(options, print, &frames, &relay, err);
	if (status == NT_OK)
		status = nt_relay_watch(relay, loop, err);
	if (status == NT_OK)
		follow(&frames, relay, loop);
	if (status == NT_OK && !frames.broken)
		nt_relay_finish(relay);
	if (relay)
		tell_replay(relay);
	nt_relay_free(relay);
	nt_loop_free(loop);
	nt_plain_free(frames.plain);
	if (status == NT_OK && frames.broken && frames.write_errno != EPIPE)
		status = nt_error_errno(err, NT_ERR_FAILED, frames.write_errno, "cannot write to standard output");
	return nt_exit_of(status);
}
