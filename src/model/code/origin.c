// SPDX-License-Identifier: GPL-2.0-only
#include "model/code/origin.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

/* How long an answer may take: lines are read from a file; a list of all methods has to be asked of the runtime. */
#define LINES_AGAIN_NS (2 * NT_NS_PER_S)
#define READ_LONG_NS   (2 * NT_NS_PER_S)
#define IL_AGAIN_NS    (10 * NT_NS_PER_S)

void nt_origin_fini(struct nt_origin *origin)
{
	free(origin->il);
	free(origin->lines);
	*origin = (struct nt_origin){ 0 };
}

/* ---- answers ---- */

static bool within(uint32_t first, uint32_t count, size_t there)
{
	return first <= there && count <= there - first;
}

void nt_origin_take_il(struct nt_origin *origin, const struct nt_ev_il_map *said, const struct nt_batch *batch, const char *reason)
{
	if (!origin->start || said->asked != origin->start || !within(said->first, said->count, batch->place_count))
		return;
	origin->il_said = !said->failed;
	origin->read_failed |= said->failed;
	origin->reason = reason ? reason : origin->reason;
	origin->il = nt_realloc(origin->il, said->count, sizeof(*origin->il));
	origin->il_count = said->count;
	if (said->count)
		memcpy(origin->il, batch->places + said->first, said->count * sizeof(*origin->il));
}

static const char *file_of(const struct nt_batch_line *line, const struct nt_batch *batch, struct nt_texts *texts)
{
	bool there = line->length && within(line->offset, line->length, batch->byte_count);
	return there ? nt_texts_intern(texts, batch->bytes + line->offset, line->length) : NULL;
}

void nt_origin_take_lines(struct nt_origin *origin, const struct nt_ev_source_lines *said, const struct nt_batch *batch, const char *reason,
			  struct nt_texts *texts)
{
	if (!origin->start || said->asked != origin->start || !within(said->first, said->count, batch->line_count))
		return;
	const struct nt_batch_line *lines = batch->lines + said->first;
	origin->lines_said = true;
	origin->reason = reason ? reason : origin->reason;
	origin->lines = nt_realloc(origin->lines, said->count, sizeof(*origin->lines));
	origin->line_count = 0;
	for (uint32_t i = 0; i < said->count; i++) {
		struct nt_origin_line *line = &origin->lines[origin->line_count];
		if (lines[i].start > UINT32_MAX || (origin->line_count && lines[i].start <= line[-1].il_offset))
			continue;
		bool same_file = i && lines[i].offset == lines[i - 1].offset && lines[i].length == lines[i - 1].length;
		*line = (struct nt_origin_line){ .il_offset = (uint32_t)lines[i].start, .line = lines[i].size };
		line->file = same_file && origin->line_count ? line[-1].file : file_of(&lines[i], batch, texts);
		origin->line_count++;
	}
}

/* ---- questions ---- */

static bool is_due(bool said, nt_time *asked, nt_time now, nt_time again)
{
	if (said || (*asked && now < *asked + again))
		return false;
	*asked = now;
	return true;
}

/* To read it costs the target nothing, so the runtime itself is asked for what is not there to be read, or does not come. */
static const char *whom_to_ask_for_il(struct nt_origin *origin, const struct nt_origin_code *code, nt_time now)
{
	bool waits = origin->read_asked && now < origin->read_asked + READ_LONG_NS, asked = origin->read_asked != 0;
	if (origin->il_said)
		return NULL;
	if (code->reads_data && !origin->read_failed && (waits || !asked)) {
		origin->read_asked = asked ? origin->read_asked : now;
		return asked ? NULL : NT_RUNTIME_IL_IMAGE;
	}
	return is_due(false, &origin->il_asked, now, IL_AGAIN_NS) ? NT_IL_MAP_IMAGE : NULL;
}

size_t nt_origin_ask(struct nt_origin *origin, const struct nt_origin_code *code, nt_time now, struct nt_question *out)
{
	size_t count = 0;
	const struct nt_question question = { .pid = code->pid, .map_start = code->start, .map_end = code->end, .method = code->method };
	if (code->kind != NT_CODE_JIT && code->kind != NT_CODE_R2R)
		return 0; /* made of no IL */
	if (origin->start != code->start) {
		nt_origin_fini(origin);
		origin->start = code->start;
	}
	if (is_due(origin->lines_said, &origin->lines_asked, now, LINES_AGAIN_NS)) {
		out[count] = question;
		out[count++].image = NT_LINES_IMAGE;
	}
	/* Of precompiled code whoever reads its image tells unasked. */
	const char *whom = code->kind == NT_CODE_JIT ? whom_to_ask_for_il(origin, code, now) : NULL;
	if (whom) {
		out[count] = question;
		out[count].offset = code->start;
		out[count++].image = whom;
	}
	return count;
}

/* ---- look-up ---- */

uint32_t nt_origin_il(const struct nt_origin *origin, uint64_t address)
{
	size_t next = nt_starts_up_to(origin->il, origin->il_count, sizeof(*origin->il), address);
	const struct nt_batch_place *place = next ? &origin->il[next - 1] : NULL;
	bool known = place && address - place->start < place->size && place->offset < NT_IL_EPILOG;
	return known ? place->offset : NT_IL_NO_MAPPING;
}

const struct nt_origin_line *nt_origin_line(const struct nt_origin *origin, uint32_t il_offset)
{
	size_t next = nt_starts32_up_to(origin->lines, origin->line_count, sizeof(*origin->lines), il_offset);
	return next && il_offset != NT_IL_NO_MAPPING && origin->lines[next - 1].line ? &origin->lines[next - 1] : NULL;
}
