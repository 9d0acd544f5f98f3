// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/run_parts.h"

#include "app/loop/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

void nt_run_read_output(struct nt_run *run)
{
	if (run->output)
		nt_child_output_read(run->output);
}

void nt_run_say(void *context, const char *sentence)
{
	struct nt_run *run = context;
	nt_run_read_output(run); /* what the program said before comes before */
	fprintf(stderr, "nettop: %s\n", sentence);
	nt_log_add(run->log, nt_clock_now(), NT_LOG_NETTOP, sentence, strlen(sentence));
}

void nt_run_say_error(struct nt_run *run, const struct nt_error *err)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	nt_run_say(run, nt_error_text(err, text, sizeof(text)));
}

static void take_signals(struct nt_run *run)
{
	for (int sig; (sig = nt_loop_signal(run->loop));) {
		if (sig == SIGTSTP)
			nt_child_stop_with_us(run->released ? run->child : NULL);
		else if (nt_signals_ends(sig) && !(run->released && nt_child_interrupt(run->child, sig)))
			run->told_to_end = true;
	}
}

static bool is_program(void *context, uint32_t pid)
{
	struct nt_run *run = context;
	return nt_follow_ask(run->follow, pid);
}

/* Programs that wait at their start and are not ours go on. */
static void serve_port(struct nt_run *run)
{
	if (run->port)
		nt_startup_port_serve(run->port, is_program, run);
}

bool nt_run_wait(struct nt_run *run, unsigned ms)
{
	nt_loop_wake_at(run->loop, nt_clock_now() + ms * NT_NS_PER_MS);
	unsigned wake = nt_loop_wait(run->loop);
	serve_port(run);
	nt_run_read_output(run);
	if (wake & NT_WAKE_SIGNAL)
		take_signals(run);
	return !run->told_to_end;
}
