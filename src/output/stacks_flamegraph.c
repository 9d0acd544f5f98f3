// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flame graph (Brendan Gregg's) as one SVG file. What can be seen without a script is drawn here; the script in it, flamegraph.js, zooms and searches.
 * A box that would be narrower than a tenth of a pixel is left out, as flamegraph.pl does: zooming in does not show it, the totals below it have it.
 */
#include "output/stacks_parts.h"

#include "base/text.h"
#include "output/stacks_layout.h"

#include <inttypes.h>
#include <string.h>

enum {
	WIDTH = 1200,
	ROW = 16,
	HEAD = 44,     /* title, search */
	FOOT = 44,     /* details, legend */
	CHARACTER = 7, /* px, of the font's widest */
};

static const char script[] =
#include "flamegraph_js.h"
	;

static const char style[] =
	"text { font: 12px monospace; fill: #111 } .b { cursor: pointer } .b rect { stroke: #fff; stroke-width: 0.5 }\n"
	".b:hover rect { stroke: #000 } .hit rect { fill: #e040fb } .button { cursor: pointer; text-decoration: underline }\n";

static const struct colour {
	const char *fill;
	const char *legend;
} colours[NT_CODE_KIND_COUNT] = {
	[NT_CODE_JIT] = { "#7bc67b", "JIT" },         [NT_CODE_STUB] = { "#d8d46a", "stub" },
	[NT_CODE_R2R] = { "#5fc3c9", "R2R" },         [NT_CODE_RUNTIME] = { "#c79be0", "runtime" },
	[NT_CODE_NATIVE] = { "#ef8a62", "native" },   [NT_CODE_KERNEL] = { "#f4b04f", "kernel" },
	[NT_CODE_UNKNOWN] = { "#c4c4c4", "unknown" },
};
static const char thread_fill[] = "#9db7d5";

struct graph {
	FILE *out;
	const struct nt_stacks *stacks;
	struct nt_stacks_layout layout;
	uint64_t samples; /* of all */
	int height;
};

/* Text that is safe for a terminal, made safe for XML: two characters that XML has not become U+FFFD. */
static void put_xml(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0) {
			fputs("\xef\xbf\xbd", out);
			text += 2;
		} else if (*text == '&') {
			fputs("&amp;", out);
		} else if (*text == '<') {
			fputs("&lt;", out);
		} else if (*text == '>') {
			fputs("&gt;", out);
		} else {
			fputc(*text, out);
		}
	}
}

static void put_foreign(FILE *out, const char *text)
{
	char safe[NT_STACKS_LABEL];
	nt_stacks_safe(text, '\0', safe, sizeof(safe));
	put_xml(out, safe);
}

static void put_line(FILE *out, const char *text)
{
	if (!text)
		return;
	fputc('\n', out);
	put_foreign(out, text);
}

static double px(const struct graph *graph, uint64_t samples)
{
	return (double)samples * WIDTH / (double)graph->samples;
}

static bool is_visible(const struct graph *graph, const struct nt_stacks_box *box)
{
	return box->count && px(graph, box->count) >= 0.1;
}

/* As much of the label as fits; the script does the same after a zoom. */
static void put_caption(const struct graph *graph, char *label, double x, double y, double width)
{
	size_t room = (size_t)((width - 4 > 0 ? width - 4 : 0) / CHARACTER), length = strlen(label);
	if (room < 3)
		label[0] = '\0';
	else if (length > room)
		strcpy(label + nt_utf8_cut(label, length, room - 2), "..");
	fprintf(graph->out, "<text x=\"%.2f\" y=\"%.0f\">", x + 3, y);
	put_xml(graph->out, label);
	fputs("</text>", graph->out);
}

/* `row` 0 is the lowest. frame: what more there is to say; NULL = nothing. The label is used up. */
static void put_box(const struct graph *graph, const struct nt_stacks_box *box, uint32_t row, const char *fill, char *label,
		    const struct nt_stack_frame *frame)
{
	double x = px(graph, box->first), width = px(graph, box->count);
	int y = graph->height - FOOT - (int)(row + 1) * ROW;
	fprintf(graph->out, "<g class=\"b\" data-first=\"%" PRIu64 "\" data-count=\"%" PRIu64 "\"><title>", box->first, box->count);
	put_xml(graph->out, label);
	fprintf(graph->out, "\n%" PRIu64 " samples, %.2f %%", box->count, 100 * (double)box->count / (double)graph->samples);
	put_line(graph->out, frame ? frame->module : NULL);
	put_line(graph->out, frame ? frame->reason : NULL);
	fprintf(graph->out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>", x, y, width, ROW - 1, fill);
	put_caption(graph, label, x, y + ROW - 4, width);
	fputs("</g>\n", graph->out);
}

static const char *fill_of(const struct nt_stack_frame *frame)
{
	return frame->sort == NT_FRAME_CODE     ? colours[frame->kind].fill
	       : frame->sort == NT_FRAME_THREAD ? thread_fill
						: colours[NT_CODE_UNKNOWN].fill;
}

static void put_nodes(const struct graph *graph)
{
	const struct nt_stack_tree *tree = graph->stacks->tree;
	char label[NT_STACKS_LABEL];
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct nt_stacks_box *box = &graph->layout.boxes[n];
		const struct nt_stack_frame *frame = &tree->frames[tree->nodes[n].frame];
		if (!is_visible(graph, box))
			continue;
		nt_stacks_label(frame, '\0', label, sizeof(label));
		put_box(graph, box, box->depth + 1, fill_of(frame), label, frame);
	}
}

static void put_all(const struct graph *graph)
{
	char label[NT_STACKS_LABEL] = "all";
	const struct nt_stacks_box box = { .first = 0, .count = graph->samples };
	if (graph->samples)
		put_box(graph, &box, 0, thread_fill, label, NULL);
}

static void put_legend(const struct graph *graph)
{
	int x = 8, y = graph->height - 10;
	for (int kind = 0; kind < NT_CODE_KIND_COUNT; kind++) {
		fprintf(graph->out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
			x, y - 10, colours[kind].fill, x + 16, y, colours[kind].legend);
		x += 32 + CHARACTER * (int)strlen(colours[kind].legend);
	}
}

static void put_head(const struct graph *graph)
{
	const struct nt_stacks *stacks = graph->stacks;
	fprintf(graph->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" data-width=\"%d\" "
		"data-samples=\"%" PRIu64 "\">\n"
		"<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"18\">",
		WIDTH, graph->height, WIDTH, graph->height, WIDTH, graph->samples, style);
	put_foreign(graph->out, stacks->process_name);
	fprintf(graph->out, "/%" PRIu32 ", %" PRIu64 " samples", stacks->pid, graph->samples);
	fprintf(graph->out,
		"</text>\n<text id=\"reset\" class=\"button\" x=\"8\" y=\"36\" style=\"display:none\">all of it (Esc)</text>\n"
		"<text id=\"search\" class=\"button\" x=\"%d\" y=\"18\">search (/)</text>\n"
		"<text id=\"matched\" x=\"%d\" y=\"36\"></text>\n<text id=\"details\" x=\"8\" y=\"%d\"></text>\n",
		WIDTH - 240, WIDTH - 240, graph->height - 28);
}

void nt_stacks_write_flamegraph(FILE *out, const struct nt_stacks *stacks)
{
	struct graph graph = { .out = out, .stacks = stacks };
	nt_stacks_layout_make(&graph.layout, stacks->tree);
	graph.samples = graph.layout.samples;
	graph.height = HEAD + (int)(graph.layout.deepest + 1) * ROW + FOOT;
	put_head(&graph);
	put_all(&graph);
	put_nodes(&graph);
	put_legend(&graph);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
	nt_stacks_layout_fini(&graph.layout);
}
