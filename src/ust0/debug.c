// SPDX-License-Identifier: MIT
#include "debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ust0_debug(const char *format, ...)
{
	const char *wanted = getenv("NETTOP_UST0_DEBUG");
	if (!wanted || strcmp(wanted, "1") != 0)
		return;
	char line[512] = "nettop-ust0: ";
	const size_t prefix = strlen(line);
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line + prefix, sizeof(line) - prefix - 1, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	size_t end = strlen(line);
	line[end] = '\n';
	ssize_t ignored = write(STDERR_FILENO, line, end + 1);
	(void)ignored;
}
