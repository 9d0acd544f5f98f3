// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/completion.h"

#include "app/common/option_words.h"
#include "base/text.h"

#include <string.h>

struct completion {
	enum nt_command command;
	const char *word;   /* to be completed, from where it begins */
	const char *before; /* what stands before that in the same word and stays: "--theme=", "perf," */
	size_t before_length;
	const struct nt_completion_processes *processes;
	FILE *out;
};

static void put(const struct completion *completion, const char *text, size_t length, const char *help)
{
	size_t typed = strlen(completion->word);
	if (length < typed || strncmp(text, completion->word, typed) != 0)
		return;
	fprintf(completion->out, "%.*s%.*s\t", (int)completion->before_length, completion->before, (int)length, text);
	nt_text_print(completion->out, help);
	fputc('\n', completion->out);
}

static void put_text(const struct completion *completion, const char *text, const char *help)
{
	put(completion, text, strlen(text), help);
}

static void put_words(const struct completion *completion, const char *words)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		put(completion, words, length, "");
	}
}

/* ---- processes ---- */

/* What a shell puts on the line as it is must mean nothing to it: a process calls itself what it likes. */
static bool is_harmless(const char *name)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+@%/-";
	return name && *name && *name != '-' && !name[strspn(name, good)];
}

static bool came_before(const struct nt_process_row *rows, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (rows[i].name && strcmp(rows[i].name, rows[index].name) == 0)
			return true;
	return false;
}

static void put_processes(const struct completion *completion)
{
	const struct nt_process_row *rows;
	size_t count = completion->processes->rows(completion->processes->context, &rows);
	for (size_t i = 0; i < count; i++) {
		char pid[16], what[256];
		snprintf(pid, sizeof(pid), "%u", rows[i].pid);
		snprintf(what, sizeof(what), "process %u", rows[i].pid);
		put_text(completion, pid, rows[i].name ? rows[i].name : "");
		if (is_harmless(rows[i].name) && !came_before(rows, i))
			put_text(completion, rows[i].name, what);
	}
}

/* ---- options and their values ---- */

static void put_columns(const struct completion *completion)
{
	for (size_t t = 0; nt_tables[t]; t++)
		for (size_t c = 0; c < nt_tables[t]->column_count; c++) {
			const struct nt_column *column = &nt_tables[t]->columns[c];
			char name[128];
			snprintf(name, sizeof(name), "%s.%s", nt_tables[t]->key, column->key);
			if (nt_column_sorts(column))
				put_text(completion, name, column->help);
		}
}

static void put_value(struct completion *completion, const struct nt_option_info *option)
{
	const char *words = nt_option_words(completion->command, option->name);
	const char *comma = strstr(option->argument, "[,") ? strrchr(completion->word, ',') : NULL;
	if (comma) { /* of a list the last one */
		completion->before = completion->before_length ? completion->before : completion->word;
		completion->before_length = (size_t)(comma + 1 - completion->before);
		completion->word = comma + 1;
	}
	if (words)
		put_words(completion, words);
	else if (strcmp(option->name, "sort") == 0)
		put_columns(completion);
	else if (strncmp(option->argument, "PID", 3) == 0)
		put_processes(completion);
	else if (strstr(option->argument, "DIR"))
		fputs(":folders\n", completion->out);
	else if (strstr(option->argument, "FILE") || strstr(option->argument, "OLD"))
		fputs(":files\n", completion->out);
}

static void put_options(const struct completion *completion)
{
	struct nt_option_info option;
	for (size_t i = 0; nt_option_at(completion->command, i, &option); i++) {
		char name[64];
		snprintf(name, sizeof(name), "--%s", option.name);
		put_text(completion, name, option.help);
	}
}

/* The option that a word says, `-p` or `--pid`, or with a value behind it `--pid=`; false: it says none. */
static bool option_of(enum nt_command command, const char *word, size_t length, struct nt_option_info *out)
{
	for (size_t i = 0; nt_option_at(command, i, out); i++) {
		bool is_letter = length == 2 && word[0] == '-' && word[1] == out->letter;
		bool is_name = length > 2 && strncmp(word, "--", 2) == 0 && strlen(out->name) == length - 2 &&
			       strncmp(word + 2, out->name, length - 2) == 0;
		if (is_letter || is_name)
			return true;
	}
	return false;
}

/* bash gives `--theme=dark` as three words, others as one. */
static bool put_value_of(struct completion *completion, char *const *words, size_t count)
{
	struct nt_option_info option;
	size_t length = strcspn(completion->word, "=");
	if (completion->word[0] == '-' && completion->word[length] == '=' &&
	    option_of(completion->command, completion->word, length, &option)) {
		completion->before = completion->word;
		completion->before_length = length + 1;
		completion->word += length + 1;
		if (option.argument)
			put_value(completion, &option);
		return true;
	}
	bool is_equals = strcmp(completion->word, "=") == 0;
	size_t at = count - 1; /* of the word before the value */
	if (!is_equals && at >= 1 && strcmp(words[at - 1], "=") == 0)
		at--;
	if (at < 1 || !option_of(completion->command, words[at - 1], strlen(words[at - 1]), &option) || !option.argument)
		return false;
	if (is_equals)
		completion->word = "";
	put_value(completion, &option);
	return true;
}

/* ---- the line ---- */

static bool starts_programs(enum nt_command command)
{
	return command == NT_COMMAND_RUN || command == NT_COMMAND_JIT || command == NT_COMMAND_RECORD;
}

/* Of a program that nettop starts everything is its own from its name on; that is where the first word stands that is no option and no value of one. */
static bool is_of_the_program(enum nt_command command, char *const *words, size_t count)
{
	struct nt_option_info option;
	for (size_t i = 1; starts_programs(command) && i + 1 < count; i++) {
		if (strcmp(words[i], "--") == 0 || words[i][0] != '-')
			return true;
		if (option_of(command, words[i], strlen(words[i]), &option) && option.argument)
			i++;
	}
	return false;
}

static void put_commands(const struct completion *completion)
{
	for (int command = 0; command < NT_COMMAND_COUNT; command++)
		if (nt_command_name((enum nt_command)command))
			put_text(completion, nt_command_name((enum nt_command)command), nt_command_help((enum nt_command)command));
	put_text(completion, "help", "what a command does, and its options");
}

void nt_completion_write(char *const *words, const struct nt_completion_processes *processes, FILE *out)
{
	size_t count = 0;
	while (words[count])
		count++;
	if (!count)
		return;
	enum nt_command command = count > 1 ? nt_command_called(words[0]) : NT_COMMAND_WATCH;
	struct completion completion = { .command = command, .word = words[count - 1], .before = "", .processes = processes, .out = out };
	if (count == 2 && strcmp(words[0], "help") == 0) {
		put_commands(&completion);
	} else if (is_of_the_program(command, words, count)) {
		fputs(count > 2 && strcmp(words[count - 2], "--") == 0 ? ":commands\n" : ":files\n", out);
	} else if (!put_value_of(&completion, words, count)) {
		if (completion.word[0] == '-')
			put_options(&completion);
		else if (count == 1)
			put_commands(&completion);
		if (completion.word[0] != '-' && starts_programs(command))
			fputs(":commands\n", out);
		else if (command == NT_COMMAND_COMPLETION)
			put_words(&completion, "bash zsh fish");
		else if (completion.word[0] != '-')
			put_processes(&completion);
	}
}
