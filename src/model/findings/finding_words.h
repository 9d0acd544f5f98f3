/* SPDX-License-Identifier: GPL-2.0-only */
/* How sentences of findings are made. For findings_text.c, requests_text.c and growth_text.c only. */
#ifndef NT_MODEL_FINDING_WORDS_H
#define NT_MODEL_FINDING_WORDS_H

#include "model/findings/findings.h"

enum { LONG, SHORT, BRIEF, NUMBER = 32, NAME = 256 };

typedef char nt_text[NT_FINDING_TEXT];

/* Add to a text, as far as it has room. */
void nt_words_put(nt_text text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The last `parts` parts of a dotted name, without arguments: Shop.Export.CsvWriter.Grow(int) -> CsvWriter.Grow. Returns `out`. */
const char *nt_words_last_parts(const char *name, unsigned parts, char out[NAME]);

/* The last two: type and method. */
const char *nt_words_method(const char *name, char out[NAME]);

/* What the case rests on, in the unit of the quantity. */
double nt_words_value(const struct nt_case *about, enum nt_quantity quantity);

/* Where it lacks a CPU: `; waits for a CPU 50% of the time`. */
void nt_words_put_cpu_wait(const struct nt_case *about, nt_text *texts);

/* While allocations are sampled: `; 73% System.Byte[]`. */
void nt_words_put_type(const struct nt_process_snapshot *process, nt_text *texts);

#endif
