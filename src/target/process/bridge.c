// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/bridge.h"

#include "base/own_program.h"
#include "paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_library(const char *dir)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/" NT_UST0_SONAME, dir);
	return length < (int)sizeof(path) && access(path, R_OK) == 0;
}

bool nt_bridge_find(const char *program, char *dir, size_t size)
{
	static const char *const places[] = { "ust0", "../lib/nettop/ust0", "../lib64/nettop/ust0" };
	const char *slash = strrchr(program, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++) {
		char path[PATH_MAX], plain[PATH_MAX];
		int length = snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - program), program, places[i]);
		/* A person is to read it: no "..". */
		if (length >= (int)sizeof(path) || !has_library(path) || !realpath(path, plain))
			continue;
		snprintf(dir, size, "%s", plain);
		return true;
	}
	snprintf(dir, size, "%s", NT_UST0_DIR);
	return has_library(NT_UST0_DIR);
}

bool nt_bridge_find_own(char *dir, size_t size)
{
	char program[PATH_MAX];
	nt_own_program_path(program);
	return nt_bridge_find(program, dir, size);
}

bool nt_bridge_is(const char *bytes, size_t length)
{
	static const char mark[] = "NETTOP_UST0_DEBUG";
	return memmem(bytes, length, mark, sizeof(mark) - 1) != NULL;
}
