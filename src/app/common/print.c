// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/print.h"

#include "base/text_stream.h"

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

void nt_print_bytes(void)
{
	stdout = nt_print_raw();
}
