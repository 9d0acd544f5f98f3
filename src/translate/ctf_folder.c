// SPDX-License-Identifier: GPL-2.0-only
#include "translate/ctf_folder.h"

#include "base/alloc.h"
#include "base/channel.h"
#include "source/common/inner_tids.h"
#include "source/lttng/lttng_decode.h"
#include "source/lttng/lttng_message.h"
#include "source/lttng/lttng_recorded.h"
#include "translate/ctf_choice.h"
#include "translate/translation.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 4 };

struct telling {
	const struct nt_ctf_choice *choice;
	struct nt_translation translation;
	struct nt_recorder *recorder; /* borrowed */
	struct nt_channel *channel;   /* owned: what a worker would send the main thread */
	struct nt_lttng_watched process;
	struct nt_lttng_watched_list list;
	struct nt_lttng_out out;
	struct nt_lttng_decoder *decoder; /* owned */
	nt_time end;                      /* nothing is told from then on */
	bool over;                        /* it has told of more time than is told of */
	bool broken;                      /* the traces could not be read to their end */
};

enum nt_status nt_ctf_folder_prepare(struct nt_error *err)
{
	return nt_lttng_traces_prepare(err);
}

/* ---- what is told passes on ---- */

static void pass_on(struct telling *telling)
{
	for (struct nt_batch *batch; (batch = nt_channel_take_full(telling->channel));) {
		nt_recorder_batch(telling->recorder, batch);
		nt_channel_give_back(telling->channel, batch);
	}
}

static bool has_room(void *context)
{
	struct telling *telling = context;
	if (!nt_lttng_out_room(&telling->out))
		pass_on(telling);
	return nt_lttng_out_room(&telling->out);
}

static void close_intervals(struct telling *telling, nt_time until)
{
	while (!telling->over && nt_translation_is_due(&telling->translation, until)) {
		nt_lttng_out_advance(&telling->out, telling->translation.tick);
		has_room(telling);
		nt_lttng_out_flush(&telling->out);
		pass_on(telling);
		telling->over = !nt_translation_tick(&telling->translation);
	}
}

static void take(void *context, const struct bt_message *message)
{
	struct telling *telling = context;
	if (nt_bt.message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
		nt_time time = nt_lttng_time_of(nt_bt.message_event_borrow_default_clock_snapshot_const(message));
		close_intervals(telling, time < telling->end ? time : telling->end);
	}
	if (!telling->over && has_room(telling))
		nt_lttng_decode(telling->decoder, message);
}

static bool is_target(void *context, uint32_t vpid)
{
	(void)context;
	(void)vpid;
	return false; /* it is known who it is */
}

/* ---- who, and what there is ---- */

static void tell_process(const struct telling *telling)
{
	const struct nt_ctf_choice *choice = telling->choice;
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_APP);
	struct nt_event *event = nt_outbox_add(&box, NT_EV_TARGET, choice->first, telling->process.pid, 0);
	event->u.target = nt_lttng_recorded_target(choice->recorded, choice->process->name, box.interner, nt_outbox_batch(&box));
	nt_translation_send(&telling->translation, &box);
	nt_outbox_fini(&box);
}

static void tell_begin(struct telling *telling)
{
	static const struct {
		enum nt_source_id source;
		const char *reason;
	} absent[] = {
		{ NT_SOURCE_PERF, "an LTTng folder has no samples" },
		{ NT_SOURCE_PROCFS, "an LTTng folder does not say what the kernel counts" },
		{ NT_SOURCE_EVENTPIPE, "an LTTng folder has no events of EventPipe" },
		{ NT_SOURCE_CODEMAP, "an LTTng folder does not say what lies where in memory" },
		{ NT_SOURCE_RUNTIME, "a folder has no memory that could be read from outside" },
	};
	nt_time first = telling->choice->first;
	tell_process(telling);
	has_room(telling);
	nt_lttng_out_state(&telling->out, first, NT_STATE_DELIVERING, NULL, NULL);
	has_room(telling);
	nt_lttng_out_cover(&telling->out, true, first);
	pass_on(telling);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		nt_translation_absent(&telling->translation, absent[i].source, absent[i].reason);
}

/* ---- the traces ---- */

/* With the trace that cannot be read on all others end, too. */
static void end_here(struct telling *telling, const struct nt_error *damage)
{
	char reason[2 * NT_ERROR_TEXT], text[sizeof(reason) + 64];
	nt_time until = telling->out.delivered_until;
	until = until > telling->choice->first ? until : telling->choice->first;
	telling->broken = true;
	telling->end = until < telling->end ? until : telling->end;
	snprintf(text, sizeof(text), "nothing is told from where reading ended: %s", nt_error_reason(damage, reason, sizeof(reason)));
	nt_recorder_note(telling->recorder, text);
}

static enum nt_status read_traces(struct telling *telling, struct nt_error *err)
{
	const struct nt_ctf_choice *choice = telling->choice;
	const struct nt_lttng_viewer_sink sink = { .context = telling, .has_room = has_room, .take = take };
	struct nt_lttng_viewer *viewer;
	enum nt_status status = nt_lttng_traces_open(&choice->traces, choice->places, choice->place_count, &sink, &viewer, err);
	if (status != NT_OK)
		return status;
	struct nt_error damage = { 0 };
	do
		status = nt_lttng_viewer_run(viewer, &damage);
	while (!telling->over && (status == NT_OK || status == NT_AGAIN));
	nt_lttng_viewer_free(viewer);
	if (status < 0)
		end_here(telling, &damage);
	return NT_OK;
}

static void tell_end(struct telling *telling)
{
	nt_time last = telling->end;
	close_intervals(telling, last);
	nt_lttng_out_advance(&telling->out, last);
	has_room(telling);
	nt_lttng_out_cover(&telling->out, false, last);
	nt_lttng_out_flush(&telling->out);
	pass_on(telling);
	nt_translation_end(&telling->translation, last, telling->choice->whole && !telling->over && !telling->broken);
	nt_ctf_choice_note(telling->choice, telling->recorder);
	if (telling->over)
		nt_recorder_note(telling->recorder, "the folder tells of more seconds than nettop takes: the rest is left out");
}

static enum nt_status translate(const struct nt_ctf_choice *choice, struct nt_recorder *recorder, struct nt_error *err)
{
	uint32_t pid = choice->process->vpid;
	struct telling telling = {
		.choice = choice,
		.recorder = recorder,
		.channel = nt_channel_new(NT_SOURCE_LTTNG, BATCHES),
		.process = { .pid = pid, .vpid = pid, .pidfd = -1, .tids = nt_inner_tids_new("", true) },
	};
	const struct nt_lttng_wanted wanted = { .list = &telling.list, .is_target = is_target };
	telling.list = (struct nt_lttng_watched_list){ .items = &telling.process, .count = 1 };
	nt_assert(telling.channel);
	nt_lttng_out_init(&telling.out, telling.channel, &telling.list);
	telling.decoder = nt_lttng_decoder_new(&wanted, &telling.out);
	nt_translation_begin(&telling.translation, recorder, pid, choice->first, choice->main->realtime_offset_ns);
	nt_time most = nt_translation_last(&telling.translation);
	telling.end = choice->last < most ? choice->last : most;
	tell_begin(&telling);
	enum nt_status status = read_traces(&telling, err);
	if (status == NT_OK)
		tell_end(&telling);
	nt_lttng_decoder_free(telling.decoder);
	nt_lttng_out_fini(&telling.out);
	nt_channel_free(telling.channel);
	nt_inner_tids_free(telling.process.tids);
	return status;
}

enum nt_status nt_ctf_folder_translate(int folder, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err)
{
	struct nt_ctf_choice *choice = nt_alloc(sizeof(*choice));
	enum nt_status status = nt_ctf_choose(folder, choice, err);
	(void)wish; /* it is of the process that most is told of */
	if (status == NT_OK)
		status = translate(choice, out, err);
	nt_ctf_choice_fini(choice);
	free(choice);
	return status;
}
