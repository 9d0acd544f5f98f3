// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/print.h"

#include "base/text.h"
#include "base/text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct nt_text_stream out, err;
static FILE *raw_out;

void nt_print_begin(void)
{
	raw_out = stdout;
	stdout = nt_text_stream_open(&out, STDOUT_FILENO);
	setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	stderr = nt_text_stream_open(&err, STDERR_FILENO);
	setvbuf(stderr, NULL, _IONBF, 0);
}

FILE *nt_print_raw(void)
{
	if (!raw_out)
		return stdout; /* a unit test's */
	fflush(stdout);
	return raw_out;
}

bool nt_print_is_terminal(void)
{
	return isatty(STDERR_FILENO);
}

void nt_print_over(const char *text)
{
	/* The two sequences move the cursor, so they go past what escapes; the text does not. */
	static const char to_begin[] = "\r", to_end[] = "\033[K";
	char *safe = nt_text_escaped(text, strlen(text));
	bool written = write(STDERR_FILENO, to_begin, sizeof(to_begin) - 1) > 0 && write(STDERR_FILENO, safe, strlen(safe)) >= 0 &&
		       write(STDERR_FILENO, to_end, sizeof(to_end) - 1) > 0;
	(void)written; /* it is for who looks */
	free(safe);
}

void nt_print_bell(void)
{
	static const char bell = '\a';
	int fd = isatty(STDERR_FILENO) ? STDERR_FILENO : isatty(STDOUT_FILENO) ? STDOUT_FILENO : -1;
	bool rung = fd >= 0 && write(fd, &bell, 1) == 1;
	(void)rung; /* it is for who listens */
}

void nt_print_bytes(void)
{
	stdout = nt_print_raw();
}
