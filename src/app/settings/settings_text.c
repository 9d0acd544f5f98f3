// SPDX-License-Identifier: GPL-2.0-only
/* Room app/settings: what was chosen on the screens, kept in a file. */
#include "app/settings/settings_text.h"

#include "base/text.h"
#include "decode/common/setting_line.h"

#include <stdlib.h>
#include <string.h>

static const char beginning[] =
	"# What nettop's screens begin with. Key W writes it; what you change here stays. nettop config shows all that there is.\n";

/* The setting of a line: false when it is of none that is known. */
static bool setting_of(const struct nt_setting_line *line, struct nt_setting *out)
{
	char key[NT_SETTING_KEY_BYTES];
	if (!line->key || line->key_length >= sizeof(key))
		return false;
	memcpy(key, line->key, line->key_length);
	key[line->key_length] = '\0';
	return nt_setting_called(key, out);
}

static enum nt_status take(const struct nt_setting *setting, const struct nt_setting_line *line, struct nt_settings *settings,
			   struct nt_error *err)
{
	char value[NT_SETTING_VALUE_BYTES];
	if (line->value_length >= sizeof(value))
		return nt_error_set(err, NT_ERR_USAGE, "its value is too long; shorten it");
	memcpy(value, line->value, line->value_length);
	value[line->value_length] = '\0';
	return nt_setting_set(setting, settings, value, err);
}

static void complain(const char *path, unsigned number, const char *key, const char *what, struct nt_text_buffer *problems)
{
	nt_text_put_escaped(problems, path, strlen(path));
	nt_text_put(problems, ":");
	nt_text_put_unsigned(problems, number);
	nt_text_put(problems, ": ");
	if (key) {
		nt_text_put(problems, key);
		nt_text_put(problems, ": ");
	}
	nt_text_put_escaped(problems, what, strlen(what));
	nt_text_put(problems, "\n");
}

void nt_settings_text_take(const char *path, const char *text, size_t length, struct nt_settings *settings, struct nt_text_buffer *problems)
{
	struct nt_setting_line line;
	struct nt_setting setting;
	char reason[NT_ERROR_TEXT];
	for (size_t at = 0; nt_setting_line_next(text, length, &at, &line);) {
		struct nt_error err = { 0 };
		if (line.problem)
			complain(path, line.number, NULL, line.problem, problems);
		else if (setting_of(&line, &setting) && take(&setting, &line, settings, &err) != NT_OK)
			complain(path, line.number, setting.key, nt_error_text(&err, reason, sizeof(reason)), problems);
	}
}

/* What a line that is of this setting says of it, in the form that nettop writes; false: it cannot be taken. */
static bool says(const struct nt_setting *setting, const struct nt_setting_line *line, char out[NT_SETTING_VALUE_BYTES])
{
	struct nt_settings alone;
	struct nt_error err = { 0 };
	nt_settings_usual(&alone);
	if (take(setting, line, &alone, &err) != NT_OK)
		return false;
	nt_setting_get(setting, &alone, out);
	return true;
}

/* With what stands behind the value. */
static void rewrite(const struct nt_setting *setting, const struct nt_setting_line *line, const char *value, struct nt_text_buffer *out)
{
	const char *rest = line->value + line->value_length;
	nt_text_put(out, setting->key);
	nt_text_put(out, " = ");
	nt_text_put(out, value);
	nt_text_put_bytes(out, rest, (size_t)(line->text + line->length - rest));
}

static void write_line(const struct nt_setting_line *line, const struct nt_settings *settings, struct nt_text_buffer *out)
{
	struct nt_setting setting;
	char then[NT_SETTING_VALUE_BYTES], now[NT_SETTING_VALUE_BYTES];
	bool known = setting_of(line, &setting);
	if (known)
		nt_setting_get(&setting, settings, now);
	if (known && !(says(&setting, line, then) && strcmp(then, now) == 0))
		rewrite(&setting, line, now, out);
	else
		nt_text_put_bytes(out, line->text, line->length);
	nt_text_put(out, "\n");
}

/* The last line of this setting that can be taken; false: there is none. */
static bool find_line(const char *text, size_t length, const char *key, struct nt_setting_line *out)
{
	struct nt_setting_line line;
	struct nt_setting setting;
	char value[NT_SETTING_VALUE_BYTES];
	bool found = false;
	for (size_t at = 0; nt_setting_line_next(text, length, &at, &line);)
		if (setting_of(&line, &setting) && strcmp(setting.key, key) == 0 && says(&setting, &line, value)) {
			*out = line;
			found = true;
		}
	return found;
}

void nt_settings_text_write(const char *text, size_t length, const struct nt_settings *settings, struct nt_text_buffer *out)
{
	struct nt_settings usual;
	struct nt_setting setting;
	struct nt_setting_line line;
	nt_settings_usual(&usual);
	if (!length)
		nt_text_put(out, beginning);
	for (size_t at = 0; nt_setting_line_next(text, length, &at, &line);)
		write_line(&line, settings, out);
	for (size_t i = 0; nt_setting_at(i, &setting); i++) {
		char then[NT_SETTING_VALUE_BYTES], now[NT_SETTING_VALUE_BYTES];
		nt_setting_get(&setting, &usual, then);
		nt_setting_get(&setting, settings, now);
		if (strcmp(then, now) == 0 || find_line(out->bytes, out->length, setting.key, &line))
			continue;
		nt_text_put(out, "\n# ");
		nt_text_put(out, nt_setting_help(&setting));
		nt_text_put(out, "\n");
		nt_text_put(out, setting.key);
		nt_text_put(out, " = ");
		nt_text_put(out, now);
		nt_text_put(out, "\n");
	}
}

/* Those of several tables are alike: what they are for is said once. */
static void print_setting(const char *path, const char *text, size_t length, const struct nt_setting *setting, const char *help_before,
			  const struct nt_settings *settings, FILE *out)
{
	struct nt_setting_line line;
	char value[NT_SETTING_VALUE_BYTES];
	bool found = find_line(text, length, setting->key, &line);
	const char *help = nt_setting_help(setting);
	if (help != help_before)
		fprintf(out, "\n# %s\n", help);
	nt_setting_get(setting, settings, value);
	fprintf(out, "%s%s = %s  # ", found ? "" : "#", setting->key, value);
	if (found) {
		nt_text_print(out, path);
		fprintf(out, ":%u\n", line.number);
	} else {
		fputs("as usual\n", out);
	}
}

static void print_unknown(const char *text, size_t length, FILE *out)
{
	struct nt_setting_line line;
	struct nt_setting setting;
	bool any = false;
	for (size_t at = 0; nt_setting_line_next(text, length, &at, &line);) {
		if (!line.key || setting_of(&line, &setting))
			continue;
		if (!any)
			fputs("\n# Not known to this version; W leaves them in the file.\n", out);
		any = true;
		char *whole = nt_text_escaped(line.text, line.length);
		fprintf(out, "%s\n", whole);
		free(whole);
	}
}

void nt_settings_text_print(const char *path, const char *text, size_t length, FILE *out)
{
	struct nt_settings settings;
	struct nt_setting setting;
	struct nt_text_buffer problems = { 0 };
	nt_settings_usual(&settings);
	nt_settings_text_take(path, text, length, &settings, &problems);
	nt_text_buffer_fini(&problems);
	fputs(beginning, out);
	const char *help = NULL;
	for (size_t i = 0; nt_setting_at(i, &setting); i++) {
		print_setting(path, text, length, &setting, help, &settings, out);
		help = nt_setting_help(&setting);
	}
	print_unknown(text, length, out);
}
