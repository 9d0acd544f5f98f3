/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats in which a recording is written for other tools: one file each, export_<format>.c, and a row in the table. */
#ifndef NT_OUTPUT_EXPORT_FORMATS_H
#define NT_OUTPUT_EXPORT_FORMATS_H

#include <stdio.h>

#include "output/export/export_timeline.h"

struct nt_export_format {
	const char *name;     /* as in --format NAME */
	const char *ending;   /* a file that ends so is of it, unless another one is asked for: ".speedscope.json" */
	bool intervals_alone; /* it takes neither samples nor markers */
	bool markers;         /* it takes them */
	bool runtime_events;  /* it takes the runtime's events one by one */
	/*
	 * Write all of it. The same timeline gives the same bytes. Texts of the target are made safe for the format. Whether everything could be written is what ferror(out) says.
	 */
	void (*write)(FILE *out, const struct nt_export_timeline *timeline);
};

/* The format at `index`, from 0; NULL: there are no more. Of endings the first that fits counts. */
const struct nt_export_format *nt_export_format_at(size_t index);

/* The one of that name; the one of a file so called. NULL: there is none. */
const struct nt_export_format *nt_export_format_called(const char *name);
const struct nt_export_format *nt_export_format_of_file(const char *path);

#endif
