// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/text_parts.h"

#include "base/text.h"
#include "nettop/column.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NUMBER = 32 };

void nt_text_put_runtime(FILE *out, const struct nt_target_info *target)
{
	char number[NUMBER];
	if (target->kind == NT_DEPLOYED_NATIVE_AOT)
		fputs("  Native AOT", out);
	if (target->runtime) {
		fputs("  .NET ", out);
		nt_text_print(out, target->runtime);
	}
	if (target->server_gc.known)
		fputs(target->server_gc.v ? "  server GC" : "  workstation GC", out);
	if (target->cpu_count.known)
		fprintf(out, "  %" PRIu64 " CPUs", target->cpu_count.v);
	if (target->uptime_ns.known)
		fprintf(out, "  up %s", nt_format_duration(target->uptime_ns.v, number, sizeof(number)));
}

void nt_text_put_reasons(FILE *out, const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (!row->reason || row->state == NT_STATE_UNUSED)
			continue;
		fprintf(out, " %-8s", nt_source_name(row->id));
		nt_text_print(out, row->reason);
		if (row->fix) {
			fputs("; fix: ", out);
			nt_text_print(out, row->fix);
		}
		fputc('\n', out);
	}
}

void nt_text_put_tile(FILE *out, const struct nt_tile *tile, bool marked, const char *span)
{
	const char *rest = *tile->reason ? tile->reason : tile->facts;
	fprintf(out, "%c%-5s%s %9s%s%s\n", marked ? '!' : ' ', tile->label, span, tile->headline, *rest ? "  " : "", rest);
}

static void put_list(FILE *out, const char *label, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? ", " : label, names[i]);
	fputs(count ? "." : "", out);
}

void nt_text_put_checked(FILE *out, const struct nt_process_snapshot *process)
{
	put_list(out, " Not known: ", process->unchecked, process->unchecked_count);
	put_list(out, " Checked: ", process->checked, process->checked_count);
}

void nt_text_put_calm(FILE *out, const struct nt_process_snapshot *process, nt_time quiet_ns)
{
	char number[NUMBER];
	if (!(process->checked_count + process->unchecked_count))
		return; /* nobody has looked */
	fprintf(out, " No threshold crossed for %s.", nt_format_duration(quiet_ns, number, sizeof(number)));
	nt_text_put_checked(out, process);
	fputc('\n', out);
}

void nt_text_put_end(FILE *out, const struct nt_target_info *target)
{
	const struct nt_target_end *end = &target->end;
	if (!target->ended || !target->end_text)
		return;
	fprintf(out, "! Target ended: %s", target->end_text);
	if (nt_end_is_told(end)) {
		fputs(nt_end_by_exception(end) ? ". Unhandled " : ". ", out);
		nt_text_print(out, nt_end_subject(end));
	}
	if (end->message) {
		fputs(": ", out);
		nt_text_print(out, end->message);
	}
	if (end->reason && nt_end_is_told(end))
		fprintf(out, " (%s)", end->reason);
	else if (end->reason)
		fprintf(out, ". Exception: %s", end->reason);
	fputc('\n', out);
	size_t length;
	for (const char *rest = end->stack, *line; nt_text_next_line(&rest, &line, &length);) {
		char *one = nt_text_escaped(line, length);
		fprintf(out, "    %s\n", one);
		free(one);
	}
}
