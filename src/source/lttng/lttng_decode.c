// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_decode.h"

#include "base/alloc.h"
#include "source/common/inner_tids.h"
#include "source/lttng/lttng_declared.h"
#include "source/lttng/lttng_form.h"
#include "source/lttng/lttng_message.h"
#include "source/lttng/lttng_telling.h"

#include <stdlib.h>

enum { OTHERS = 16 };

struct nt_lttng_decoder {
	struct nt_lttng_wanted wanted;
	struct nt_lttng_out *out;    /* borrowed */
	struct nt_lttng_form *forms; /* owned; uthash by class */
	struct nt_lttng_scratch scratch;
	bool lacks_vpid;
	struct nt_lttng_declared declared;
	uint32_t others[OTHERS]; /* the processes last found not to be the target */
	unsigned other_count;    /* ever */
};

struct nt_lttng_decoder *nt_lttng_decoder_new(const struct nt_lttng_wanted *wanted, struct nt_lttng_out *out)
{
	struct nt_lttng_decoder *decoder = nt_alloc(sizeof(*decoder));
	decoder->wanted = *wanted;
	decoder->out = out;
	return decoder;
}

void nt_lttng_decoder_free(struct nt_lttng_decoder *decoder)
{
	if (!decoder)
		return;
	nt_lttng_forms_free(decoder->forms);
	free(decoder->scratch.bytes);
	free(decoder);
}

bool nt_lttng_decoder_lacks_vpid(const struct nt_lttng_decoder *decoder)
{
	return decoder->lacks_vpid;
}

bool nt_lttng_decoder_has_exceptions(const struct nt_lttng_decoder *decoder)
{
	return decoder->declared.exceptions;
}

static const struct nt_lttng_form *form_of(struct nt_lttng_decoder *decoder, const bt_event_class *class)
{
	bool is_new;
	struct nt_lttng_form *form = nt_lttng_form_of(&decoder->forms, class, &is_new);
	if (is_new)
		form->chosen = decoder->out->telling && form->shape && nt_lttng_telling_wants(decoder->out->telling, form->shape);
	return form;
}

static bool is_other(const struct nt_lttng_decoder *decoder, uint64_t vpid)
{
	for (unsigned i = 0; i < OTHERS && i < decoder->other_count; i++)
		if (decoder->others[i] == vpid)
			return true;
	return false;
}

/* The target is not known yet: to tell costs some files of /proc, and a process that is not it may emit many events. */
static void decide(struct nt_lttng_decoder *decoder, uint32_t vpid)
{
	if (is_other(decoder, vpid) || decoder->wanted.is_target(decoder->wanted.context, vpid))
		return;
	decoder->others[decoder->other_count++ % OTHERS] = vpid;
}

/* On nettop's clock. */
static nt_time time_in(const struct nt_lttng_decoder *decoder, const bt_clock_snapshot *snapshot)
{
	return nt_lttng_time_of(snapshot) + (uint64_t)decoder->wanted.shift_ns;
}

/* A session per user carries every process of that user; two containers may both have the wanted pid. NULL: of nobody who is watched. */
static const struct nt_lttng_watched *whose(struct nt_lttng_decoder *decoder, const struct nt_lttng_form *form, const bt_event *event,
					    const bt_field *context, nt_time time)
{
	uint64_t vpid, pid_ns;
	if (!nt_lttng_vpid_of(form, event, context, &vpid)) {
		decoder->lacks_vpid = true;
		return NULL;
	}
	/* A process writes its number itself, and may write one that none has: with 0 it would be the target as long as nobody is. */
	if (!vpid || vpid > UINT32_MAX)
		return NULL;
	bool has_ns = nt_lttng_member_integer(context, form->pid_ns, &pid_ns) && pid_ns;
	const struct nt_lttng_watched_list *list = decoder->wanted.list;
	for (size_t i = 0; i < list->count; i++) {
		const struct nt_lttng_watched *watched = &list->items[i];
		if (watched->over || (watched->vpid && watched->vpid != vpid) || (watched->pid_ns && has_ns && pid_ns != watched->pid_ns))
			continue;
		if (!watched->vpid)
			decide(decoder, (uint32_t)vpid);
		return watched->vpid == vpid ? watched : NULL;
	}
	const struct nt_lttng_newcomer newcomer = { (uint32_t)vpid, has_ns ? pid_ns : 0, form, event, context, time };
	return decoder->wanted.admit && form->desc ? decoder->wanted.admit(decoder->wanted.context, &newcomer) : NULL;
}

static void decode_event(struct nt_lttng_decoder *decoder, const bt_message *message)
{
	struct nt_lttng_out *out = decoder->out;
	const bt_event *event = nt_bt.message_event_borrow_event_const(message);
	nt_time time = time_in(decoder, nt_bt.message_event_borrow_default_clock_snapshot_const(message));
	nt_lttng_out_advance(out, time);
	const struct nt_lttng_form *form = form_of(decoder, nt_bt.event_borrow_class_const(event));
	const bt_field *context = nt_bt.event_borrow_common_context_field_const(event);
	const struct nt_lttng_watched *watched = whose(decoder, form, event, context, time);
	if (!watched)
		return;
	uint64_t vtid = 0;
	nt_lttng_member_integer(context, form->vtid, &vtid);
	if (out->telling) {
		if (form->chosen) {
			nt_lttng_telling_add(out->telling, form, event, time, vtid);
			nt_lttng_out_count(out, time);
		}
		return;
	}
	const struct nt_clr_at at = {
		.interner = out->interner,
		.batch = out->batch,
		.time = time,
		.pid = watched->pid,
		.tid = vtid ? nt_inner_tids_outer(watched->tids, (uint32_t)vtid, time) : 0,
	};
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
	bool known = form->desc && nt_lttng_form_values(form, event, &decoder->scratch, values) == NT_OK;
	struct nt_event *built = known ? nt_clr_build(form->desc, values, &at) : nt_clr_build_unknown(form->name, &at);
	if (!built) /* a known event that says nothing nettop shows */
		return;
	nt_inner_tids_translate(watched->tids, built);
	nt_lttng_out_append(out, built);
}

static void lost_events(struct nt_lttng_decoder *decoder, const bt_message *message)
{
	struct nt_ev_lost lost = { .what = NT_LOST_EVENTS, .from = NT_TIME_UNKNOWN };
	nt_time until = decoder->out->delivered_until;
	lost.count_known = nt_bt.message_discarded_events_get_count(message, &lost.count) == BT_PROPERTY_AVAILABILITY_AVAILABLE;
	if (nt_bt.stream_class_discarded_events_have_default_clock_snapshots(
		    nt_bt.stream_borrow_class_const(nt_bt.message_discarded_events_borrow_stream_const(message)))) {
		lost.from = time_in(decoder, nt_bt.message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
		until = time_in(decoder, nt_bt.message_discarded_events_borrow_end_default_clock_snapshot_const(message));
	}
	nt_lttng_out_lost(decoder->out, &lost, until);
}

/* The relay's ring was overrun: how many packets is known, what was in them is not. */
static void lost_packets(struct nt_lttng_decoder *decoder, const bt_message *message)
{
	struct nt_ev_lost lost = { .what = NT_LOST_PACKETS, .from = NT_TIME_UNKNOWN };
	nt_time until = decoder->out->delivered_until;
	if (nt_bt.stream_class_discarded_packets_have_default_clock_snapshots(
		    nt_bt.stream_borrow_class_const(nt_bt.message_discarded_packets_borrow_stream_const(message)))) {
		lost.from = time_in(decoder, nt_bt.message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
		until = time_in(decoder, nt_bt.message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
	}
	nt_lttng_out_lost(decoder->out, &lost, until);
}

/* Each packet may have brought metadata. What another process's trace declares does not concern the target; one of a whole user's does not say whose it is. */
static void look_at_classes(struct nt_lttng_decoder *decoder, const bt_stream *stream)
{
	const struct nt_lttng_watched_list *list = decoder->wanted.list;
	uint64_t vpid;
	bool of_one = nt_lttng_trace_vpid(stream, &vpid), is_watched = !of_one;
	for (size_t i = 0; i < list->count; i++)
		is_watched |= of_one && vpid == list->items[i].vpid;
	if (is_watched)
		nt_lttng_declared_look(&decoder->declared, nt_bt.stream_borrow_class_const(stream));
}

void nt_lttng_decode(struct nt_lttng_decoder *decoder, const bt_message *message)
{
	switch (nt_bt.message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		decode_event(decoder, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		lost_events(decoder, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		lost_packets(decoder, message);
		break;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		nt_lttng_out_advance(decoder->out,
				     time_in(decoder, nt_bt.message_message_iterator_inactivity_borrow_clock_snapshot_const(message)));
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		look_at_classes(decoder, nt_bt.message_stream_beginning_borrow_stream_const(message));
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		look_at_classes(decoder, nt_bt.packet_borrow_stream_const(nt_bt.message_packet_beginning_borrow_packet_const(message)));
		break;
	default:
		break; /* the end of streams and packets */
	}
}
