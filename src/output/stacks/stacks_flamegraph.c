// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flame graph (Brendan Gregg's) as one SVG file, as wide as its window. Callers are above what they call, so that it opens where the stacks begin. What can be seen
 * without a script is drawn here; the script in it, flamegraph.js, opens what is folded, zooms and searches. A box that would be narrower than a tenth of a pixel, were
 * the window WIDTH wide, is left out, as flamegraph.pl does: zooming in does not show it, the totals of its callers have it.
 */
#include "output/stacks/stacks_parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/stacks/stacks_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 1200, /* that captions are cut for, until the script knows better */
	ROW = 16,
	HEAD = 64,            /* title and buttons, legend, details */
	LEGEND_CHARACTER = 7, /* px */
};

static const double character =
	7.25; /* px, of the usual fonts' widest at this size (DejaVu Sans Mono has 7.23); the script has it from the file */

static const char script[] =
#include "flamegraph_js.h"
	;

static const char style[] = "text { font: 12px monospace; fill: #111 } .b { cursor: pointer } .b rect { stroke: #fff; stroke-width: 0.5 }\n"
			    ".b:hover rect { stroke: #000 } .hit rect { fill: #e040fb } .button { cursor: pointer; text-decoration: "
			    "underline } .right { text-anchor: end }\n";

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
	uint64_t samples;  /* of all */
	uint32_t *numbers; /* owned; of each node's box in the file, where 0 is that of all */
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

static double percent(const struct graph *graph, uint64_t samples)
{
	return 100 * (double)samples / (double)graph->samples;
}

static bool is_visible(const struct graph *graph, const struct nt_stacks_box *box)
{
	return box->count && px(graph, box->count) >= 0.1;
}

/* As much of the label as fits, behind how many frames are folded into it; the script does the same when anything changes. */
static void put_caption(const struct graph *graph, const struct nt_stacks_box *box, uint32_t row, const char *label)
{
	char caption[NT_STACKS_LABEL + 16];
	double width = px(graph, box->count) - 4;
	size_t room = (size_t)((width > 0 ? width : 0) / character), length;
	if (box->folds && !box->folded)
		snprintf(caption, sizeof(caption), "[+%" PRIu32 "] %s", box->folds, label);
	else
		snprintf(caption, sizeof(caption), "%s", label);
	length = strlen(caption);
	if (room < 3)
		caption[0] = '\0';
	else if (length > room)
		strcpy(caption + nt_utf8_cut(caption, length, room - 2), "..");
	fprintf(graph->out, "<text x=\"%.3f%%\" dx=\"3\" y=\"%d\">", percent(graph, box->first), HEAD + (int)(row + 1) * ROW - 4);
	put_xml(graph->out, caption);
	fputs("</text>", graph->out);
}

/* `row` 0 is the highest; `up`: number of the caller's box. `node`: what more there is to say of; NT_STACK_ROOT = nothing. */
static void put_box(const struct graph *graph, const struct nt_stacks_box *box, uint32_t row, uint32_t up, const char *fill,
		    const char *label, uint32_t node)
{
	const struct nt_stack_tree *tree = graph->stacks->tree;
	const struct nt_stack_frame *frame = node == NT_STACK_ROOT ? NULL : &tree->frames[tree->nodes[node].frame];
	fprintf(graph->out, "<g class=\"b\" data-first=\"%" PRIu64 "\" data-count=\"%" PRIu64 "\" data-up=\"%" PRIu32 "\"%s><title>",
		box->first, box->count, up, box->folded ? " data-folded=\"\" style=\"display:none\"" : "");
	put_xml(graph->out, label);
	fprintf(graph->out, "\n%" PRIu64 " ", box->count);
	put_foreign(graph->out, nt_stacks_noun(graph->stacks));
	fprintf(graph->out, ", %.2f %%", percent(graph, box->count));
	if (frame && graph->stacks->colours)
		fprintf(graph->out, ", was %.2f %%", graph->stacks->colours->was_pct[node]);
	put_line(graph->out, frame ? frame->module : NULL);
	put_line(graph->out, frame ? frame->reason : NULL);
	if (box->folds && !box->folded)
		fprintf(graph->out, "\n%" PRIu32 " frames of the runtime's own or of recursion are folded into it: a click opens them",
			box->folds);
	fprintf(graph->out, "</title><rect x=\"%.3f%%\" y=\"%d\" width=\"%.3f%%\" height=\"%d\" fill=\"%s\"/>", percent(graph, box->first),
		HEAD + (int)row * ROW, percent(graph, box->count), ROW - 1, fill);
	put_caption(graph, box, row, label);
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
	uint32_t number = 0;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct nt_stacks_box *box = &graph->layout.boxes[n];
		const struct nt_stack_frame *frame = &tree->frames[tree->nodes[n].frame];
		uint32_t caller = tree->nodes[n].parent;
		if (!is_visible(graph, box))
			continue;
		graph->numbers[n] = ++number;
		nt_stacks_label(graph->stacks, frame, '\0', label, sizeof(label));
		put_box(graph, box, box->row + 1, caller == NT_STACK_ROOT ? 0 : graph->numbers[caller],
			graph->stacks->colours ? graph->stacks->colours->fills[n] : fill_of(frame), label, n);
	}
}

static void put_all(const struct graph *graph)
{
	const struct nt_stacks_box box = { .first = 0, .count = graph->samples };
	if (graph->samples)
		put_box(graph, &box, 0, 0, thread_fill, "all", NT_STACK_ROOT);
}

static void put_colour(const struct graph *graph, const char *fill, const char *text, int *x)
{
	const int y = 36;
	fprintf(graph->out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n", *x,
		y - 10, fill, *x + 16, y, text);
	*x += 32 + LEGEND_CHARACTER * (int)strlen(text);
}

static void put_legend(const struct graph *graph)
{
	const struct nt_stacks_colours *other = graph->stacks->colours;
	int x = 8;
	for (size_t i = 0; other && i < other->legend_count; i++)
		put_colour(graph, other->legend[i].fill, other->legend[i].text, &x);
	for (int kind = 0; !other && kind < NT_CODE_KIND_COUNT; kind++)
		put_colour(graph, colours[kind].fill, colours[kind].legend, &x);
}

static void put_head(const struct graph *graph)
{
	const struct nt_stacks *stacks = graph->stacks;
	fprintf(graph->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%d\" data-head=\"%d\" data-row=\"%d\" "
		"data-character=\"%.2f\" data-samples=\"%" PRIu64
		"\">\n<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"18\">",
		HEAD + (int)(graph->layout.folded_deepest + 2) * ROW, HEAD, ROW, character, graph->samples, style);
	put_foreign(graph->out, stacks->process_name);
	fprintf(graph->out, "/%" PRIu32 ", %" PRIu64 " ", stacks->pid, graph->samples);
	put_foreign(graph->out, nt_stacks_noun(stacks));
	fputs("</text>\n"
	      "<text id=\"reset\" class=\"button right\" x=\"100%\" dx=\"-192\" y=\"18\" style=\"display:none\">as at first (Esc)</text>\n"
	      "<text id=\"unfold\" class=\"button right\" x=\"100%\" dx=\"-100\" y=\"18\">unfold all</text>\n"
	      "<text id=\"search\" class=\"button right\" x=\"100%\" dx=\"-8\" y=\"18\">search (/)</text>\n"
	      "<text id=\"matched\" class=\"right\" x=\"100%\" dx=\"-8\" y=\"36\"></text>\n<text id=\"details\" x=\"8\" y=\"54\"></text>\n",
	      graph->out);
}

void nt_stacks_write_flamegraph(FILE *out, const struct nt_stacks *stacks)
{
	struct graph graph = { .out = out, .stacks = stacks };
	nt_stacks_layout_make(&graph.layout, stacks->tree);
	graph.samples = graph.layout.samples;
	graph.numbers = nt_alloc(stacks->tree->node_count * sizeof(*graph.numbers));
	nt_stacks_fold(&graph.layout, stacks->tree);
	put_head(&graph);
	put_legend(&graph);
	put_all(&graph);
	put_nodes(&graph);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
	free(graph.numbers);
	nt_stacks_layout_fini(&graph.layout);
}
