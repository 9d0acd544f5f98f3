// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/inputs.h"

void nt_inputs_init(struct nt_inputs *inputs, const struct nt_model_config *config, bool check_replay, struct nt_tape *tape)
{
	*inputs = (struct nt_inputs){ .model = nt_model_new(config), .own = nt_batch_new(NT_SOURCE_APP), .tape = tape };
	if (check_replay)
		inputs->replay = nt_replay_check_new(config);
	if (tape)
		nt_tape_settings(tape, config, nt_clock_realtime_offset());
}

void nt_inputs_fini(struct nt_inputs *inputs)
{
	nt_replay_check_free(inputs->replay);
	nt_batch_free(inputs->own);
	nt_model_free(inputs->model);
}

void nt_inputs_batch(struct nt_inputs *inputs, const struct nt_batch *batch)
{
	if (!batch->event_count && !batch->str_count && !batch->stack_count)
		return;
	if (inputs->replay)
		nt_replay_check_batch(inputs->replay, batch);
	if (inputs->tape)
		nt_tape_batch(inputs->tape, batch);
	nt_model_apply(inputs->model, batch);
}

struct nt_event *nt_inputs_begin(struct nt_inputs *inputs, enum nt_source_id source, enum nt_event_kind kind, nt_time time, uint32_t pid)
{
	struct nt_batch *batch = inputs->own;
	nt_batch_reset(batch);
	batch->source = source;
	batch->epoch = 0;
	return nt_batch_add(batch, kind, time, pid, 0);
}

void nt_inputs_send(struct nt_inputs *inputs)
{
	nt_inputs_batch(inputs, inputs->own);
}

struct nt_snapshot *nt_inputs_tick(struct nt_inputs *inputs, const struct nt_tick *tick)
{
	if (inputs->tape)
		nt_tape_tick(inputs->tape, tick);
	struct nt_snapshot *snapshot = nt_model_take_tick(inputs->model, tick);
	if (inputs->replay)
		nt_replay_check_tick(inputs->replay, tick, snapshot);
	return snapshot;
}
