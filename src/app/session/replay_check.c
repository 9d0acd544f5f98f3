// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/replay_check.h"

#include "base/alloc.h"
#include "output/frame/json.h"

#include <stdlib.h>
#include <string.h>

enum input_kind { INPUT_BATCH, INPUT_TICK, INPUT_END, INPUT_CLOSE };

struct input {
	enum input_kind kind;
	bool final;
	nt_time now;
	struct nt_batch *batch; /* owned; INPUT_BATCH */
};

struct nt_replay_check {
	struct nt_model_config config;
	struct input *inputs; /* owned */
	size_t input_count, input_capacity;
	char **lines; /* owned; what the live model said */
	size_t line_count, line_capacity;
	size_t compared;
	bool equal;
};

struct nt_replay_check *nt_replay_check_new(const struct nt_model_config *config)
{
	struct nt_replay_check *check = nt_alloc(sizeof(*check));
	check->config = *config;
	return check;
}

void nt_replay_check_free(struct nt_replay_check *check)
{
	if (!check)
		return;
	for (size_t i = 0; i < check->input_count; i++)
		nt_batch_free(check->inputs[i].batch);
	for (size_t i = 0; i < check->line_count; i++)
		free(check->lines[i]);
	free(check->inputs);
	free(check->lines);
	free(check);
}

static void note(struct nt_replay_check *check, struct input input)
{
	check->inputs = nt_grow(check->inputs, &check->input_capacity, check->input_count + 1, sizeof(*check->inputs));
	check->inputs[check->input_count++] = input;
}

void nt_replay_check_batch(struct nt_replay_check *check, const struct nt_batch *batch)
{
	note(check, (struct input){ .kind = INPUT_BATCH, .batch = nt_batch_copy(batch) });
}

void nt_replay_check_tick(struct nt_replay_check *check, nt_time now)
{
	note(check, (struct input){ .kind = INPUT_TICK, .now = now });
}

void nt_replay_check_end(struct nt_replay_check *check, nt_time until)
{
	note(check, (struct input){ .kind = INPUT_END, .now = until });
}

void nt_replay_check_close(struct nt_replay_check *check, nt_time now, bool final)
{
	note(check, (struct input){ .kind = INPUT_CLOSE, .now = now, .final = final });
}

static char *line_of(const struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = SIZE_MAX, .replay_equal = -1 };
	char *line = nt_json_line(snapshot, &options);
	return line ? line : nt_strdup("");
}

void nt_replay_check_snapshot(struct nt_replay_check *check, const struct nt_snapshot *snapshot)
{
	if (snapshot->final)
		return; /* compared by nt_replay_check_result() */
	check->lines = nt_grow(check->lines, &check->line_capacity, check->line_count + 1, sizeof(*check->lines));
	check->lines[check->line_count++] = line_of(snapshot);
}

static void compare(struct nt_replay_check *check, const struct nt_snapshot *snapshot, const char *expected)
{
	char *line = line_of(snapshot);
	if (!expected || strcmp(line, expected) != 0)
		check->equal = false;
	free(line);
}

static void compare_next(struct nt_replay_check *check, struct nt_snapshot *snapshot)
{
	compare(check, snapshot, check->compared < check->line_count ? check->lines[check->compared] : NULL);
	check->compared++;
	nt_snapshot_release(snapshot);
}

int nt_replay_check_result(struct nt_replay_check *check, const struct nt_snapshot *final)
{
	struct nt_model *model = nt_model_new(&check->config);
	check->equal = true;
	for (size_t i = 0; i < check->input_count; i++) {
		const struct input *input = &check->inputs[i];
		if (input->kind == INPUT_BATCH) {
			nt_model_apply(model, input->batch);
		} else if (input->kind == INPUT_TICK) {
			for (struct nt_snapshot *snapshot; (snapshot = nt_model_tick(model, input->now));)
				compare_next(check, snapshot);
		} else if (input->kind == INPUT_END) {
			nt_model_end(model, input->now);
		} else if (!input->final) {
			compare_next(check, nt_model_close(model, input->now, false));
		} else {
			struct nt_snapshot *snapshot = nt_model_close(model, input->now, true);
			snapshot->complete = final->complete;
			char *expected = line_of(final);
			compare(check, snapshot, expected);
			free(expected);
			nt_snapshot_release(snapshot);
		}
	}
	nt_model_free(model);
	return check->equal && check->compared == check->line_count;
}
