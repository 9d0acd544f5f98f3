// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/coverage.h"

#include "nettop/source.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(NT_WANT_SWITCHES == 1u << (NT_COVER_THINGS - 1), "the last of the bits");

static void end_piece(struct nt_cover_line *line, nt_time until)
{
	line->covers = false;
	if (until > line->told && line->piece_count == NT_COVER_PIECES) {
		line->folded_ns += line->pieces[0].until - line->pieces[0].from;
		memmove(line->pieces, line->pieces + 1, --line->piece_count * sizeof(line->pieces[0]));
	}
	if (until > line->told)
		line->pieces[line->piece_count++] = (struct nt_cover_piece){ line->told, until };
	if (until > line->told)
		line->told = until;
}

void nt_coverage_told(struct nt_coverage *coverage, enum nt_source_id source, nt_time time, const struct nt_ev_cover *cover)
{
	coverage->says[source] = true;
	for (unsigned i = 0; i < NT_COVER_THINGS; i++) {
		struct nt_cover_line *line = &coverage->lines[source][i];
		if (!(cover->what & 1u << i) || line->covers == (cover->covered != 0))
			continue;
		if (!cover->covered) {
			end_piece(line, time);
			continue;
		}
		line->covers = true;
		if (time > line->told) /* never twice */
			line->told = time;
	}
}

void nt_coverage_over(struct nt_coverage *coverage, enum nt_source_id source, nt_time progress)
{
	for (unsigned i = 0; i < NT_COVER_THINGS; i++)
		if (coverage->lines[source][i].covers)
			end_piece(&coverage->lines[source][i], progress);
}

/* How far an open piece is known to go: a source that has ended or fallen silent has not told of what comes after its last word. */
static nt_time open_until(const struct nt_source_account *account, nt_time t1)
{
	return account->progress < t1 ? account->progress : t1;
}

static int compare(const void *a, const void *b)
{
	const struct nt_cover_piece *x = a, *y = b;
	return x->from < y->from ? -1 : x->from > y->from;
}

static nt_time length_of_union(struct nt_cover_piece *pieces, size_t count)
{
	nt_time length = 0, covered_until = 0;
	qsort(pieces, count, sizeof(*pieces), compare);
	for (size_t i = 0; i < count; i++) {
		nt_time from = pieces[i].from > covered_until ? pieces[i].from : covered_until;
		if (pieces[i].until <= from)
			continue;
		length += pieces[i].until - from;
		covered_until = pieces[i].until;
	}
	return length;
}

static size_t gather(const struct nt_cover_line *line, const struct nt_source_account *account, nt_time t1, struct nt_cover_piece *out)
{
	size_t count = 0;
	for (unsigned i = 0; i < line->piece_count; i++) {
		struct nt_cover_piece piece = line->pieces[i];
		if (piece.until > t1)
			piece.until = t1;
		out[count++] = piece;
	}
	if (line->covers)
		out[count++] = (struct nt_cover_piece){ line->told, open_until(account, t1) };
	return count;
}

/* What was added to intervals before: of each line the newest stretch. A source that tells late of a time of which another one has told adds nothing. */
static size_t gather_counted(const struct nt_cover_line *line, struct nt_cover_piece *out)
{
	*out = line->counted;
	return line->counted.until > line->counted.from;
}

nt_time nt_coverage_of(const struct nt_coverage *coverage, const struct nt_sources *sources, uint32_t by, uint32_t things, nt_time t1)
{
	struct nt_cover_piece pieces[NT_SOURCE_COUNT * NT_COVER_THINGS * (NT_COVER_PIECES + 2)];
	size_t count = 0, counted = 0;
	nt_time folded_ns = 0;
	for (unsigned source = 0; source < NT_SOURCE_COUNT; source++)
		for (unsigned i = 0; i < NT_COVER_THINGS; i++) {
			const struct nt_cover_line *line = &coverage->lines[source][i];
			if (!(by & 1u << source && things & 1u << i))
				continue;
			counted += gather_counted(line, pieces + counted);
			folded_ns = line->folded_ns > folded_ns ? line->folded_ns : folded_ns;
		}
	nt_time counted_ns = length_of_union(pieces, counted);
	count = counted;
	for (unsigned source = 0; source < NT_SOURCE_COUNT; source++)
		for (unsigned i = 0; i < NT_COVER_THINGS; i++)
			if (by & 1u << source && things & 1u << i)
				count += gather(&coverage->lines[source][i], &sources->items[source], t1, pieces + count);
	return length_of_union(pieces, count) - counted_ns + folded_ns;
}

static void note_counted(struct nt_cover_line *line, nt_time from, nt_time until)
{
	if (until <= from)
		return;
	if (from > line->counted.until)
		line->counted.from = from;
	line->counted.until = until;
}

static void begin_next(struct nt_cover_line *line, const struct nt_source_account *account, nt_time t1)
{
	unsigned kept = 0;
	line->folded_ns = 0;
	for (unsigned i = 0; i < line->piece_count; i++) {
		struct nt_cover_piece piece = line->pieces[i];
		note_counted(line, piece.from, piece.until < t1 ? piece.until : t1);
		if (piece.until <= t1)
			continue;
		piece.from = piece.from > t1 ? piece.from : t1;
		line->pieces[kept++] = piece;
	}
	line->piece_count = kept;
	nt_time until = open_until(account, t1);
	if (line->covers && until > line->told) {
		note_counted(line, line->told, until);
		line->told = until;
	}
}

void nt_coverage_next(struct nt_coverage *coverage, const struct nt_sources *sources, nt_time t1)
{
	for (unsigned source = 0; source < NT_SOURCE_COUNT; source++)
		for (unsigned i = 0; i < NT_COVER_THINGS; i++)
			begin_next(&coverage->lines[source][i], &sources->items[source], t1);
}
