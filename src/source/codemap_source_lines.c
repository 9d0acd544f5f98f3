// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_source_lines.h"

#include "base/alloc.h"
#include "source/method_lines.h"
#include "source/precompiled_il.h"

#include <stdlib.h>

struct visit {
	struct nt_errand errand;
	char *proc_dir, *root_dir, *method; /* owned */
	uid_t uid;
	uint64_t address;
	struct nt_method_lines lines;
	struct nt_precompiled_il il;
	bool has_il;
};

static void run(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	const struct nt_mapped_process process = { .proc_dir = visit->proc_dir, .root_dir = visit->root_dir, .uid = visit->uid };
	nt_method_lines_read(&process, visit->method, &visit->lines);
	visit->has_il = nt_precompiled_il_read(&process, visit->address, &visit->il);
}

static void release(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	free(visit->proc_dir);
	free(visit->root_dir);
	free(visit->method);
	nt_method_lines_fini(&visit->lines);
	nt_precompiled_il_fini(&visit->il);
	free(visit);
}

static struct visit *new_visit(const struct nt_codemap_target *target, const struct nt_codemap_question *question)
{
	struct visit *visit = nt_alloc(sizeof(*visit));
	visit->errand = (struct nt_errand){ .run = run, .release = release };
	visit->proc_dir = nt_strdup(target->proc_dir);
	visit->root_dir = nt_strdup(target->root_dir);
	visit->method = nt_strdup(question->method ? question->method : "");
	visit->uid = target->uid;
	visit->address = question->map_start;
	return visit;
}

static void put(const struct nt_codemap_question *question, const struct nt_method_lines *lines, const char *reason,
		struct nt_codemap_out *out)
{
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_SOURCE_LINES, nt_clock_now());
	event->u.source_lines.asked = question->map_start;
	event->u.source_lines.reason = nt_codemap_out_cstr(out, reason);
	nt_batch_add_source_lines(out->batch, lines->lines, lines->count, lines->text, lines->length);
}

static void put_il(const struct nt_codemap_question *question, const struct nt_precompiled_il *il, struct nt_codemap_out *out)
{
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_IL_MAP, nt_clock_now());
	event->u.il_map.asked = question->map_start;
	event->u.il_map.start = il->start;
	event->u.il_map.size = il->size;
	nt_batch_add_il_map(out->batch, il->places, il->count);
}

void nt_codemap_source_lines_answer(const struct nt_codemap_target *target, struct nt_hand *hand,
				    const struct nt_codemap_question *question, struct nt_codemap_out *out)
{
	static const struct nt_method_lines none = { 0 };
	struct visit *visit = new_visit(target, question);
	enum nt_status status = nt_hand_do(hand, &visit->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status == NT_END)
		return; /* we are closing */
	if (status != NT_OK) {
		put(question, &none, "its lines cannot be read: timed out", out);
		return;
	}
	if (visit->has_il)
		put_il(question, &visit->il, out);
	put(question, &visit->lines, visit->lines.reason[0] ? visit->lines.reason : NULL, out);
	release(&visit->errand);
}
