// SPDX-License-Identifier: GPL-2.0-only
#include "target/launch/dotnet_command.h"

#include "base/file_name.h"

#include <ctype.h>
#include <string.h>

static bool is_assembly(const char *word, size_t length)
{
	return length > 4 && (strncmp(word + length - 4, ".dll", 4) == 0 || strncmp(word + length - 4, ".exe", 4) == 0);
}

static bool is_dotnet(const char *program)
{
	return strcmp(nt_file_base_name(program), "dotnet") == 0;
}

/* A file of the SDK: ".../sdk/10.0.100/MSBuild.dll". */
static bool lies_in_sdk(const char *path)
{
	static const char folder[] = "/sdk/";
	const char *at = strstr(path, folder);
	return at && isdigit((unsigned char)at[sizeof(folder) - 1]);
}

bool nt_dotnet_is_sdk(const char *cmdline, size_t length)
{
	const char *end = cmdline + length;
	size_t program_length = strnlen(cmdline, length);
	if (!program_length || program_length == length)
		return false;
	if (lies_in_sdk(cmdline))
		return true;
	const char *word = cmdline + program_length + 1;
	size_t word_length = word < end ? strnlen(word, (size_t)(end - word)) : 0;
	if (!is_dotnet(cmdline) || !word_length || word + word_length == end)
		return false;
	/* The host takes options, `exec` and a program; any other word is a command of the SDK. */
	if (*word != '-' && strcmp(word, "exec") != 0 && !is_assembly(word, word_length))
		return true;
	for (; word < end && word + (word_length = strnlen(word, (size_t)(end - word))) < end; word += word_length + 1)
		if (is_assembly(word, word_length))
			return lies_in_sdk(word); /* the first one is the program, what follows are its arguments */
	return false;
}

bool nt_dotnet_is_program(char *const *argv)
{
	if (!argv[0] || !is_dotnet(argv[0]) || !argv[1])
		return false;
	return (strcmp(argv[1], "exec") == 0 || is_assembly(argv[1], strlen(argv[1]))) && !lies_in_sdk(argv[1]);
}
