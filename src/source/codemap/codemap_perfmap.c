// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_perfmap.h"

#include "base/alloc.h"
#include "decode/codemap/perfmap.h"
#include "decode/names/method_name.h"
#include "source/codemap/codemap_state.h"
#include "source/codemap/codemap_tail.h"

#include <stdlib.h>
#include <string.h>

/* Each look is a path walk and two threads that wake up. Intervals wait for it, but not longer than for their slowest source anyway. */
#define POLL_NS  NT_NS_PER_S
#define RETRY_NS (5 * NT_NS_PER_S) /* after a time-out: each try may cost a thread */

/* The runtime's write of a line becomes visible up to 0.3 ms after the code exists (measured, .NET 10): times are taken back by this much. */
#define VISIBLE_NS NT_NS_PER_MS

/* A name is at most so far behind the begin of its line: `0xADDRESS 0xSIZE `. */
enum { BEFORE_NAME = 40, USUAL_BYTES = 2048, LINE_BYTES = NT_JITDUMP_NAME_AT + NT_PERFMAP_LINE_MAX };

struct nt_codemap_perfmap {
	struct nt_codemap_out *out;
	struct nt_codemap_switch *map_switch;
	bool is_jitdump;
	nt_time begun; /* before that nobody was sampled */
	struct nt_codemap_tail *tail;
	struct nt_codemap_state state;
	uint64_t size;       /* of the file, as said last */
	uint32_t number;     /* of the file, above 0; another one after each truncation */
	size_t name_bytes;   /* still to be handed over */
	nt_time known_until; /* every line written before this time has been read; 0 = the file was never read to its end */
	nt_time from, seen;  /* of the lines in hand */
};

struct nt_codemap_perfmap *nt_codemap_perfmap_new(const struct nt_files_target *target, struct nt_codemap_switch *map_switch,
						  struct nt_hand *hand, struct nt_codemap_out *out)
{
	struct nt_codemap_perfmap *perfmap = nt_alloc(sizeof(*perfmap));
	perfmap->out = out;
	perfmap->map_switch = map_switch;
	perfmap->is_jitdump = target->is_jitdump;
	perfmap->begun = nt_clock_now();
	perfmap->number = 1;
	perfmap->name_bytes = NT_CODEMAP_NAME_BYTES;
	perfmap->tail = nt_codemap_tail_new(target, hand);
	nt_codemap_state_init(&perfmap->state, target, nt_codemap_switch_said(map_switch), out);
	return perfmap;
}

void nt_codemap_perfmap_free(struct nt_codemap_perfmap *perfmap)
{
	if (!perfmap)
		return;
	nt_codemap_tail_free(perfmap->tail);
	free(perfmap);
}

static void put_places(struct nt_codemap_perfmap *perfmap, const struct nt_question_places *places, enum nt_code_kind kind)
{
	const struct nt_ev_code code = { .from = perfmap->from, .map = perfmap->number, .kind = kind };
	nt_codemap_out_places(perfmap->out, perfmap->seen, &code, places->items, places->count);
}

/* A jitdump says since when each of its lines holds. (What it says is not ours: a time to come is none.) */
static void put_named(struct nt_codemap_perfmap *perfmap, const struct nt_codemap_look *look)
{
	const struct nt_codemap_lines *lines = look->lines;
	if (!perfmap->is_jitdump) {
		nt_codemap_out_lines(perfmap->out, perfmap->seen, perfmap->from, lines->named, lines->named_count, look->text);
		return;
	}
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < lines->named_count; i++) {
		nt_time said = lines->named_times[i];
		nt_time from = !said || said > now ? perfmap->from : said > perfmap->begun ? said : 0;
		nt_codemap_out_lines(perfmap->out, perfmap->seen, from, &lines->named[i], 1, look->text);
	}
}

/* True: there may be more. */
static bool read_some(struct nt_codemap_perfmap *perfmap, struct nt_codemap_look *look)
{
	nt_codemap_tail_look(perfmap->tail, perfmap->name_bytes, look);
	perfmap->number += look->restarted;
	if (look->status != NT_OK && look->status != NT_ERR_GONE)
		return false;
	const struct nt_codemap_lines *lines = look->lines;
	perfmap->name_bytes = lines->name_bytes;
	put_named(perfmap, look);
	put_places(perfmap, &lines->methods, NT_CODE_JIT);
	put_places(perfmap, &lines->stubs, NT_CODE_STUB);
	return look->more;
}

static void put_size(struct nt_codemap_perfmap *perfmap, uint64_t size)
{
	if (size == perfmap->size)
		return;
	perfmap->size = size;
	nt_codemap_out_event(perfmap->out, NT_EV_FILE, perfmap->seen)->u.file.bytes = size;
}

/* True: the map was switched off because of what the look saw. */
static bool judge(struct nt_codemap_perfmap *perfmap, const struct nt_codemap_look *look)
{
	bool there = look->status == NT_OK, absent = look->status == NT_ERR_FAILED && look->file.refusal == NT_REFUSAL_ABSENT;
	return (there || absent) && nt_codemap_switch_see(perfmap->map_switch, there, look->size, &look->room);
}

nt_time nt_codemap_perfmap_poll(struct nt_codemap_perfmap *perfmap)
{
	struct nt_codemap_out *out = perfmap->out;
	struct nt_codemap_look look = { .status = NT_END };
	bool more = true;
	while (more && !nt_codemap_inbox_cancelled(out->inbox)) {
		/* What was written before this moment is in the file now; what is not in it yet is younger. */
		perfmap->seen = nt_clock_now() - VISIBLE_NS;
		perfmap->from = perfmap->known_until;
		more = read_some(perfmap, &look);
	}
	if (look.status == NT_END)
		return NT_TIME_UNKNOWN;
	/* Once more: that lets go of the file, whose space would not be free before, and says that it is gone. */
	if (judge(perfmap, &look))
		read_some(perfmap, &look);
	nt_codemap_tail_rest(perfmap->tail);
	nt_codemap_state_report(&perfmap->state, &look);
	if (look.status == NT_OK) {
		perfmap->known_until = perfmap->seen;
		put_size(perfmap, look.size);
	}
	if (look.status != NT_ERR_TIMEOUT)
		nt_codemap_out_event(out, NT_EV_IDLE, perfmap->seen);
	if (perfmap->from)
		nt_codemap_out_flush(out);
	else
		nt_codemap_out_send(out); /* the whole map, when it is read first */
	if (look.status == NT_ERR_GONE)
		return NT_TIME_UNKNOWN;
	return nt_clock_now() + (look.status == NT_ERR_TIMEOUT ? RETRY_NS : POLL_NS);
}

void nt_codemap_perfmap_end(struct nt_codemap_perfmap *perfmap)
{
	nt_codemap_state_end(&perfmap->state);
}

/* ---- names that stayed in the file ---- */

/* Where the line of a name must begin, or its record, and what follows. */
static struct nt_codemap_piece piece_of(const struct nt_codemap_perfmap *perfmap, const struct nt_image_question *question, size_t size)
{
	uint64_t offset = question->offset, before = perfmap->is_jitdump ? NT_JITDUMP_NAME_AT : BEFORE_NAME;
	return (struct nt_codemap_piece){ .offset = offset > before ? offset - before : 0, .size = size };
}

/* The name that is asked for; length 0: not in this piece. */
static struct nt_slice name_in(const struct nt_codemap_piece *piece, const struct nt_image_question *question)
{
	size_t before = (size_t)(question->offset - piece->offset);
	if (before >= piece->length)
		return (struct nt_slice){ 0 };
	const char *name = piece->text + before, *end = memchr(name, '\n', piece->length - before);
	if (!end)
		return (struct nt_slice){ 0 };
	const char *newline = memrchr(piece->text, '\n', before), *line = newline ? newline + 1 : piece->text;
	struct nt_perfmap_parser parser = { 0 };
	struct nt_perfmap_lines lines;
	nt_perfmap_parse(&parser, line, (size_t)(end + 1 - line), &lines);
	const struct nt_batch_line *found = lines.items;
	bool same = lines.count == 1 && line + found->offset == name && question->map_start - found->start < found->size;
	return (struct nt_slice){ name, same ? found->length : 0 };
}

/* The same of a record. */
static struct nt_slice name_in_record(const struct nt_codemap_piece *piece, const struct nt_image_question *question)
{
	struct nt_jitdump_parser parser = { .begun = true };
	struct nt_jitdump_lines out;
	nt_jitdump_parse(&parser, piece->text, piece->length, &out);
	const struct nt_batch_line *found = out.lines.items;
	bool same =
		out.lines.count && piece->offset + found->offset == question->offset && question->map_start - found->start < found->size;
	return same ? (struct nt_slice){ piece->text + found->offset, found->length } : (struct nt_slice){ 0 };
}

static struct nt_slice name_of(const struct nt_codemap_perfmap *perfmap, const struct nt_codemap_piece *piece,
			       const struct nt_image_question *question)
{
	return perfmap->is_jitdump ? name_in_record(piece, question) : name_in(piece, question);
}

static void put_answer(struct nt_codemap_perfmap *perfmap, const struct nt_image_question *question, struct nt_slice name)
{
	struct nt_codemap_out *out = perfmap->out;
	struct nt_ev_name *said = &nt_codemap_out_event(out, NT_EV_NAME, nt_clock_now())->u.name;
	said->inode = question->inode;
	said->image = nt_codemap_out_cstr(out, NT_MAP_IMAGE);
	said->start = question->offset;
	said->end = question->offset + 1;
	said->kind = NT_CODE_JIT;
	said->name = nt_codemap_out_str(out, name.text, name.length);
	if (!name.length)
		said->reason = nt_codemap_out_cstr(out, "the perf map was truncated or replaced before this name was read");
	said->naming = NT_NAMING_CODE_UNNAMED;
}

void nt_codemap_perfmap_answer(struct nt_codemap_perfmap *perfmap, const struct nt_image_question *questions, size_t count)
{
	struct nt_codemap_piece pieces[NT_CODEMAP_PIECES_MAX];
	for (size_t i = 0; i < count; i++)
		pieces[i] = piece_of(perfmap, &questions[i], USUAL_BYTES);
	nt_codemap_tail_read_back(perfmap->tail, pieces, count);
	size_t again[NT_CODEMAP_PIECES_MAX], again_count = 0;
	for (size_t i = 0; i < count; i++) {
		bool same = questions[i].inode == perfmap->number;
		struct nt_slice name = same ? name_of(perfmap, &pieces[i], &questions[i]) : (struct nt_slice){ 0 };
		if (same && !name.length && pieces[i].length == USUAL_BYTES)
			again[again_count++] = i; /* a long one */
		else
			put_answer(perfmap, &questions[i], name);
	}
	for (size_t i = 0; i < again_count; i++) {
		const struct nt_image_question *question = &questions[again[i]];
		struct nt_codemap_piece piece = piece_of(perfmap, question, LINE_BYTES);
		nt_codemap_tail_read_back(perfmap->tail, &piece, 1);
		put_answer(perfmap, question, name_of(perfmap, &piece, question));
	}
}

void nt_codemap_perfmap_read_code(struct nt_codemap_perfmap *perfmap, const struct nt_jitdump_wanted *wanted, struct nt_jitdump_code *out)
{
	nt_codemap_tail_read_code(perfmap->tail, wanted, out);
}
