/* SPDX-License-Identifier: GPL-2.0-only */
/* What is HTML in a report. Inside src/output/report/ only. One file that loads nothing: no text of the target is more than a text in it. */
#ifndef NT_OUTPUT_REPORT_HTML_H
#define NT_OUTPUT_REPORT_HTML_H

#include "output/stacks/stacks_write.h"

/* A text as it is: no sign of it is markup, in an element or in an attribute between double quotes. Control characters are its writer's matter. */
void nt_html_put(FILE *out, const char *text);

/* Up to where the body begins, and from where it ends; `title` is what the window is called. */
void nt_html_begin(FILE *out, const char *title);
void nt_html_end(FILE *out);

/* The flame graph, as `nettop stacks -f flamegraph` writes it, as a part of the page. */
void nt_html_put_flamegraph(FILE *out, const struct nt_stacks *stacks);

#endif
