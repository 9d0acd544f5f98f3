// SPDX-License-Identifier: GPL-2.0-only
#include "output/heap/heap_report.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/column.h"
#include "output/frame/time_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, STATICS_MOST = 20 };

static const char *mark(const struct nt_heap_found *heap)
{
	return heap->partial ? "~" : "";
}

static const char *bytes_text(uint64_t bytes, char text[NUMBER])
{
	return nt_format_bytes(bytes, text, NUMBER);
}

/* With a sign: what grew or shrank. */
static const char *change_text(uint64_t now, uint64_t before, bool is_bytes, char text[NUMBER])
{
	uint64_t size = now > before ? now - before : before - now;
	text[0] = now > before ? '+' : now < before ? '-' : ' ';
	if (is_bytes)
		nt_format_bytes(size, text + 1, NUMBER - 1);
	else
		nt_format_whole(size, text + 1, NUMBER - 1);
	return text;
}

static void put_heading(FILE *out, const struct nt_heap_report *report)
{
	char size[NUMBER], count[NUMBER], pause[NUMBER];
	const struct nt_heap_found *heap = report->heap;
	if (report->pid)
		fprintf(out, "%" PRIu64 " ", report->pid);
	nt_text_print(out, report->name);
	if (report->runtime) {
		fputs("  .NET ", out);
		nt_text_print(out, report->runtime);
	}
	fputs(report->time_unix_ns ? "  " : "", out);
	if (report->time_unix_ns)
		nt_time_print(out, 0, report->time_unix_ns);
	fprintf(out, "\n%s%sB in %s%s objects of %zu types.", mark(heap), bytes_text(nt_heap_estimate(heap, heap->bytes), size), mark(heap),
		nt_format_whole(nt_heap_estimate(heap, heap->object_count), count, sizeof(count)), heap->type_count);
	if (heap->pause_ns != NT_TIME_UNKNOWN)
		fprintf(out, " It stood still for %s.", nt_format_duration(heap->pause_ns, pause, sizeof(pause)));
	fputc('\n', out);
	if (heap->partial && heap->came_pct < 100)
		fprintf(out, "Only %.0f %% of it came; figures with ~ are estimated from that.\n", heap->came_pct);
	else if (heap->partial)
		fputs("Part of what the runtime told was lost; figures with ~ are of the rest.\n", out);
}

/* ---- types ---- */

static void put_types(FILE *out, const struct nt_heap_found *heap, size_t rows)
{
	char size[NUMBER], count[NUMBER], each[NUMBER];
	fprintf(out, "\n%6s %8s %8s %8s  %s\n", "BYTES%", "BYTES", "COUNT", "EACH", "TYPE");
	for (size_t i = 0; i < rows; i++) {
		const struct nt_heap_type *type = &heap->types[i];
		bytes_text(nt_heap_estimate(heap, type->bytes), size);
		nt_format_whole(nt_heap_estimate(heap, type->count), count, sizeof(count));
		bytes_text(type->bytes / type->count, each);
		fprintf(out, "%6.1f %s%*s %s%*s %8s  ", 100.0 * (double)type->bytes / (double)heap->bytes, mark(heap),
			8 - (int)strlen(mark(heap)), size, mark(heap), 8 - (int)strlen(mark(heap)), count, each);
		nt_text_print(out, type->name);
		fputc('\n', out);
	}
}

static void put_changes(FILE *out, const struct nt_heap_report *now, const struct nt_heap_report *before, uint64_t rows)
{
	char size[NUMBER], grew[NUMBER], count[NUMBER], more[NUMBER];
	size_t pair_count;
	struct nt_heap_pair *pairs = nt_heap_pairs(now->heap, before->heap, &pair_count);
	fputs("Compared with ", out);
	if (before->time_unix_ns)
		nt_time_print(out, 0, before->time_unix_ns);
	else
		nt_text_print(out, before->name);
	fprintf(out, ":\n\n%9s %8s %9s %8s  %s\n", "+BYTES", "BYTES", "+COUNT", "COUNT", "TYPE");
	for (size_t i = 0; i < pair_count && i < rows; i++) {
		const struct nt_heap_pair *pair = &pairs[i];
		fprintf(out, "%9s %8s %9s %8s  ", change_text(pair->bytes, pair->bytes_before, true, grew), bytes_text(pair->bytes, size),
			change_text(pair->count, pair->count_before, false, more), nt_format_whole(pair->count, count, sizeof(count)));
		nt_text_print(out, pair->name);
		fputc('\n', out);
	}
	if (pair_count > rows)
		fprintf(out, "and %zu further types (--rows)\n", pair_count - (size_t)rows);
	free(pairs);
}

/* ---- static fields ---- */

static bool is_end(char c)
{
	return c == '\0' || strchr("<>[], ", c);
}

/* Is `name` a whole name in the type `text`? */
static bool names_type(const char *text, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		if ((at == text || is_end(at[-1])) && is_end(at[length]))
			return true;
	return false;
}

/* A collection of one of the types that take most: what everybody has, as string, says nothing. */
static bool may_hold(const struct nt_heap_found *heap, const struct nt_heap_static *field, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		const char *name = heap->types[i].name;
		if (strchr(name, '.') && strncmp(name, "System.", 7) != 0 && strcmp(field->type, name) != 0 &&
		    names_type(field->type, name))
			return true;
	}
	return false;
}

/* Those that hold most first. */
static int by_held(const void *a, const void *b)
{
	const struct nt_heap_static *left = *(const struct nt_heap_static *const *)a, *right = *(const struct nt_heap_static *const *)b;
	if (left->held_bytes != right->held_bytes)
		return left->held_bytes > right->held_bytes ? -1 : 1;
	return strcmp(left->field, right->field);
}

static void put_static(FILE *out, const struct nt_heap_static *field)
{
	if (field->owner) {
		nt_text_print(out, field->owner);
		fputc('.', out);
	}
	nt_text_print(out, field->field);
	fputs(": ", out);
	nt_text_print(out, field->type);
	fputc('\n', out);
}

static void put_held(FILE *out, const struct nt_heap_found *heap)
{
	char held[NUMBER], count[NUMBER], own[NUMBER];
	const struct nt_heap_static **sorted = nt_realloc(NULL, heap->static_count + 1, sizeof(struct nt_heap_static *));
	for (size_t i = 0; i < heap->static_count; i++)
		sorted[i] = &heap->statics[i];
	qsort(sorted, heap->static_count, sizeof(*sorted), by_held);
	fprintf(out, "\nStatic fields, by what would be garbage without each of them:\n\n%6s %8s %8s %8s  %s\n", "HELD%", "HELD", "COUNT",
		"OWN", "STATIC FIELD");
	for (size_t i = 0; i < heap->static_count && i < STATICS_MOST && sorted[i]->held_bytes; i++) {
		const struct nt_heap_static *field = sorted[i];
		fprintf(out, "%6.1f %8s %8s %8s  ", 100.0 * (double)field->held_bytes / (double)heap->bytes,
			bytes_text(field->held_bytes, held), nt_format_whole(field->held_count, count, sizeof(count)),
			field->bytes_known ? bytes_text(field->bytes, own) : "");
		put_static(out, field);
	}
	free(sorted);
}

/* ---- who holds ---- */

enum { DEEPEST_INDENT = 40 };

static void put_step(FILE *out, const struct nt_heap_paths *paths, const struct nt_heap_step *step)
{
	char count[NUMBER], size[NUMBER];
	int indent = 2 * (int)step->depth < DEEPEST_INDENT ? 2 * (int)step->depth : DEEPEST_INDENT;
	fprintf(out, "%6.1f %8s %8s %8s  %*s", 100.0 * (double)step->count / (double)paths->count,
		nt_format_whole(step->count, count, sizeof(count)), bytes_text(step->bytes, size), "", indent, "");
	nt_text_print(out, step->name);
	fprintf(out, "%s%s\n", step->repeats ? " (once and again)" : "", step->is_cut ? " (types between are left out)" : "");
}

static void put_paths(FILE *out, const struct nt_heap_paths *paths)
{
	char count[NUMBER], size[NUMBER];
	fprintf(out, "\nWho holds the %s objects of ", nt_format_whole(paths->count, count, sizeof(count)));
	nt_text_print(out, paths->type);
	fprintf(out, " (%s), by the shortest path from a root to each:\n\n%6s %8s %8s %8s  %s\n", bytes_text(paths->bytes, size), "COUNT%",
		"COUNT", "BYTES", "", "HELD BY, AND THAT BY");
	for (size_t i = 0; i < paths->step_count; i++)
		put_step(out, paths, &paths->steps[i]);
	if (paths->left_out)
		fprintf(out, "and %" PRIu64 " further steps (--json)\n", paths->left_out);
	if (paths->lost)
		fprintf(out, "No path leads to %s of them.\n", nt_format_whole(paths->lost, count, sizeof(count)));
}

static void put_holders(FILE *out, const struct nt_heap_found *heap)
{
	if (heap->no_graph)
		fprintf(out, "\nWho holds what is not known: %s.\n", heap->no_graph);
	if (heap->statics_held)
		put_held(out, heap);
	for (size_t i = 0; i < heap->path_count; i++)
		put_paths(out, heap->paths[i]);
}

static void put_statics(FILE *out, const struct nt_heap_found *heap, size_t rows)
{
	size_t put = 0;
	for (size_t i = 0; i < heap->static_count && put < STATICS_MOST; i++) {
		const struct nt_heap_static *field = &heap->statics[i];
		if (!may_hold(heap, field, rows))
			continue;
		if (!put++)
			fputs("\nStatic fields whose types name one of these (what they hold is not measured):\n", out);
		fputs("  static ", out);
		put_static(out, field);
	}
}

void nt_heap_write_text(FILE *out, const struct nt_heap_report *now, const struct nt_heap_report *before, uint64_t rows)
{
	size_t shown = now->heap->type_count < rows ? now->heap->type_count : (size_t)rows;
	put_heading(out, now);
	if (before) {
		put_changes(out, now, before, rows);
	} else {
		put_types(out, now->heap, shown);
		if (now->heap->type_count > shown)
			fprintf(out, "and %zu further types (--rows)\n", now->heap->type_count - shown);
	}
	if (!now->heap->statics_held)
		put_statics(out, now->heap, shown);
	put_holders(out, now->heap);
}
