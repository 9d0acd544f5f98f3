// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_state.h"

#include "source/common/outbox.h"
#include "target/needs/prerequisites.h"
#include "target/process/settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct words {
	enum nt_source_state state;
	enum nt_naming naming;
	char reason[320], fix[320]; /* "" = none */
};

/* Beyond, a map is worth a word: it grows with every method that is compiled, and lies in /tmp. */
enum { LARGE_MB = 256 };

static const char *what(const struct nt_codemap_state *state)
{
	return state->target->is_jitdump ? "jitdump" : "perf map";
}

#define FIX_REPLACE "remove it: the runtime writes a new one when the target starts again"
#define FIX_MAP     "start the target with " NT_SET_PERF_MAP
#define FIX_STUBS   "start the target with " NT_SET_PERF_MAP " (or with DOTNET_PerfMapStubGranularity=2)"

static void put(struct nt_codemap_state *state, const struct words *words)
{
	struct nt_event *event = nt_codemap_out_event(state->out, NT_EV_SOURCE_STATE, nt_clock_now());
	struct nt_ev_source_state *said = &event->u.source_state;
	/* Without a map nobody need wait for its lines. */
	bool open = words->state == NT_STATE_STARTING || (words->state == NT_STATE_DELIVERING && words->naming == NT_NAMING_NAMED);
	*said = nt_source_state_said(state->out->interner, state->out->batch, words->state, open, words->reason, words->fix);
	said->naming = words->naming;
	state->last = words->state;
	memcpy(state->reason, words->reason, sizeof(state->reason));
	memcpy(state->fix, words->fix, sizeof(state->fix));
}

void nt_codemap_state_init(struct nt_codemap_state *state, const struct nt_files_target *target, const struct nt_codemap_switched *switched,
			   struct nt_codemap_out *out)
{
	*state = (struct nt_codemap_state){ .target = target, .switched = switched, .out = out };
	struct words words = { .state = NT_STATE_STARTING };
	put(state, &words);
}

__attribute__((format(printf, 4, 5))) static void say(struct words *words, enum nt_source_state state, const char *fix, const char *reason,
						      ...)
{
	va_list arguments;
	va_start(arguments, reason);
	vsnprintf(words->reason, sizeof(words->reason), reason, arguments);
	va_end(arguments);
	snprintf(words->fix, sizeof(words->fix), "%s", fix);
	words->state = state;
}

/* As `nettop doctor` says it. */
static void say_prerequisite(const struct nt_codemap_state *state, const struct nt_codemap_look *look, struct words *words)
{
	const struct nt_foreign_file *file = &look->file;
	const struct nt_target target = { .pid = state->target->pid,
					  .uid = state->target->uid,
					  .perf_map_enabled = state->target->perf_map_enabled,
					  .deployment = state->target->deployment };
	struct nt_facts facts = { .target = &target, .perf_map_error = look->stale ? ENOENT : file->errnum, .perf_map_stale = look->stale };
	struct nt_probe probe = { 0 };
	bool no_root = file->refusal == NT_REFUSAL_NO_ROOT;
	if (no_root) {
		facts.root_error = file->errnum;
		nt_facts_read_self(&facts, "");
	}
	snprintf(facts.perf_map, sizeof(facts.perf_map), "%s", state->target->map_path);
	snprintf(facts.perf_map_objection, sizeof(facts.perf_map_objection), "%s", file->objection);
	nt_prerequisite_refuses(no_root ? NT_NEEDS_TARGET_FILES : NT_NEEDS_PERF_MAP, &facts, &probe);
	bool forbidden = file->errnum == EACCES || file->errnum == EPERM;
	const struct nt_codemap_switched *switched = state->switched;
	say(words,
	    forbidden          ? NT_STATE_FORBIDDEN
	    : state->delivered ? NT_STATE_STALLED
			       : NT_STATE_ABSENT,
	    *switched->fix ? switched->fix : probe.fix, "%s%s%s", probe.reason, *switched->reason ? "; " : "", switched->reason);
}

/* A jitdump has no place in that table: who wants names is told to have a perf map. */
static void say_no_jitdump(const struct nt_codemap_state *state, const struct nt_codemap_look *look, struct words *words)
{
	const struct nt_foreign_file *file = &look->file;
	const char *why = file->refusal == NT_REFUSAL_OBJECTION ? file->objection : strerrordesc_np(file->errnum);
	if (look->stale)
		say(words, NT_STATE_ABSENT, FIX_MAP, "jitdump %s is older than the process: another one that had its number wrote it",
		    state->target->map_path);
	else if (file->refusal == NT_REFUSAL_ABSENT)
		say(words, NT_STATE_ABSENT, FIX_MAP, "no jitdump at %s, though the target has it switched on", state->target->map_path);
	else
		say(words, NT_STATE_FORBIDDEN, FIX_MAP, "jitdump %s not read: %s", state->target->map_path, why);
}

/* What a map that cannot be read means for the code in it. */
static enum nt_naming naming_of(const struct nt_codemap_state *state, const struct nt_codemap_look *look)
{
	const struct nt_foreign_file *file = &look->file;
	if (look->stale)
		return NT_NAMING_PERF_MAP_STALE;
	switch (file->refusal) {
	case NT_REFUSAL_ABSENT:
		return state->target->perf_map_enabled ? NT_NAMING_PERF_MAP_ABSENT : NT_NAMING_PERF_MAP_OFF;
	case NT_REFUSAL_NO_ROOT:
		return NT_NAMING_OTHER_NAMESPACE;
	case NT_REFUSAL_OBJECTION:
		return file->stat.st_uid != state->target->uid && file->stat.st_uid != 0 ? NT_NAMING_PERF_MAP_OWNER
											 : NT_NAMING_PERF_MAP_UNREADABLE;
	case NT_REFUSAL_ERRNO:
	case NT_REFUSAL_NONE:
		break;
	}
	return NT_NAMING_PERF_MAP_UNREADABLE;
}

/* nettop itself has ended it. */
static void say_ended(const struct nt_codemap_state *state, struct words *words)
{
	say(words, NT_STATE_ABSENT, state->switched->fix, "%s", state->switched->reason);
	words->naming = NT_NAMING_PERF_MAP_OVER;
}

/* Is there none, and none is needed, or not as far as is known? */
static bool is_not_missed(const struct nt_codemap_state *state, const struct nt_codemap_look *look)
{
	const struct nt_files_target *target = state->target;
	return look->file.refusal == NT_REFUSAL_ABSENT && look->status == NT_ERR_FAILED && state->switched->need != NT_CODEMAP_NEEDED &&
	       !target->perf_map_enabled && !target->is_jitdump;
}

static void say_not_missed(const struct nt_codemap_state *state, struct words *words)
{
	if (state->switched->need == NT_CODEMAP_NEED_UNKNOWN) {
		words->state = NT_STATE_STARTING;
		return;
	}
	say(words, NT_STATE_DELIVERING, "", "no perf map; none is switched on while names can be asked of the runtime's own data");
	words->naming = NT_NAMING_PERF_MAP_OFF;
}

static void say_refused(const struct nt_codemap_state *state, const struct nt_codemap_look *look, struct words *words)
{
	if (look->file.refusal == NT_REFUSAL_ABSENT && state->delivered)
		say(words, NT_STATE_STALLED, "restart the target", "%s %s was removed: methods compiled from now on have no names",
		    what(state), state->target->map_path);
	else if (state->target->is_jitdump)
		say_no_jitdump(state, look, words);
	else
		say_prerequisite(state, look, words);
	words->naming = naming_of(state, look);
}

static void say_good(const struct nt_codemap_state *state, const struct nt_codemap_look *look, struct words *words)
{
	const char *file = what(state), *path = state->target->map_path;
	words->state = NT_STATE_DELIVERING;
	if (state->switched->by_nettop)
		say(words, NT_STATE_DELIVERING, "", "perf map %s switched on by nettop; the last nettop switches it off and removes it",
		    state->target->map_path);
	if (look->too_large)
		say(words, NT_STATE_DELIVERING, "restart the target", "%s %s is over 1 GB: methods after that have no names", file, path);
	else if (look->size >= (uint64_t)LARGE_MB << 20)
		say(words, NT_STATE_DELIVERING, state->switched->by_nettop ? "" : "restart the target",
		    "%s %s is over %d MB and grows with every method that is compiled", file, path, LARGE_MB);
	else if (nt_codemap_lines_bad(look->lines) && !nt_codemap_lines_good(look->lines))
		say(words, NT_STATE_DELIVERING, FIX_REPLACE, "%s %s has no %s", file, path,
		    state->target->is_jitdump ? "record of loaded code" : "line of the form ADDRESS SIZE NAME");
	else if (look->torn)
		say(words, NT_STATE_STALLED, FIX_STUBS,
		    "jitdump %s ends within a record: the runtime has stopped writing it (a defect of .NET 10.0)", path);
	else if (look->changed)
		say(words, NT_STATE_DELIVERING, "", "%s %s was truncated or replaced: known names stay, a line lost in between is missing",
		    file, path);
}

void nt_codemap_state_end(struct nt_codemap_state *state)
{
	struct words words = { 0 };
	if (!state->switched->left)
		return;
	say_ended(state, &words);
	put(state, &words);
}

void nt_codemap_state_report(struct nt_codemap_state *state, const struct nt_codemap_look *look)
{
	struct words words = { 0 };
	switch (look->status) {
	case NT_OK:
		state->delivered = true;
		if (state->switched->left)
			say_ended(state, &words);
		else
			say_good(state, look, &words);
		break;
	case NT_ERR_GONE:
		say(&words, NT_STATE_ENDED, "", "the target ended");
		break;
	case NT_ERR_TIMEOUT:
		say(&words, NT_STATE_STALLED, "look at the file system that it is on", "%s %s unreadable: timed out", what(state),
		    state->target->map_path);
		words.naming = NT_NAMING_PERF_MAP_UNREADABLE;
		break;
	default:
		if (is_not_missed(state, look))
			say_not_missed(state, &words);
		else if (state->switched->waits)
			say(&words, NT_STATE_STARTING, "",
			    "the program is starting: it is told to write a perf map when it has had 2 s for that");
		else if (state->switched->ended)
			say_ended(state, &words);
		else
			say_refused(state, look, &words);
	}
	if (words.state != state->last || strcmp(words.reason, state->reason) != 0 || strcmp(words.fix, state->fix) != 0)
		put(state, &words);
}
