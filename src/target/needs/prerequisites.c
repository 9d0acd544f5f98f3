// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/prerequisites.h"

#include "base/alloc.h"
#include "base/text.h"
#include "target/common/as_root.h"
#include "target/needs/judge.h"
#include "target/process/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct nt_prerequisite nt_prerequisites[NT_PREREQUISITE_COUNT] = {
#define PREREQUISITE(id, key, scope, need, judge, looked_at, ...)                                                                          \
	[NT_NEEDS_##id] = { key, looked_at, NT_SCOPE_##scope, need, judge, { __VA_ARGS__ } },
#include "target/needs/prerequisites.def"
};

static bool is_about(const struct nt_facts *facts, enum nt_scope scope)
{
	if (scope == NT_SCOPE_MACHINE)
		return true;
	if (!facts->target || scope == NT_SCOPE_PROCESS)
		return facts->target;
	return scope == NT_SCOPE_PORT ? nt_target_has_runtime(facts->target) : facts->target->is_dotnet;
}

bool nt_prerequisite_judge(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts, struct nt_verdict *out)
{
	*out = (struct nt_verdict){ 0 };
	if (!is_about(facts, prerequisite->scope))
		return false;
	prerequisite->judge(facts, out);
	return true;
}

/* What is found may be a path or a value of the target's. */
static void say(struct nt_verdict *out, const char *found, va_list arguments)
{
	char raw[sizeof(out->found) + 4]; /* a character that is cut in two here is left out there */
	vsnprintf(raw, sizeof(raw), found, arguments);
	nt_text_escape(raw, strlen(raw), out->found, sizeof(out->found));
}

void nt_judge_ok(struct nt_verdict *out, const char *found, ...)
{
	va_list arguments;
	va_start(arguments, found);
	out->state = NT_VERDICT_OK;
	say(out, found, arguments);
	va_end(arguments);
}

void nt_judge_fail(struct nt_verdict *out, enum nt_verdict_state state, unsigned failure, const char *found, ...)
{
	va_list arguments;
	va_start(arguments, found);
	out->state = state;
	out->failure = failure;
	say(out, found, arguments);
	va_end(arguments);
}

/* `text` is taken; what does not fit is cut off. */
static const char *put(char *buf, size_t size, char *text)
{
	snprintf(buf, size, "%s", text);
	free(text);
	return buf;
}

const char *nt_prerequisite_sentence(const struct nt_prerequisite *prerequisite, const struct nt_verdict *verdict, char *buf, size_t size)
{
	const char *lost = prerequisite->failures[verdict->failure].lost;
	bool said = verdict->state != NT_VERDICT_OK && lost && *lost;
	return put(buf, size, nt_format("%s%s%s", said ? lost : "", said ? ": " : "", verdict->found));
}

bool nt_prerequisite_refuses(enum nt_prerequisite_id id, const struct nt_facts *facts, struct nt_probe *out)
{
	const struct nt_prerequisite *prerequisite = &nt_prerequisites[id];
	struct nt_verdict verdict = { 0 };
	char fix[NT_FIX_BYTES];
	prerequisite->judge(facts, &verdict);
	if (verdict.state == NT_VERDICT_OK)
		return false;
	out->result = verdict.state == NT_VERDICT_FORBIDDEN ? NT_PROBE_FORBIDDEN : NT_PROBE_ABSENT;
	nt_prerequisite_sentence(prerequisite, &verdict, out->reason, sizeof(out->reason));
	nt_prerequisite_fix(prerequisite, facts, &verdict, fix, sizeof(fix));
	bool at_start = prerequisite->failures[verdict.failure].at_start;
	put(out->fix, sizeof(out->fix), nt_format("%s%s", at_start ? NT_AT_START : "", fix));
	return true;
}

/* Of a fix at the target's start: the bytes before its variables. */
static size_t start_words(const char *fix)
{
	size_t length = strlen(NT_AT_START);
	return strncmp(fix, NT_AT_START, length) == 0 ? length : 0;
}

void nt_prerequisite_add_fix(enum nt_prerequisite_id id, const struct nt_facts *facts, const char *separator, struct nt_probe *out)
{
	struct nt_probe other;
	if (!nt_prerequisite_refuses(id, facts, &other))
		return;
	size_t used = strlen(out->fix), words = start_words(other.fix);
	if (words == start_words(out->fix) && strcmp(other.fix, out->fix) != 0)
		snprintf(out->fix + used, sizeof(out->fix) - used, "%s%s", separator, other.fix + words);
}

enum nt_status nt_prerequisite_error(enum nt_prerequisite_id id, const struct nt_facts *facts, struct nt_error *err)
{
	struct nt_probe probe;
	if (!nt_prerequisite_refuses(id, facts, &probe))
		return NT_OK;
	enum nt_status status =
		nt_error_set(err, probe.result == NT_PROBE_FORBIDDEN ? NT_ERR_FORBIDDEN : NT_ERR_ABSENT, "%s", probe.reason);
	nt_error_set_fix(err, probe.fix);
	return status;
}

const char *nt_verdict_name(enum nt_verdict_state state)
{
	static const char *const names[] = { "ok", "missing", "forbidden", "unknown" };
	return names[state];
}
