// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_survey.h"

#include "base/text.h"
#include "source/lttng/lttng_message.h"
#include "source/lttng/lttng_recorded.h"

#include <stdlib.h>
#include <string.h>

struct surveyor {
	struct nt_survey *survey;
	struct nt_lttng_form *forms;           /* owned; uthash by class */
	const bt_stream_class *looked_through; /* borrowed, never looked into */
};

static void copy_text(char to[NT_SURVEY_NAME], const char *text)
{
	nt_text_escape(text ? text : "", text ? strlen(text) : 0, to, NT_SURVEY_NAME);
}

static void look_at_classes(struct surveyor *surveyor, const bt_stream_class *channel)
{
	if (channel == surveyor->looked_through)
		return;
	surveyor->looked_through = channel;
	surveyor->survey->recorded |= nt_lttng_recorded_of(channel);
}

/* ---- times ---- */

static void note_time(struct nt_survey *survey, const bt_clock_snapshot *snapshot)
{
	nt_time time = nt_lttng_time_of(snapshot);
	if (!survey->has_clock) {
		survey->has_clock = true;
		survey->realtime_offset_ns = nt_lttng_realtime_offset(nt_bt.clock_snapshot_borrow_clock_class_const(snapshot));
	}
	survey->first = !survey->first || time < survey->first ? time : survey->first;
	survey->last = time > survey->last ? time : survey->last;
}

static void note_stream(struct surveyor *surveyor, const bt_stream *stream)
{
	look_at_classes(surveyor, nt_bt.stream_borrow_class_const(stream));
	if (!*surveyor->survey->host)
		copy_text(surveyor->survey->host, nt_lttng_trace_text(stream, "hostname"));
}

static void note_packet(struct surveyor *surveyor, const bt_message *message, bool begins)
{
	const bt_packet *packet = begins ? nt_bt.message_packet_beginning_borrow_packet_const(message)
					 : nt_bt.message_packet_end_borrow_packet_const(message);
	const bt_stream_class *channel = nt_bt.stream_borrow_class_const(nt_bt.packet_borrow_stream_const(packet));
	if (begins && nt_bt.stream_class_packets_have_beginning_default_clock_snapshot(channel))
		note_time(surveyor->survey, nt_bt.message_packet_beginning_borrow_default_clock_snapshot_const(message));
	if (!begins && nt_bt.stream_class_packets_have_end_default_clock_snapshot(channel))
		note_time(surveyor->survey, nt_bt.message_packet_end_borrow_default_clock_snapshot_const(message));
}

/* ---- events ---- */

static struct nt_survey_process *process_of(struct nt_survey *survey, uint32_t vpid)
{
	for (size_t i = 0; i < survey->process_count; i++)
		if (survey->processes[i].vpid == vpid)
			return &survey->processes[i];
	survey->more_processes |= survey->process_count == NT_SURVEY_PROCESSES;
	if (survey->process_count == NT_SURVEY_PROCESSES)
		return NULL;
	struct nt_survey_process *process = &survey->processes[survey->process_count++];
	*process = (struct nt_survey_process){ .vpid = vpid };
	return process;
}

static void note_event(struct surveyor *surveyor, const bt_message *message)
{
	struct nt_survey *survey = surveyor->survey;
	const bt_event *event = nt_bt.message_event_borrow_event_const(message);
	bool is_new;
	const struct nt_lttng_form *form = nt_lttng_form_of(&surveyor->forms, nt_bt.event_borrow_class_const(event), &is_new);
	const bt_field *context = nt_bt.event_borrow_common_context_field_const(event);
	uint64_t vpid;
	if (!form->desc)
		return;
	note_time(survey, nt_bt.message_event_borrow_default_clock_snapshot_const(message));
	if (!nt_lttng_vpid_of(form, event, context, &vpid)) {
		survey->lacks_vpid = true;
		return;
	}
	struct nt_survey_process *process = vpid && vpid <= UINT32_MAX ? process_of(survey, (uint32_t)vpid) : NULL;
	if (process && !process->event_count++)
		copy_text(process->name, nt_lttng_procname_of(form, event, context));
}

static void take(void *context, const struct bt_message *message)
{
	switch (nt_bt.message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		note_event(context, message);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		note_stream(context, nt_bt.message_stream_beginning_borrow_stream_const(message));
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
	case BT_MESSAGE_TYPE_PACKET_END:
		note_packet(context, message, nt_bt.message_get_type(message) == BT_MESSAGE_TYPE_PACKET_BEGINNING);
		break;
	default:
		break;
	}
}

static bool has_room(void *context)
{
	(void)context;
	return true;
}

enum nt_status nt_lttng_survey(const struct nt_lttng_traces *traces, size_t place, struct nt_survey *out, struct nt_error *err)
{
	struct surveyor surveyor = { .survey = out };
	const struct nt_lttng_viewer_sink sink = { .context = &surveyor, .has_room = has_room, .take = take };
	struct nt_lttng_viewer *viewer;
	*out = (struct nt_survey){ 0 };
	enum nt_status status = nt_lttng_traces_open(traces, &place, 1, &sink, &viewer, err);
	if (status != NT_OK)
		return status;
	do
		status = nt_lttng_viewer_run(viewer, &out->damage);
	while (status == NT_OK || status == NT_AGAIN);
	nt_lttng_viewer_free(viewer);
	nt_lttng_forms_free(surveyor.forms);
	return NT_OK;
}
