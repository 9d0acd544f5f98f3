// SPDX-License-Identifier: GPL-2.0-only
#include "output/threads/threads_write.h"

#include "base/text.h"
#include "nettop/column.h"
#include "output/frame/time_text.h"
#include "output/threads/thread_groups.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 32, LINE_CELLS = 120, INDENT = 6 };

static const nt_time worth_saying_ns = NT_NS_PER_S, long_ago_ns = 10 * NT_NS_PER_S;

static void put_heading(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns)
{
	const struct nt_target_info *target = &snapshot->processes[0].target;
	fprintf(out, "%" PRIu32 " ", target->pid);
	nt_text_print(out, target->name);
	if (target->runtime)
		fprintf(out, "  .NET %s", target->runtime);
	fputs("  ", out);
	nt_time_print(out, snapshot->t1, realtime_offset_ns);
	fputc('\n', out);
}

static void put_counts(FILE *out, const struct nt_thread_groups *groups)
{
	static const struct {
		enum nt_thread_doing doing;
		const char *words;
	} parts[] = { { NT_THREAD_DEADLOCKED, "deadlocked" },
		      { NT_THREAD_RUNS, "running" },
		      { NT_THREAD_WAITS, "waiting" },
		      { NT_THREAD_IDLES, "waiting for work" },
		      { NT_THREAD_NOT_SEEN, "not seen" } };
	fprintf(out, "%zu threads", groups->row_count);
	/* One that nobody has looked at may be, or not. */
	if (groups->managed_known)
		fprintf(out, ", %s%zu of them managed", groups->doing[NT_THREAD_NOT_SEEN] ? "up to " : "",
			nt_thread_groups_managed(groups));
	const char *between = ": ";
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!groups->doing[parts[i].doing])
			continue;
		fprintf(out, "%s%zu %s", between, groups->doing[parts[i].doing], parts[i].words);
		between = ", ";
	}
	fputs(".\n", out);
}

/* ---- who ---- */

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Do they wait for the same thing? */
static bool same_line(const struct nt_thread_row *a, const struct nt_thread_row *b)
{
	return a->wait_owner_tid == b->wait_owner_tid && same_text(a->wait_what, b->wait_what);
}

static const struct nt_thread_row *thread_of(const struct nt_process_snapshot *process, uint32_t tid)
{
	for (size_t i = 0; tid && i < process->thread_count; i++)
		if (process->threads[i].tid == tid && !process->threads[i].ended)
			return &process->threads[i];
	return NULL;
}

/* Number of the kernel, and behind it, as logs have it, that of managed code. */
static void number_of(const struct nt_thread_row *row, char text[NUMBER])
{
	if (row->managed_id)
		snprintf(text, NUMBER, "t%" PRIu32 "/%" PRIu32, row->tid, row->managed_id);
	else
		snprintf(text, NUMBER, "t%" PRIu32, row->tid);
}

/* What they wait for, and who has it. */
static int put_common(FILE *out, const struct nt_process_snapshot *process, const struct nt_thread_row *row)
{
	const struct nt_thread_row *owner = thread_of(process, row->wait_owner_tid);
	const char *what = row->waits ? row->wait_what : NULL;
	char number[NUMBER] = "";
	if (owner)
		number_of(owner, number);
	if (!owner && !what)
		return 0;
	fputs(what ? "for " : "", out);
	nt_text_print(out, what);
	fprintf(out, "%s%s%s%s", what && owner ? ", " : "", owner ? "held by " : "", number, owner && owner->name ? " " : "");
	nt_text_print(out, owner ? owner->name : NULL);
	fputs(": ", out);
	return nt_text_cells(what ? what : "") + nt_text_cells(owner && owner->name ? owner->name : "") + (int)strlen(number) + INDENT;
}

/* `rows` of one line: a name is said once for those that have it. */
static void put_threads(FILE *out, const struct nt_process_snapshot *process, const struct nt_thread_row *const *rows, size_t count)
{
	char number[NUMBER];
	fprintf(out, "%*s", INDENT, "");
	int cells = INDENT + put_common(out, process, rows[0]);
	for (size_t i = 0; i < count; i++) {
		/* NULL: what it is called is not known, as in a core that lacks it. */
		bool named = (i > 0 && same_text(rows[i]->name, rows[i - 1]->name)) || !rows[i]->name;
		const char *name = rows[i]->name && *rows[i]->name ? rows[i]->name : "(no name)";
		number_of(rows[i], number);
		int more = (int)strlen(number) + 2 + (named ? 0 : nt_text_cells(name) + 1);
		if (i)
			fputc(named ? ' ' : ',', out);
		if (cells + more > LINE_CELLS) {
			fprintf(out, "\n%*s", INDENT + 2, "");
			cells = INDENT + 2;
		} else if (i && !named) {
			fputc(' ', out);
		}
		cells += more;
		if (!named) {
			nt_text_print(out, name);
			fputc(' ', out);
		}
		fputs(number, out);
	}
	fputc('\n', out);
}

static void put_members(FILE *out, const struct nt_process_snapshot *process, const struct nt_thread_group *group)
{
	for (size_t i = 0, next; i < group->count; i = next) {
		for (next = i + 1; next < group->count && same_line(group->rows[i], group->rows[next]);)
			next++;
		put_threads(out, process, &group->rows[i], next - i);
	}
}

/* ---- what, and where ---- */

/* The longest of them. What is known to be at least so long because nettop has come only then is said when that is long ago. */
static void put_duration(FILE *out, const struct nt_thread_group *group)
{
	const struct nt_thread_row *longest = group->rows[0];
	char number[NUMBER];
	for (size_t i = 1; i < group->count; i++)
		if (group->rows[i]->wait_ns.known && group->rows[i]->wait_ns.v > longest->wait_ns.v)
			longest = group->rows[i];
	if (!longest->wait_ns.known || longest->wait_ns.v < (longest->wait_at_least ? long_ago_ns : worth_saying_ns))
		return;
	fprintf(out, ", %sfor %s%s", group->count > 1 ? "one of them " : "", longest->wait_at_least ? "at least " : "",
		nt_format_duration(longest->wait_ns.v, number, sizeof(number)));
}

static void put_reason(FILE *out, const struct nt_thread_row *row)
{
	if (row->wait == NT_WAIT_UNKNOWN)
		fputs("waits, nobody knows for what", out);
	else if (row->wait == NT_WAIT_IDLE)
		fputs("waits for work", out);
	else
		fprintf(out, "waits: %s", nt_wait_kind_name(row->wait));
	if (!row->wait_means)
		return;
	fputs(", ", out);
	nt_text_print(out, row->wait_means);
}

/* A function that nobody names is called by its place in its module. */
static bool has_module(const struct nt_call_frame *frame)
{
	size_t length = strlen(frame->module);
	return strncmp(frame->name, frame->module, length) == 0 && frame->name[length] == '!';
}

static void put_stack(FILE *out, const struct nt_thread_row *row)
{
	const struct nt_call_stack *stack = row->wait_from;
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		fprintf(out, "%*s%c ", INDENT, "", i == stack->site ? '>' : ' ');
		if (stack->frames[i].module && !has_module(&stack->frames[i])) {
			nt_text_print(out, stack->frames[i].module);
			fputc('!', out);
		}
		nt_text_print(out, stack->frames[i].name);
		fputc('\n', out);
	}
	if (!stack)
		fprintf(out, "%*s  %s\n", INDENT, "",
			row->wait_partial ? "(its stack could not be read)" : "(no managed code is on its stack)");
	else if (stack->cut)
		fprintf(out, "%*s  (cut: the callers of these %" PRIu32 " are left out)\n", INDENT, "", stack->count);
	else if (row->wait_partial)
		fprintf(out, "%*s  (further frames could not be read)\n", INDENT, "");
}

static void put_group(FILE *out, const struct nt_process_snapshot *process, const struct nt_thread_group *group)
{
	const struct nt_thread_row *row = group->rows[0];
	fprintf(out, "\n%cx%zu  ", group->doing == NT_THREAD_DEADLOCKED ? '!' : ' ', group->count);
	switch (group->doing) {
	case NT_THREAD_RUNS:
		fputs("running: the stack of a thread that runs cannot be read from outside; nettop stacks samples it\n", out);
		break;
	case NT_THREAD_NOT_SEEN:
		fputs("not looked at\n", out);
		break;
	case NT_THREAD_UNMANAGED:
		fputs("no managed code: threads of the runtime and of libraries\n", out);
		break;
	default:
		fputs(group->doing == NT_THREAD_DEADLOCKED ? "deadlocked, " : "", out);
		put_reason(out, row);
		put_duration(out, group);
		fputc('\n', out);
	}
	put_members(out, process, group);
	if (group->doing == NT_THREAD_DEADLOCKED || group->doing == NT_THREAD_WAITS || group->doing == NT_THREAD_IDLES ||
	    (group->doing == NT_THREAD_UNMANAGED && row->waits && row->wait_from))
		put_stack(out, row);
}

static void put_groups(FILE *out, const struct nt_process_snapshot *process, bool managed_known)
{
	struct nt_thread_groups groups = nt_thread_groups_make(process, managed_known);
	put_counts(out, &groups);
	for (size_t i = 0; i < groups.count; i++)
		put_group(out, process, &groups.items[i]);
	nt_thread_groups_fini(&groups);
}

static void put_core(FILE *out, const struct nt_process_snapshot *process, const struct nt_threads_core *core)
{
	const struct nt_thread_row *row = thread_of(process, core->signal_tid);
	const char *signal = core->signal ? sigabbrev_np((int)core->signal) : NULL;
	char number[NUMBER];
	fputs("core ", out);
	nt_text_print(out, core->path);
	if (core->signal && row) {
		number_of(row, number);
		fprintf(out, ": ended by signal %" PRIu32 "%s%s%s in %s", core->signal, signal ? " (SIG" : "", signal ? signal : "",
			signal ? ")" : "", number);
	}
	if (core->exception) {
		fputs(core->signal && row ? ", in which was thrown: " : ": thrown: ", out);
		nt_text_print(out, core->exception);
		fputs(core->message && *core->message ? ": " : "", out);
		nt_text_print(out, core->message);
	}
	fputc('\n', out);
}

void nt_threads_write_text(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, const struct nt_threads_core *core)
{
	put_heading(out, snapshot, realtime_offset_ns);
	if (core)
		put_core(out, &snapshot->processes[0], core);
	put_groups(out, &snapshot->processes[0], !core || !core->no_managed);
}

void nt_threads_write_groups(FILE *out, const struct nt_process_snapshot *process)
{
	put_groups(out, process, true);
}
