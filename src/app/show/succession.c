// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/succession.h"

#include "nettop/process_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEKING_MS = 200 };

void nt_succession_begin(struct nt_succession *succession, const struct nt_target *target, struct nt_loop *loop)
{
	snprintf(succession->pid, sizeof(succession->pid), "%u", target->pid);
	const struct nt_process_choice choice = { .named = succession->pid };
	if (nt_process_watch_new("/proc", 0, false, &choice, &succession->watch, NULL) != NT_OK) {
		succession->watch = NULL;
		return;
	}
	nt_loop_watch(loop, nt_process_watch_fd(succession->watch), NULL);
	nt_process_watch_ask(succession->watch);
	succession->looking = true;
}

static void find(struct nt_succession *succession, const struct nt_process_scan_result *result)
{
	char pid[16];
	for (size_t i = 0; i < result->count && !succession->next; i++) {
		snprintf(pid, sizeof(pid), "%u", result->rows[i].pid);
		if (strcmp(pid, succession->pid) != 0)
			nt_target_find("/proc", pid, &succession->next, NULL);
	}
}

void nt_succession_go_on(struct nt_succession *succession, bool ended)
{
	struct nt_process_scan_result result;
	nt_time now = nt_clock_now();
	if (!succession->watch || succession->next)
		return;
	enum nt_status status = nt_process_watch_take(succession->watch, &result, NULL);
	if (status != NT_AGAIN)
		succession->looking = false;
	if (status == NT_OK && ended)
		find(succession, &result);
	if (!ended || succession->looking || now < succession->next_look)
		return;
	nt_process_watch_ask(succession->watch);
	succession->looking = true;
	succession->next_look = now + SEEKING_MS * NT_NS_PER_MS;
}

nt_time nt_succession_next(const struct nt_succession *succession, bool ended)
{
	return ended && succession->watch && !succession->looking ? succession->next_look : NT_TIME_UNKNOWN;
}

void nt_succession_end(struct nt_succession *succession)
{
	nt_process_watch_free(succession->watch);
	succession->watch = NULL;
	succession->looking = false;
	succession->next_look = 0;
}

void nt_succession_keep(struct nt_succession *succession, struct nt_ended_screen *screen)
{
	nt_succession_forget(succession);
	succession->before = *screen;
}

void nt_succession_forget(struct nt_succession *succession)
{
	struct nt_ended_screen *before = &succession->before;
	if (before->ui)
		nt_ui_free(before->ui);
	nt_session_free(before->session);
	nt_past_free(before->past);
	nt_log_free(before->log);
	free(before->said);
	*before = (struct nt_ended_screen){ 0 };
}
