// SPDX-License-Identifier: GPL-2.0-only
#include "translate/translation.h"

#include "nettop/model.h"

/* As short as those of a session: the screens that count in a second read the same. */
static const nt_time interval_ns = NT_NS_PER_S;

void nt_translation_begin(struct nt_translation *translation, struct nt_recorder *recorder, uint32_t pid, nt_time start,
			  int64_t realtime_offset_ns)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = pid;
	config.start = start;
	config.interval_ns = interval_ns;
	*translation = (struct nt_translation){
		.recorder = recorder, .pid = pid, .start = start, .tick = start + interval_ns, .ticks_left = NT_TRANSLATION_TICKS_MAX
	};
	nt_recorder_settings(recorder, &config, realtime_offset_ns);
}

nt_time nt_translation_last(const struct nt_translation *translation)
{
	return translation->start + NT_TRANSLATION_TICKS_MAX * interval_ns;
}

void nt_translation_absent(const struct nt_translation *translation, enum nt_source_id source, const char *reason)
{
	struct nt_outbox box;
	nt_outbox_init(&box, source);
	nt_outbox_state(&box, translation->start, translation->pid, NT_STATE_ABSENT, false, reason, NULL);
	nt_translation_send(translation, &box);
	nt_outbox_fini(&box);
}

void nt_translation_send(const struct nt_translation *translation, struct nt_outbox *box)
{
	struct nt_batch *batch = nt_outbox_take(box);
	if (!batch)
		return;
	nt_recorder_batch(translation->recorder, batch);
	nt_outbox_give_back(box, batch);
}

bool nt_translation_is_due(const struct nt_translation *translation, nt_time time)
{
	return time >= translation->tick && translation->ticks_left;
}

bool nt_translation_tick(struct nt_translation *translation)
{
	nt_recorder_tick(translation->recorder, &(struct nt_tick){ .now = translation->tick, .how = NT_TICK_DUE });
	translation->tick += interval_ns;
	return --translation->ticks_left > 0;
}

void nt_translation_end(struct nt_translation *translation, nt_time end, bool complete)
{
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_APP);
	nt_outbox_add(&box, NT_EV_END, end, translation->pid, 0);
	nt_translation_send(translation, &box);
	nt_outbox_fini(&box);
	nt_recorder_tick(translation->recorder, &(struct nt_tick){ .now = end, .how = NT_TICK_CLOSE });
	nt_recorder_tick(translation->recorder, &(struct nt_tick){ .now = end, .how = NT_TICK_FINAL, .complete = complete });
}
