// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/finding_words.h"

#include "model/findings/blame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nt_words_put(nt_text text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text + used, NT_FINDING_TEXT - used, fmt, args);
	va_end(args);
}

const char *nt_words_last_parts(const char *name, unsigned parts, char out[NAME])
{
	size_t end = strcspn(name, "("), start = end;
	unsigned depth = 0;
	for (; start > 0; start--) {
		char c = name[start - 1];
		depth += c == '>';
		depth -= c == '<' && depth;
		if (c == '.' && !depth && --parts == 0)
			break;
	}
	snprintf(out, NAME, "%.*s", (int)(end - start), name + start);
	return out;
}

const char *nt_words_method(const char *name, char out[NAME])
{
	return nt_words_last_parts(name, 2, out);
}

void nt_words_put_type(const struct nt_process_snapshot *process, nt_text *texts)
{
	const struct nt_alloc_row *type = nt_blame_allocation(process);
	char name[NAME];
	if (!type)
		return;
	double share_pct = 100 * type->figures.window.bytes / process->alloc_sampling.figures.window.bytes;
	nt_words_put(texts[LONG], "; %.0f%% %s", share_pct, type->type);
	nt_words_put(texts[SHORT], "; %.0f%% %s", share_pct, nt_words_last_parts(type->type, 2, name));
}

double nt_words_value(const struct nt_case *about, enum nt_quantity quantity)
{
	return about->step->quantities.of[quantity].v;
}

/* What is told may last longer for that. */
void nt_words_put_cpu_wait(const struct nt_case *about, nt_text *texts)
{
	const double least_pct = 10;
	double pct = nt_words_value(about, NT_QUANTITY_CPU_WAIT);
	if (pct >= least_pct)
		nt_words_put(texts[LONG], "; waits for a CPU %.0f%% of the time", pct);
}
