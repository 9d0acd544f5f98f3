// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row each interval, a column each figure of the table of subjects that is a number, called as in JSON, with its unit at its end: RFC 4180 with a point for decimals, and an empty cell for what is not known. Times
 * are UTC (ISO 8601).
 */
#include "output/export/export_parts.h"

#include "nettop/subject.h"

#include <inttypes.h>
#include <time.h>

static void put_time(FILE *out, int64_t unix_ns)
{
	struct tm parts;
	char text[32];
	time_t seconds = (time_t)(unix_ns / (int64_t)NT_NS_PER_S);
	gmtime_r(&seconds, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
	fprintf(out, "%s.%03dZ", text, (int)(unix_ns % (int64_t)NT_NS_PER_S / (int64_t)NT_NS_PER_MS));
}

static void put_value(FILE *out, const struct nt_figures *figures, const struct nt_figure *figure)
{
	const char *at = (const char *)figures + figure->offset;
	const struct nt_u64 *whole = (const struct nt_u64 *)at;
	const struct nt_f64 *real = (const struct nt_f64 *)at;
	if (figure->type == NT_FIGURE_U64 && whole->known)
		fprintf(out, ",%" PRIu64, whole->v);
	else if (figure->type == NT_FIGURE_F64 && real->known)
		fprintf(out, ",%.9g", real->v);
	else if (figure->type != NT_FIGURE_TEXT)
		fputc(',', out);
}

/* figures NULL: their names. */
static void put_row(FILE *out, const struct nt_figures *figures)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (figures)
				put_value(out, figures, figure);
			else if (figure->type != NT_FIGURE_TEXT)
				fprintf(out, ",%s.%s", figure->section, figure->key);
		}
	fputs("\r\n", out);
}

void nt_export_write_csv(FILE *out, const struct nt_export_timeline *timeline)
{
	fputs("time,interval_ns", out);
	put_row(out, NULL);
	for (size_t i = 0; i < timeline->interval_count; i++) {
		const struct nt_export_interval *interval = &timeline->intervals[i];
		put_time(out, (int64_t)interval->t0 + timeline->realtime_offset_ns);
		fprintf(out, ",%" PRIu64, interval->t1 - interval->t0);
		put_row(out, interval->figures);
	}
}
