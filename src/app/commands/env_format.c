// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/env.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 3, SPECIALS_MAX = 3 };

/* How a line is made: before NAME between VALUE after. */
static const struct format {
	const char *notes[NOTES_MAX]; /* comments, without "# " */
	const char *heading;          /* a line before the first variable; NULL = none */
	const char *before, *between, *after;
	const char *after_path; /* instead of `after`: with what LD_LIBRARY_PATH has there; NULL = there is no way to say it */
	struct {
		char character;
		const char *written;
	} specials[SPECIALS_MAX]; /* characters of a value that mean something there */
} formats[NT_ENV_FORMAT_COUNT] = {
	[NT_ENV_SHELL] = { .notes = { "For the shell that starts it: eval \"$(nettop env)\"" },
			   .before = "export ",
			   .between = "='",
			   .after = "'",
			   .after_path = "'\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"",
			   .specials = { { '\'', "'\\''" } } },
	[NT_ENV_SYSTEMD] = { .notes = { "A file /etc/systemd/system/NAME.service.d/nettop.conf; then systemctl daemon-reload, systemctl "
					"restart NAME.",
					"A variable that the unit or a later file sets, too, has the value of the later one." },
			     .heading = "[Service]",
			     .before = "Environment=\"",
			     .between = "=",
			     .after = "\"",
			     .specials = { { '\\', "\\\\" }, { '"', "\\\"" }, { '%', "%%" } } },
	[NT_ENV_DOCKER] = { .notes = { "For the last stage of a Dockerfile. The image needs the package liblttng-ust1 and a copy of the "
				       "bridge's folder;",
				       "start the container with -v /run/lttng:/run/lttng -v /dev/shm:/dev/shm" },
			    .before = "ENV ",
			    .between = "=\"",
			    .after = "\"",
			    .after_path = "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"",
			    .specials = { { '\\', "\\\\" }, { '"', "\\\"" }, { '$', "\\$" } } },
	[NT_ENV_KUBERNETES] = { .notes = { "For the container in a pod's specification. The image needs the package liblttng-ust1 and a "
					   "copy of the bridge's folder;",
					   "the container needs the node's /run/lttng and /dev/shm at these places (volumes of the type "
					   "hostPath).",
					   "An LD_LIBRARY_PATH of the image is replaced: put it behind a colon." },
				.heading = "env:",
				.before = "- name: ",
				.between = "\n  value: \"",
				.after = "\"",
				.specials = { { '\\', "\\\\" }, { '"', "\\\"" }, { '$', "$$" } } },
};

/* What stands for a character of a value; NULL = itself. */
static const char *written(const struct format *format, char character)
{
	for (size_t i = 0; i < SPECIALS_MAX && format->specials[i].written; i++)
		if (format->specials[i].character == character)
			return format->specials[i].written;
	return NULL;
}

static void put_value(const struct format *format, const char *value, FILE *out)
{
	char *safe = nt_text_escaped(value, strlen(value));
	for (const char *p = safe; *p; p++) {
		const char *special = written(format, *p);
		if (special)
			fputs(special, out);
		else
			fputc(*p, out);
	}
	free(safe);
}

/* What is there already, and what it takes away, if so. */
static void put_before(const struct nt_launch_setting *setting, FILE *out)
{
	if (!setting->before)
		return;
	char *before = nt_text_escaped(setting->before, strlen(setting->before));
	if (setting->state == NT_LAUNCH_THERE)
		fputs("# It is there already.\n", out);
	else
		fprintf(out, "# %s %s '%s'%s%s.\n", setting->name, setting->state == NT_LAUNCH_SET ? "is now" : "stays", before,
			setting->lost ? ": " : "", setting->lost ? setting->lost : "");
	free(before);
}

static void put_setting(const struct nt_env_sheet *sheet, const struct nt_launch_setting *setting, FILE *out)
{
	const struct format *format = &formats[sheet->format];
	const struct nt_launch_variable *variable = setting->variable;
	bool is_path = variable == &nt_launch_variables[NT_LAUNCH_LIBRARY_PATH];
	/* Of a process the path is known; elsewhere the reader of the line puts in what it has. */
	bool extends = is_path && !sheet->target && format->after_path;
	fprintf(out, "\n# %c%s.\n# Cost: %s.\n", toupper((unsigned char)*variable->brings), variable->brings + 1, variable->costs);
	if (*variable->differs)
		fprintf(out, "# Versions: %s.\n", variable->differs);
	if (is_path && !sheet->bridge_there)
		fputs("# The bridge is not there: make install puts it there.\n", out);
	if (!extends || setting->state == NT_LAUNCH_THERE)
		put_before(setting, out);
	bool as_it_is = setting->state == NT_LAUNCH_KEPT || (setting->state == NT_LAUNCH_THERE && !sheet->target);
	if (as_it_is)
		return;
	fprintf(out, "%s%s%s", format->before, setting->name, format->between);
	put_value(format, extends ? sheet->request->bridge_dir : setting->value, out);
	fprintf(out, "%s\n", extends ? format->after_path : format->after);
}

static void put_title(const struct nt_env_sheet *sheet, FILE *out)
{
	const struct nt_launch_request *request = sheet->request;
	const struct nt_target *target = sheet->target;
	const char *mode = request->event_source ? "with EventSources by name" : request->full ? "mode F" : "mode N";
	fprintf(out, "# Variables for %s", target ? "the next start of " : "a .NET program that nettop is to watch");
	if (target)
		fprintf(out, "process %u (%s)", target->pid, target->name);
	fprintf(out, ", %s: what each brings, and what it costs the program.\n", mode);
	if (target && !target->environment_text)
		fputs("# Its environment is closed to this user: what it has on LD_LIBRARY_PATH is not known.\n", out);
}

void nt_env_print(const struct nt_env_sheet *sheet, FILE *out)
{
	const struct format *format = &formats[sheet->format];
	put_title(sheet, out);
	for (size_t i = 0; i < NOTES_MAX && format->notes[i]; i++)
		fprintf(out, "# %s\n", format->notes[i]);
	if (format->heading)
		fprintf(out, "\n%s\n", format->heading);
	for (size_t i = 0; i < sheet->launch->count; i++)
		put_setting(sheet, &sheet->launch->settings[i], out);
}
