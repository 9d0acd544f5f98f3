// SPDX-License-Identifier: GPL-2.0-only
#include "translate/nettrace_translate.h"

#include "base/file_name.h"
#include "source/eventpipe/eventpipe_events.h"
#include "translate/nettrace_facts.h"
#include "translate/translation.h"

#include <stdio.h>
#include <string.h>

/* What is sent at once: a recording has batches of some size at most. */
enum { BATCH_EVENTS = 1 << 16, BATCH_BYTES = 8 << 20 };

#define MAGIC "Nettrace"

struct telling {
	const struct nt_nettrace_facts *facts;
	struct nt_translation translation;
	struct nt_outbox box;
	struct nt_eventpipe_events events;
	struct nt_nettrace_sink to_events;
	nt_time end; /* nothing is told from then on */
	bool over;   /* so many intervals are not told of */
};

bool nt_nettrace_is(const uint8_t *begin, size_t size)
{
	return size >= sizeof(MAGIC) - 1 && memcmp(begin, MAGIC, sizeof(MAGIC) - 1) == 0;
}

/* ---- who, and what there is ---- */

/* Where the first word that ends in .dll does so; NULL = there is none. */
static const char *library_in(const char *command)
{
	static const char suffix[] = ".dll";
	const char *at = strstr(command, suffix);
	while (at && at[sizeof(suffix) - 1] && at[sizeof(suffix) - 1] != ' ')
		at = strstr(at + 1, suffix);
	return at;
}

/* The name of the program in a command line whose words have blanks between them: that of its library, if it is run by one; its end in *end. */
static const char *program_of(const char *command, const char **end)
{
	const char *library = library_in(command), *name = library ? library : command;
	*end = library ? library : command + strcspn(command, " ");
	while (library && name > command && name[-1] != ' ')
		name--;
	for (const char *at = name; at < *end; at++)
		if (*at == '/')
			name = at + 1;
	return name;
}

static void tell_process(struct telling *telling)
{
	const struct nt_nettrace_facts *facts = telling->facts;
	const struct nt_runtime_start *runtime = &facts->runtime;
	char version[40] = "";
	const char *end, *name = program_of(facts->command, &end);
	if (facts->runtime_told && runtime->is_core)
		snprintf(version, sizeof(version), "%u.%u.%u", runtime->major, runtime->minor, runtime->patch);
	struct nt_outbox *box = &telling->box;
	struct nt_event *event = nt_outbox_add(box, NT_EV_TARGET, facts->start.time, telling->translation.pid, 0);
	event->u.target = (struct nt_ev_target){ .name = nt_interner_str(box->interner, nt_outbox_batch(box), name, (size_t)(end - name)),
						 .runtime = nt_outbox_str(box, version),
						 .command = nt_outbox_str(box, facts->command),
						 .cpu_count = facts->start.cpu_count,
						 .server_gc = facts->runtime_told ? runtime->server_gc : 2,
						 .alloc_reason = nt_outbox_str(
							 box, facts->ticks ? "the file has allocation ticks, and no samples" : NULL) };
}

static void tell_absent(const struct telling *telling)
{
	const struct nt_translation *translation = &telling->translation;
	bool sampled = telling->facts->brings & NT_WANT_WALL_SAMPLES;
	nt_translation_absent(translation, NT_SOURCE_PERF,
			      sampled ? "a .nettrace file has no CPU samples: the runtime's own sampler tells where each thread is, "
					"whether it runs or waits"
				      : "this .nettrace file has no samples");
	nt_translation_absent(translation, NT_SOURCE_PROCFS, "a .nettrace file does not say what the kernel counts");
	nt_translation_absent(translation, NT_SOURCE_LTTNG,
			      "the file has no such events: nothing happened, or whoever recorded it did not ask for them");
	nt_translation_absent(translation, NT_SOURCE_RUNTIME, "a file has no memory that could be read from outside");
}

/* Without a list there is nobody to ask. */
static void tell_names(const struct telling *telling)
{
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_CODEMAP);
	nt_outbox_state(&box, telling->facts->start.time, telling->translation.pid, NT_STATE_UNUSED, false,
			telling->facts->method_count ? "names are those of the runtime's list of methods at the file's end"
						     : "the file has no list of the runtime's methods at its end, by which code has a name",
			NULL);
	nt_translation_send(&telling->translation, &box);
	nt_outbox_fini(&box);
}

static void tell_cover(struct telling *telling, nt_time time, bool covered)
{
	/* Counters say themselves of which time they are. */
	uint32_t what = telling->facts->brings & ~(uint32_t)NT_WANT_COUNTERS;
	nt_outbox_add(&telling->box, NT_EV_COVER, time, telling->translation.pid, 0)->u.cover =
		(struct nt_ev_cover){ .what = what, .covered = covered };
}

static void tell_begin(struct telling *telling)
{
	const struct nt_nettrace_facts *facts = telling->facts;
	tell_process(telling);
	struct nt_event *event =
		nt_outbox_state(&telling->box, facts->start.time, telling->translation.pid, NT_STATE_DELIVERING, false, NULL, NULL);
	event->u.source_state.brings = facts->brings;
	event->u.source_state.withheld = NT_WITHHELD_FILE;
	tell_cover(telling, facts->start.time, true);
	nt_translation_send(&telling->translation, &telling->box);
	tell_absent(telling);
	tell_names(telling);
	nt_rundown_list_end(facts->methods, 0, 0, NULL);
	while (facts->method_count && nt_rundown_list_deliver(facts->methods, &telling->box))
		nt_translation_send(&telling->translation, &telling->box);
}

/* ---- events ---- */

static void close_intervals(struct telling *telling, nt_time until)
{
	while (!telling->over && nt_translation_is_due(&telling->translation, until)) {
		nt_outbox_add(&telling->box, NT_EV_IDLE, telling->translation.tick, telling->translation.pid, 0);
		nt_translation_send(&telling->translation, &telling->box);
		telling->over = !nt_translation_tick(&telling->translation);
	}
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct telling *telling = context;
	close_intervals(telling, event->time < telling->end ? event->time : telling->end);
	if (telling->over || event->time >= telling->end) /* a file that is written on has more than it had */
		return;
	telling->to_events.event(telling->to_events.context, event);
	const struct nt_batch *batch = telling->box.filling;
	if (batch && (batch->event_count >= BATCH_EVENTS || nt_outbox_bytes(&telling->box) >= BATCH_BYTES))
		nt_translation_send(&telling->translation, &telling->box);
}

static void on_lost(void *context, const struct nt_nettrace_lost *lost)
{
	struct telling *telling = context;
	struct nt_nettrace_lost said = *lost;
	if (said.until > telling->end)
		said.until = telling->end;
	if (said.from > said.until)
		said.from = NT_TIME_UNKNOWN;
	telling->to_events.lost(telling->to_events.context, &said);
}

/* ---- notes ---- */

static void note(const struct telling *telling, struct nt_recorder *out)
{
	const struct nt_nettrace_facts *facts = telling->facts;
	char reason[2 * NT_ERROR_TEXT], text[sizeof(reason) + 64];
	if (facts->damage.status) {
		snprintf(text, sizeof(text), "what is told ends before the file does: %s",
			 nt_error_reason(&facts->damage, reason, sizeof(reason)));
		nt_recorder_note(out, text);
	} else if (!facts->whole) {
		nt_recorder_note(out, "the file is cut off: whoever wrote it was ended, or is still at it");
	}
	if (!facts->method_count)
		nt_recorder_note(
			out, "the file has no list of the runtime's methods at its end: code that was not compiled meanwhile has no name");
	if (telling->over)
		nt_recorder_note(out, "the file tells of more seconds than nettop takes: the rest is left out");
}

/* Is there anything that can be told? */
static enum nt_status check(const struct nt_nettrace_facts *facts, struct nt_error *err)
{
	if (!facts->started && facts->damage.status) {
		*err = facts->damage;
		return err->status;
	}
	if (!facts->started)
		return nt_error_set(err, NT_ERR_MALFORMED, "it ends before it says what it is of");
	if (facts->start.time >= NT_TRANSLATION_START_MAX)
		return nt_error_set(err, NT_ERR_MALFORMED, "it begins at a time that no clock tells");
	return NT_OK;
}

enum nt_status nt_nettrace_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err)
{
	(void)wish; /* it is of one process, and has its names */
	struct nt_nettrace_facts facts;
	nt_nettrace_facts_read(&facts, fd);
	enum nt_status status = check(&facts, err);
	if (status != NT_OK) {
		nt_nettrace_facts_fini(&facts);
		return status;
	}
	struct telling telling = { .facts = &facts };
	int64_t offset_ns = facts.start.unix_ns ? facts.start.unix_ns - (int64_t)facts.start.time : 0;
	nt_translation_begin(&telling.translation, out, facts.start.pid, facts.start.time, offset_ns);
	telling.end = facts.end < nt_translation_last(&telling.translation) ? facts.end : nt_translation_last(&telling.translation);
	nt_outbox_init(&telling.box, NT_SOURCE_EVENTPIPE);
	telling.events = (struct nt_eventpipe_events){ .box = &telling.box, .tids = nt_inner_tids_new("", true), .pid = facts.start.pid };
	telling.to_events = nt_eventpipe_events_sink(&telling.events, NT_EVENTPIPE_WHOLE);
	tell_begin(&telling);
	const struct nt_nettrace_sink sink = { .context = &telling, .event = on_event, .lost = on_lost };
	nt_nettrace_read_through(fd, &sink, NULL);
	close_intervals(&telling, telling.end);
	nt_outbox_add(&telling.box, NT_EV_IDLE, telling.end, facts.start.pid, 0);
	tell_cover(&telling, telling.end, false);
	nt_translation_send(&telling.translation, &telling.box);
	nt_translation_end(&telling.translation, telling.end, facts.whole);
	note(&telling, out);
	nt_inner_tids_free(telling.events.tids);
	nt_outbox_fini(&telling.box);
	nt_nettrace_facts_fini(&facts);
	return NT_OK;
}
