// SPDX-License-Identifier: GPL-2.0-only
/* What the snapshot says of the method that somebody looks at: the piece of its code with most samples, as instructions. */
#include "base/alloc.h"
#include "base/arena.h"
#include "model/code/annotate.h"
#include "nettop/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK_AGAIN_NS (2 * NT_NS_PER_S)
#define MARKED_PCT   5.0 /* an instruction with so many of the samples is worth a look */

enum { JUMP_BYTES = 96 };

/* ---- pieces of code ---- */

/* A place, and the piece of code that it is in. */
struct placed {
	uint64_t address, count;
	nt_time newest;
	uint64_t start, end;
};

static int by_address(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* The places of which it is known where their code begins, piece by piece. Returns how many. */
static size_t place_all(const struct nt_annotate *annotate, struct placed *out)
{
	size_t kept = 0;
	for (size_t i = 0; i < annotate->place_count; i++) {
		const struct nt_annotate_place *place = &annotate->places[i];
		struct placed *placed = &out[kept];
		*placed = (struct placed){ .address = place->address, .count = place->count, .newest = place->newest };
		kept += nt_resolver_extent(annotate->resolver, place->address, place->newest, &placed->start, &placed->end);
	}
	qsort(out, kept, sizeof(*out), by_address);
	return kept;
}

/* [first, first + count) of the places lie in one piece. */
struct piece {
	size_t first, count;
	uint64_t samples;
};

static struct piece piece_from(const struct placed *placed, size_t first, size_t count)
{
	struct piece piece = { .first = first };
	for (size_t i = first; i < count && placed[i].start == placed[first].start; i++) {
		piece.count++;
		piece.samples += placed[i].count;
	}
	return piece;
}

static struct piece heaviest(const struct placed *placed, size_t count, struct nt_annotation *out)
{
	struct piece best = { 0 };
	for (size_t i = 0; i < count;) {
		struct piece piece = piece_from(placed, i, count);
		out->all_samples += piece.samples;
		out->code_count++;
		if (piece.samples > best.samples)
			best = piece;
		i += piece.count;
	}
	return best;
}

static const struct placed *hottest(const struct placed *placed, const struct piece *piece)
{
	const struct placed *best = &placed[piece->first];
	for (size_t i = piece->first; i < piece->first + piece->count; i++)
		if (placed[i].count > best->count)
			best = &placed[i];
	return best;
}

/* To be asked for: of code that is too long the part around the hottest instruction; it begins with a sampled one, because only there an instruction surely begins. */
static struct nt_question choose_part(const struct placed *placed, const struct piece *piece, uint32_t pid)
{
	const struct placed *middle = hottest(placed, piece);
	uint64_t from = middle->start, to = middle->end;
	if (to - from > NT_CODE_BYTES_MAX && middle->address - from > NT_CODE_BYTES_MAX / 2)
		for (size_t i = piece->first; i < piece->first + piece->count; i++) {
			from = placed[i].address;
			if (middle->address - from <= NT_CODE_BYTES_MAX / 2)
				break;
		}
	if (to - from > NT_CODE_BYTES_MAX)
		to = from + NT_CODE_BYTES_MAX;
	return (struct nt_question){ .pid = pid, .map_start = from, .map_end = to, .time = middle->newest, .image = NT_CODE_IMAGE };
}

static void put_questions(struct nt_process_snapshot *process, const struct nt_question *questions, size_t count)
{
	process->questions = nt_realloc(process->questions, process->question_count + count, sizeof(*process->questions));
	for (size_t i = 0; i < count; i++)
		process->questions[process->question_count++] = questions[i];
}

static void ask(struct nt_annotate *annotate, const struct nt_question *question, const struct nt_span *span,
		struct nt_process_snapshot *process)
{
	bool same = annotate->asked_from == question->map_start && annotate->asked_to == question->map_end;
	if (same && (annotate->assembly.said || span->t1 < annotate->asked + ASK_AGAIN_NS))
		return;
	if (!same)
		nt_assembly_fini(&annotate->assembly);
	annotate->asked_from = question->map_start;
	annotate->asked_to = question->map_end;
	annotate->asked = span->t1;
	put_questions(process, question, 1);
}

/* Where the code comes from is asked of all of it, as others know it. */
static void ask_origin(struct nt_annotate *annotate, const struct nt_annotation *code, const struct nt_span *span, uint32_t pid,
		       struct nt_process_snapshot *process)
{
	struct nt_question questions[NT_ORIGIN_QUESTIONS];
	const struct nt_origin_code origin = { .pid = pid,
					       .start = code->start,
					       .end = code->end,
					       .kind = code->kind,
					       .method = code->raw_name ? code->raw_name : code->name,
					       .reads_data = nt_resolver_reads_data(annotate->resolver) };
	put_questions(process, questions, nt_origin_ask(&annotate->origin, &origin, span->t1, questions));
}

/* ---- the snapshot ---- */

/* Where a jump leads to, as an offset when that is within the code. */
static const char *text_of(const char *text, const struct nt_annotation *code, struct nt_arena *arena)
{
	char relative[JUMP_BYTES], *end;
	const char *operand = strrchr(text, ' ');
	if (!operand || strncmp(operand, " 0x", 3) != 0 || strchr(text, ','))
		return nt_arena_text(arena, text, strlen(text));
	uint64_t target = strtoull(operand + 1, &end, 16);
	if (*end || target < code->start || target >= code->end)
		return nt_arena_text(arena, text, strlen(text));
	int length = snprintf(relative, sizeof(relative), "%.*s +%" PRIx64, (int)(operand - text), text, target - code->start);
	return nt_arena_text(arena, relative, (size_t)length < sizeof(relative) ? (size_t)length : sizeof(relative) - 1);
}

static void fill_rows(const struct nt_assembly *assembly, struct nt_arena *arena, struct nt_process_snapshot *process)
{
	struct nt_instruction_row *rows = nt_realloc(NULL, assembly->count, sizeof(*rows));
	for (size_t i = 0; i < assembly->count; i++) {
		const struct nt_assembly_line *line = &assembly->lines[i];
		rows[i] = (struct nt_instruction_row){ .address = line->address,
						       .offset = line->address - process->annotation.start,
						       .text = text_of(assembly->texts + line->text, &process->annotation, arena) };
	}
	process->instructions = rows;
	process->instruction_count = assembly->count;
}

static void fill_samples(const struct nt_assembly *assembly, const struct placed *placed, const struct piece *piece,
			 struct nt_process_snapshot *process)
{
	uint64_t most = 0;
	for (size_t i = piece->first; i < piece->first + piece->count; i++) {
		size_t line = nt_assembly_find(assembly, placed[i].address);
		if (line == SIZE_MAX)
			continue; /* of long code in another part of it */
		struct nt_instruction_row *row = &process->instructions[line];
		row->samples += placed[i].count;
		row->pct = 100.0 * (double)row->samples / (double)piece->samples;
		row->marked = row->pct >= MARKED_PCT;
		if (row->samples > most) {
			most = row->samples;
			process->annotation.hottest = row->address;
		}
	}
}

static void fill(const struct nt_annotate *annotate, const struct placed *placed, const struct piece *piece, struct nt_arena *arena,
		 struct nt_process_snapshot *process)
{
	const struct placed *hot = hottest(placed, piece);
	struct nt_annotation *out = &process->annotation;
	out->samples = piece->samples;
	out->start = hot->start;
	out->end = hot->end;
	out->hottest = hot->address;
	struct nt_resolved resolved = nt_resolver_resolve(annotate->resolver, hot->address, false, hot->newest, 0);
	const struct nt_key *key = nt_resolver_key(annotate->resolver, resolved.key);
	out->tier = resolved.tier;
	out->name = key->name;
	out->raw_name = key->raw_name;
	out->kind = key->kind;
	out->reason = annotate->assembly.reason;
	out->lines_reason = annotate->origin.reason;
	fill_rows(&annotate->assembly, arena, process);
	nt_origin_fill(&annotate->origin, arena, process->instructions, process->instruction_count);
	fill_samples(&annotate->assembly, placed, piece, process);
}

void nt_annotate_close(struct nt_annotate *annotate, const struct nt_span *span, uint32_t pid, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process)
{
	static const char no_extent[] = "where its code begins is not known";
	struct nt_annotation *out = &process->annotation;
	*out = (struct nt_annotation){ .method = annotate->method };
	if (!annotate->place_count)
		return;
	struct placed *placed = nt_realloc(NULL, annotate->place_count, sizeof(*placed));
	struct piece piece = heaviest(placed, place_all(annotate, placed), out);
	if (piece.count) {
		const struct nt_question question = choose_part(placed, &piece, pid);
		ask(annotate, &question, span, process);
		fill(annotate, placed, &piece, snapshot->arena, process);
		ask_origin(annotate, out, span, pid, process);
	} else {
		out->reason = no_extent;
	}
	free(placed);
}
