// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/replay_text.h"

#include "base/alloc.h"
#include "nettop/source.h"
#include "output/frame/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *text_of(const char *text)
{
	return text ? text : "-";
}

static void put_stacks(FILE *out, const struct nt_stack_tree *tree)
{
	fprintf(out, "\nstacks %u %a %a %" PRIu64, tree->wanted, tree->samples, tree->evicted, tree->untimed);
	for (uint32_t i = 0; i < tree->frame_count; i++) {
		const struct nt_stack_frame *frame = &tree->frames[i];
		fprintf(out, "\nframe %u %" PRIu32 " %u %" PRIx64 " %u %u %s %s %s %s", frame->sort, frame->tid, frame->side, frame->id,
			frame->kind, frame->tier, text_of(frame->name), text_of(frame->raw_name), text_of(frame->module),
			text_of(frame->reason));
	}
	for (uint32_t i = 0; i < tree->node_count; i++)
		fprintf(out, "\nnode %" PRIu32 " %" PRIu32 " %a", tree->nodes[i].parent, tree->nodes[i].frame, tree->nodes[i].self);
	for (uint32_t i = 0; i < tree->moment_count; i++)
		fprintf(out, "\nmoment %" PRIu64 " %" PRIu32 " %" PRIu32, tree->moments[i].time, tree->moments[i].node,
			tree->moments[i].samples);
}

static void put_code(FILE *out, const struct nt_process_snapshot *process)
{
	const struct nt_annotation *code = &process->annotation;
	fprintf(out, "\ncode %" PRIx64 " %u %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %zu %s %s %s %s", code->method,
		code->tier, code->kind, code->start, code->end, code->hottest, code->samples, code->all_samples, code->code_count,
		text_of(code->name), text_of(code->raw_name), text_of(code->reason), text_of(code->lines_reason));
	for (size_t i = 0; i < process->instruction_count; i++) {
		const struct nt_instruction_row *row = &process->instructions[i];
		fprintf(out, "\ninstruction %" PRIx64 " %" PRIx64 " %" PRIu64 " %a %d %" PRIx32 " %" PRIu32 " %s %s %s", row->address,
			row->offset, row->samples, row->pct, row->marked, row->il_offset, row->line, text_of(row->file),
			text_of(row->place), text_of(row->text));
	}
}

static void put_questions(FILE *out, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->question_count; i++) {
		const struct nt_question *question = &process->questions[i];
		fprintf(out, "\nquestion %" PRIu32 " %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu64 " %s %s", question->pid,
			question->inode, question->offset, question->map_start, question->map_end, question->time, text_of(question->image),
			text_of(question->method));
	}
}

char *nt_replay_text(const struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = SIZE_MAX, .replay_equal = -1 };
	char *text = NULL, *line = nt_json_line(snapshot, &options);
	size_t length;
	FILE *out = open_memstream(&text, &length);
	nt_assert(out);
	fputs(text_of(line), out);
	free(line);
	for (size_t i = 0; i < snapshot->process_count; i++) {
		const struct nt_process_snapshot *process = &snapshot->processes[i];
		put_stacks(out, &process->stacks);
		put_code(out, process);
		put_questions(out, process);
	}
	nt_assert(fclose(out) == 0);
	return text;
}
