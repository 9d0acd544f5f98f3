// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_rundown.h"

#include "decode/clr/clr.h"
#include "nettop/event.h"

#include <limits.h>
#include <string.h>

enum {
	LONGEST_MS = 20000,   /* then the session is closed, whatever the runtime is at */
	READ_BYTES = 4 << 20, /* at a look */
	SETTINGS_REST_S = 30, /* until settings are asked for again, as for a list; doubling up to: */
	SETTINGS_REST_MOST_S = 600,
};

/* Loader, JIT, precompiled code, the list at the end; IL maps. */
#define METHODS_KEYWORDS UINT64_C(0x138)
#define IL_MAP_KEYWORD   UINT64_C(0x20000)

/* Of the collector: its settings. No method is listed, so it costs the same however many there are. */
#define GC_KEYWORD UINT64_C(0x1)

/* A session needs a provider: this one says nothing of its own. */
static const struct nt_eventpipe_plan plan = { .name = "methods there are",
					       .last_major = UINT_MAX,
					       .provider = { .name = NT_CLR_PROVIDER, .level = 1 } };

/* ---- what is wanted ---- */

static bool want_il_map(struct nt_eventpipe_rundown *rundown, uint64_t address)
{
	for (size_t i = 0; i < rundown->il_wanted_count; i++)
		if (rundown->il_wanted[i] == address)
			return true;
	if (rundown->il_wanted_count == NT_RUNDOWN_ASKED_MAX)
		return false;
	rundown->il_wanted[rundown->il_wanted_count++] = address;
	return true;
}

size_t nt_eventpipe_rundown_ask(struct nt_eventpipe_rundown *rundown, const struct nt_question *questions, size_t count)
{
	size_t taken = 0;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(questions[i].image, NT_METHODS_IMAGE) == 0) {
			rundown->methods_wanted = true;
			taken++;
		} else if (strcmp(questions[i].image, NT_IL_MAP_IMAGE) == 0) {
			taken += want_il_map(rundown, questions[i].map_start);
		}
	}
	return taken;
}

void nt_eventpipe_rundown_want_settings(struct nt_eventpipe_rundown *rundown, nt_time now)
{
	rundown->settings_wanted |= !rundown->settings_told && !rundown->list && now >= rundown->settings_next;
}

static bool lists_methods(const struct nt_eventpipe_rundown *rundown)
{
	return rundown->methods_wanted || rundown->il_wanted_count;
}

static bool is_wanted(const struct nt_eventpipe_rundown *rundown)
{
	return rundown->settings_wanted || lists_methods(rundown);
}

bool nt_eventpipe_rundown_busy(const struct nt_eventpipe_rundown *rundown)
{
	return rundown->session || rundown->list || is_wanted(rundown);
}

/* ---- the session ---- */

static void note_settings(struct nt_eventpipe_rundown *rundown, nt_time now, bool answered)
{
	unsigned rest_s = rundown->settings_rest_s ? 2 * rundown->settings_rest_s : SETTINGS_REST_S;
	rundown->settings_told |= answered;
	rundown->settings_rest_s = rest_s < SETTINGS_REST_MOST_S ? rest_s : SETTINGS_REST_MOST_S;
	rundown->settings_next = now + rundown->settings_rest_s * NT_NS_PER_S;
}

/* Its stream is closed first: whoever holds it does not wait for the list. */
static void end(struct nt_eventpipe_rundown *rundown, nt_time now, const char *reason)
{
	nt_rundown_list_end(rundown->list, now - rundown->began, rundown->session ? rundown->session->stream_bytes : 0, reason);
	nt_eventpipe_session_close(rundown->session);
	rundown->session = NULL;
	note_settings(rundown, now, !reason);
}

static void end_with_error(struct nt_eventpipe_rundown *rundown, nt_time now, const struct nt_error *err)
{
	char reason[2 * NT_ERROR_TEXT];
	nt_error_reason(err, reason, sizeof(reason));
	end(rundown, now, reason);
}

static void begin(struct nt_eventpipe_rundown *rundown, const struct nt_target *target, const struct nt_eventpipe_details *details,
		  nt_time now)
{
	struct nt_error err = { 0 };
	struct nt_eventpipe_details with_list = *details;
	with_list.rundown = GC_KEYWORD | (lists_methods(rundown) ? METHODS_KEYWORDS : 0) | (rundown->il_wanted_count ? IL_MAP_KEYWORD : 0);
	rundown->list = nt_rundown_list_new(target->pid, rundown->il_wanted, rundown->il_wanted_count);
	if (!lists_methods(rundown)) {
		with_list.buffer_mb = 1; /* one event */
		nt_rundown_list_of_settings(rundown->list);
	}
	rundown->began = now;
	rundown->settings_wanted = false;
	rundown->methods_wanted = false;
	rundown->il_wanted_count = 0;
	const struct nt_nettrace_sink sink = nt_rundown_list_sink(rundown->list);
	if (nt_eventpipe_session_open(target, &plan, &with_list, &sink, now, &rundown->session, &err) != NT_OK)
		end_with_error(rundown, now, &err);
}

static void advance(struct nt_eventpipe_rundown *rundown, nt_time now)
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_eventpipe_session_advance(rundown->session, now, READ_BYTES, &err);
	if (status == NT_END)
		end(rundown, now, NULL);
	else if (status < 0)
		end_with_error(rundown, now, &err);
	else if (now - rundown->began > LONGEST_MS * NT_NS_PER_MS)
		end(rundown, now, "the runtime did not come to the end of its list in time");
	else if (rundown->session->state == NT_EVENTPIPE_READING && !nt_eventpipe_session_stop(rundown->session, now))
		end(rundown, now, "the runtime cannot be asked to end the session");
}

void nt_eventpipe_rundown_go_on(struct nt_eventpipe_rundown *rundown, const struct nt_target *target,
				const struct nt_eventpipe_details *details, nt_time now, struct nt_outbox *box)
{
	if (!rundown->list && is_wanted(rundown))
		begin(rundown, target, details, now);
	if (rundown->session)
		advance(rundown, now);
	if (rundown->list && !rundown->session && !nt_rundown_list_deliver(rundown->list, box)) {
		nt_rundown_list_free(rundown->list);
		rundown->list = NULL;
	}
}

void nt_eventpipe_rundown_give_up(struct nt_eventpipe_rundown *rundown, nt_time now, const char *reason)
{
	if (rundown->session)
		end(rundown, now, reason);
}

void nt_eventpipe_rundown_fini(struct nt_eventpipe_rundown *rundown)
{
	nt_eventpipe_session_close(rundown->session);
	nt_rundown_list_free(rundown->list);
	*rundown = (struct nt_eventpipe_rundown){ 0 };
}
