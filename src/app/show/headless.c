// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/headless.h"

#include "app/common/exit.h"
#include "app/loop/signals.h"

#include <stdio.h>
#include <string.h>

/* SIGUSR2, as perf record has it. */
static void write_kept(const struct nt_session_setup *setup)
{
	char said[NT_TAPE_SAID];
	if (setup->tape)
		nt_tape_write_somewhere(setup->tape, said);
	fprintf(stderr, "nettop: SIGUSR2: %s\n", setup->tape ? said : "nothing is kept of what was: start nettop with --flight MINUTES");
}

static void say(void *context, const char *sentence)
{
	(void)context;
	fprintf(stderr, "nettop: %s\n", sentence);
}

static bool stop_signal(struct nt_loop *loop, struct nt_session *session, const struct nt_session_setup *setup)
{
	bool stop = false;
	for (int sig; (sig = nt_loop_signal(loop));) {
		if (sig == SIGTSTP) {
			nt_session_pause(session);
			nt_child_stop_with_us(setup->child);
		} else if (sig == SIGUSR2) {
			write_kept(setup);
		} else if (nt_signals_ends(sig) && !nt_child_interrupt(setup->child, sig)) {
			stop = true;
		}
	}
	return stop;
}

static void tell_news(const struct nt_session_setup *setup)
{
	const char *news = nt_keeper_news(setup->keeper);
	if (!news)
		return;
	fprintf(stderr, "nettop: %s\n", news);
	nt_log_add(setup->log, nt_clock_now(), NT_LOG_NETTOP, news, strlen(news));
}

void nt_headless_follow(struct nt_session *session, const struct nt_session_setup *setup, struct nt_loop *loop,
			bool (*enough)(const void *context), const void *context)
{
	nt_session_watch(session, loop);
	nt_time duration_ns = setup->options->duration_ns;
	nt_time end = duration_ns ? nt_clock_now() + duration_ns : NT_TIME_UNKNOWN;
	while (!(enough && enough(context)) && !nt_session_target_ended(session) && nt_clock_now() < end) {
		nt_time next_pump = nt_session_next_pump(session);
		nt_loop_wake_at(loop, next_pump < end ? next_pump : end);
		unsigned wake = nt_loop_wait(loop);
		nt_session_pump(session);
		tell_news(setup);
		if (setup->tape)
			nt_tape_tell(setup->tape, false, say, NULL);
		if (wake & NT_WAKE_SIGNAL && stop_signal(loop, session, setup))
			break;
	}
}

int nt_headless_run(const struct nt_session_setup *setup, bool (*enough)(const void *context), const void *context, struct nt_error *err)
{
	struct nt_loop *loop = NULL;
	if (nt_loop_new(&loop, err) != NT_OK)
		return NT_EXIT_FAILURE;
	struct nt_session *session = nt_session_new(setup);
	nt_session_open_sources(session);
	nt_headless_follow(session, setup, loop, enough, context);
	bool ended = nt_session_target_ended(session);
	nt_session_finish(session);
	nt_session_free(session);
	nt_loop_free(loop);
	return ended ? NT_EXIT_TARGET_ENDED : NT_EXIT_OK;
}
