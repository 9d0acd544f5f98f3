// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/replay_check.h"

#include "app/session/replay_text.h"
#include "base/alloc.h"
#include "model/past/past.h"

#include <stdlib.h>
#include <string.h>

struct input {
	struct nt_batch *batch; /* owned; NULL: a tick */
	struct nt_tick tick;
	char *made; /* owned; the snapshot that the live model made of the tick; NULL = none */
};

struct nt_replay_check {
	struct nt_model_config config;
	struct input *inputs; /* owned */
	size_t input_count, input_capacity;
	struct nt_past *past;
	bool past_differs; /* a snapshot that was kept was not what it had been */
};

struct nt_replay_check *nt_replay_check_new(const struct nt_model_config *config)
{
	struct nt_replay_check *check = nt_alloc(sizeof(*check));
	check->config = *config;
	check->past = nt_past_new(&(struct nt_past_config){ 0 });
	return check;
}

void nt_replay_check_free(struct nt_replay_check *check)
{
	if (!check)
		return;
	for (size_t i = 0; i < check->input_count; i++) {
		nt_batch_free(check->inputs[i].batch);
		free(check->inputs[i].made);
	}
	free(check->inputs);
	nt_past_free(check->past);
	free(check);
}

static void note(struct nt_replay_check *check, struct input input)
{
	check->inputs = nt_grow(check->inputs, &check->input_capacity, check->input_count + 1, sizeof(*check->inputs));
	check->inputs[check->input_count++] = input;
}

void nt_replay_check_batch(struct nt_replay_check *check, const struct nt_batch *batch)
{
	note(check, (struct input){ .batch = nt_batch_copy(batch) });
}

static bool is_text_of(const struct nt_snapshot *snapshot, const char *expected)
{
	char *text = snapshot ? nt_replay_text(snapshot) : NULL;
	bool same = text && strcmp(text, expected) == 0;
	free(text);
	return same;
}

/* Is an interval of the past the one that was made? Call trees are not kept where the samples are. */
static bool is_kept(struct nt_snapshot *kept, const struct nt_snapshot *made, const char *text)
{
	for (size_t i = 0; i < kept->process_count && i < made->process_count; i++)
		if (made->processes[i].interval_samples.kept)
			kept->processes[i].stacks = made->processes[i].stacks;
	return is_text_of(kept, text);
}

static void keep(struct nt_replay_check *check, const struct nt_snapshot *made, const char *text)
{
	nt_past_add(check->past, made);
	struct nt_snapshot *kept = nt_past_get(check->past, made->sequence);
	check->past_differs |= !kept || !is_kept(kept, made, text);
	nt_snapshot_release(kept);
}

void nt_replay_check_tick(struct nt_replay_check *check, const struct nt_tick *tick, const struct nt_snapshot *made)
{
	char *text = made ? nt_replay_text(made) : NULL;
	if (made)
		keep(check, made, text);
	note(check, (struct input){ .tick = *tick, .made = text });
}

static bool makes_the_same(struct nt_model *model, struct nt_past *past, const struct input *input)
{
	struct nt_snapshot *snapshot = nt_model_take_tick(model, &input->tick);
	bool same = input->made ? is_text_of(snapshot, input->made) : !snapshot;
	/* Meanwhile most of what was kept is packed. */
	struct nt_snapshot *kept = snapshot ? nt_past_get(past, snapshot->sequence) : NULL;
	same &= !kept || is_kept(kept, snapshot, input->made);
	nt_snapshot_release(kept);
	nt_snapshot_release(snapshot);
	return same;
}

bool nt_replay_check_result(const struct nt_replay_check *check, size_t *count)
{
	struct nt_model *model = nt_model_new(&check->config);
	bool equal = !check->past_differs;
	*count = 0;
	for (size_t i = 0; i < check->input_count; i++) {
		const struct input *input = &check->inputs[i];
		if (input->batch) {
			nt_model_apply(model, input->batch);
			continue;
		}
		equal &= makes_the_same(model, check->past, input);
		*count += input->made != NULL;
	}
	nt_model_free(model);
	return equal;
}
