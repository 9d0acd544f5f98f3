// SPDX-License-Identifier: GPL-2.0-only
#include "output/report/report_html.h"

#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

/* Dark where the reader has it so, but for the flame graph, which has its own ground. */
static const char style[] = ":root { color-scheme: light dark }\n"
			    "body { margin: 1em; font: 14px sans-serif }\n"
			    "pre, code { font: 12px monospace }\n"
			    "pre { overflow-x: auto }\n"
			    "h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin: 1.2em 0 0.3em }\n"
			    ".over { opacity: 0.7 }\n";

void nt_html_put(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

void nt_html_begin(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", out);
	nt_html_put(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void nt_html_end(FILE *out)
{
	fputs("</body>\n</html>\n", out);
}

void nt_html_put_flamegraph(FILE *out, const struct nt_stacks *stacks)
{
	char *file = NULL;
	size_t length = 0;
	FILE *draft = open_memstream(&file, &length);
	nt_assert(draft);
	nt_stacks_write(draft, NT_STACKS_AS_FLAMEGRAPH, stacks);
	nt_assert(fclose(draft) == 0);
	/* An XML declaration is for a file of its own. */
	const char *graph = strstr(file, "<svg");
	fputs(graph ? graph : "", out);
	free(file);
}
