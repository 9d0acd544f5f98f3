// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/stacks_page.h"

#include "base/arena.h"
#include "output/threads/threads_write.h"
#include "ui/screen/line.h"

#include <stdlib.h>
#include <string.h>

/* Lines of a stack begin with so many cells: blanks, the mark of the frame that people look for, a blank. */
enum { FRAME_AT = 8, MARK_AT = 6 };

static enum nt_style style_of(const char *line)
{
	if (*line == '!')
		return NT_STYLE_ALERT;
	return strlen(line) > FRAME_AT && line[MARK_AT] == '>' ? NT_STYLE_FRESH : NT_STYLE_PLAIN;
}

/* What does not fit goes on under its begin. */
static void put_line(struct nt_page *page, const char *line)
{
	size_t indent = strspn(line, " !>");
	struct nt_line label = { 0 };
	if (indent < strlen(line))
		nt_line_add(&label, "%.*s", (int)indent, line);
	nt_page_text(page, style_of(line), label.text, line + (indent < strlen(line) ? indent : 0));
}

/* Who does not look at threads says why. */
static void put_why(const struct nt_wait_figures *waits, struct nt_page *page)
{
	if (waits->waiting_count.known || !waits->why.reason)
		return;
	nt_page_text(page, NT_STYLE_DIM, " Nobody looks at the threads: ", waits->why.reason);
	if (waits->why.fix)
		nt_page_text(page, NT_STYLE_DIM, " Fix: ", waits->why.fix);
	nt_page_line(page, NT_STYLE_PLAIN, "");
}

/* Why there are no frames of native code, or fewer than there could be. */
static void put_native_lack(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_source_row *source = nt_snapshot_source(ui->shown, NT_SOURCE_RUNTIME);
	if (!ui->native || !source || source->state != NT_STATE_DELIVERING || !source->reason)
		return;
	nt_page_text(page, NT_STYLE_DIM, " ", source->reason);
	if (source->fix)
		nt_page_text(page, NT_STYLE_DIM, " Fix: ", source->fix);
	nt_page_line(page, NT_STYLE_PLAIN, "");
}

/* ---- without frames of native code ---- */

/* NULL: there is no other frame. */
static const struct nt_call_stack *managed_of(const struct nt_call_stack *stack, struct nt_arena *arena)
{
	struct nt_call_stack *managed = nt_arena_alloc(arena, sizeof(*managed));
	struct nt_call_frame *frames = nt_arena_alloc(arena, stack->count * sizeof(*frames));
	*managed = (struct nt_call_stack){ .frames = frames, .cut = stack->cut };
	for (uint32_t i = 0; i < stack->count; i++) {
		if (i == stack->site)
			managed->site = managed->count;
		if (!stack->frames[i].native)
			frames[managed->count++] = stack->frames[i];
	}
	return managed->count ? managed : NULL;
}

static struct nt_process_snapshot managed_only(const struct nt_process_snapshot *process, struct nt_arena *arena)
{
	struct nt_process_snapshot managed = *process;
	managed.threads = nt_arena_alloc(arena, process->thread_count * sizeof(*managed.threads));
	for (size_t i = 0; i < process->thread_count; i++) {
		managed.threads[i] = process->threads[i];
		if (process->threads[i].wait_from)
			managed.threads[i].wait_from = managed_of(process->threads[i].wait_from, arena);
	}
	return managed;
}

void nt_stacks_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	char *text = NULL;
	size_t length = 0;
	if (!ui->has_process) {
		nt_page_text(page, NT_STYLE_DIM, " ", "There is no process yet.");
		return;
	}
	if (ui->is_span && !ui->process.thread_count) {
		const char *reason = ui->process.interval.waits.why.reason;
		nt_page_text(page, NT_STYLE_DIM, " Not known of this span: ", reason ? reason : "no thread was there at its end");
		return;
	}
	put_why(&ui->process.interval.waits, page);
	put_native_lack(ui, page);
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return;
	struct nt_arena *arena = nt_arena_new();
	const struct nt_process_snapshot shown = ui->native ? ui->process : managed_only(&ui->process, arena);
	nt_threads_write_groups(out, &shown);
	fclose(out);
	nt_arena_free(arena);
	for (char *line = text, *end; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		put_line(page, line);
	}
	free(text);
}
