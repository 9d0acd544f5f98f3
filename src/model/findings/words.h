/* SPDX-License-Identifier: GPL-2.0-only */
/* How sentences of findings are made. For findings_text.c and growth_text.c only. */
#ifndef NT_MODEL_WORDS_H
#define NT_MODEL_WORDS_H

#include "model/findings/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONG, SHORT, BRIEF, NUMBER = 32, NAME = 256 };

typedef char nt_text[NT_FINDING_TEXT];

__attribute__((format(printf, 2, 3))) static inline void put(nt_text text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text + used, NT_FINDING_TEXT - used, fmt, args);
	va_end(args);
}

/* The last `parts` parts of a dotted name, without arguments: Shop.Export.CsvWriter.Grow(int) -> CsvWriter.Grow. */
static inline const char *last_parts(const char *name, unsigned parts, char out[NAME])
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

static inline const char *method(const char *name, char out[NAME])
{
	return last_parts(name, 2, out);
}

/* While allocations are sampled: `; 73% System.Byte[]`. In findings_text.c. */
void nt_findings_tell_type(const struct nt_process_snapshot *process, nt_text *texts);

#endif
