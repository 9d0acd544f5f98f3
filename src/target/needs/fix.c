// SPDX-License-Identifier: GPL-2.0-only
/* The fix of a prerequisite, ready to paste: its placeholders are words of a shell. */
#include "target/needs/prerequisites.h"

#include "base/alloc.h"
#include "base/own_program.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "decode/kernel/procfs_text.h"
#include "target/common/as_root.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the target has on its library path, behind a colon. */
static char *library_path(const struct nt_target *target)
{
	size_t length = 0;
	const char *path = target && target->environment_text
				   ? nt_procfs_environ_get(target->environment_text, target->environment_length, "LD_LIBRARY_PATH", &length)
				   : NULL;
	char *escaped = path && length ? nt_text_escaped(path, length) : NULL;
	char *text = escaped ? nt_format(":%s", escaped) : nt_strdup("");
	free(escaped);
	return text;
}

/* What {name} stands for; the caller's. */
static char *value_of(const char *name, size_t length, const struct nt_facts *facts, const struct nt_verdict *verdict)
{
	if (strncmp(name, "pid", length) == 0)
		return nt_format("%u", facts->target ? facts->target->pid : 0);
	if (strncmp(name, "number", length) == 0)
		return nt_format("%" PRId64, verdict->number);
	if (strncmp(name, "user", length) == 0)
		return nt_strdup(facts->user[0] ? facts->user : "USER");
	if (strncmp(name, "nettop", length) == 0)
		return nt_strdup(facts->program[0] ? facts->program : "nettop");
	if (strncmp(name, "bridge", length) == 0)
		return nt_strdup(facts->bridge_dir);
	nt_assert(strncmp(name, "library_path", length) == 0);
	return library_path(facts->target);
}

const char *nt_prerequisite_fix(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts, const struct nt_verdict *verdict,
				char *buf, size_t size)
{
	size_t used = 0;
	nt_assert(size > 0 && verdict->failure < NT_FAILURES_MAX);
	buf[0] = '\0';
	const char *fix = prerequisite->failures[verdict->failure].fix;
	/* A file that was copied for one run, and that its loader executes, can be given no rights. */
	bool carried = nt_own_program_is_carried();
	if (fix && (strcmp(fix, NT_FIX_AS_ROOT) == 0 || (carried && strstr(fix, "{nettop}")))) {
		uint32_t pid = facts->target ? facts->target->pid : 0;
		char *command = facts->program[0] && !carried ? nt_as_root_of(facts->program, pid) : nt_as_root(pid);
		snprintf(buf, size, "%s", command);
		free(command);
		return buf;
	}
	for (const char *p = fix; p && *p && used < size - 1;) {
		size_t plain = strcspn(p, "{"), name = p[plain] ? strcspn(p + plain, "}") : 0;
		char *value = name ? value_of(p + plain + 1, name - 1, facts, verdict) : nt_strdup("");
		char *word = nt_shell_word(value);
		used += (size_t)snprintf(buf + used, size - used, "%.*s%s", (int)plain, p, word);
		free(word);
		free(value);
		p += plain + (name ? name + 1 : 0);
	}
	return buf;
}
