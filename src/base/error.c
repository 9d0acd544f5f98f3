// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nt_error_clear(struct nt_error *err)
{
	if (err) {
		err->status = NT_OK;
		err->cause_count = 0;
		err->fix[0] = '\0';
	}
}

/* More than fits into a cause: a character that is cut in two here is left out there. */
enum { RAW_BYTES = NT_ERROR_TEXT + 4 };

static void add_cause(struct nt_error *err, const char *fmt, va_list args)
{
	if (err->cause_count >= NT_ERROR_CAUSES)
		return;
	/* It may quote a path or a message of somebody else. */
	char raw[RAW_BYTES];
	vsnprintf(raw, sizeof(raw), fmt, args);
	nt_text_escape(raw, strlen(raw), err->cause[err->cause_count++], NT_ERROR_TEXT);
}

static void start(struct nt_error *err, enum nt_status status, const char *fmt, va_list args)
{
	nt_error_clear(err);
	err->status = status;
	add_cause(err, fmt, args);
}

enum nt_status nt_error_set(struct nt_error *err, enum nt_status status, const char *fmt, ...)
{
	if (!err)
		return status;
	va_list args;
	va_start(args, fmt);
	start(err, status, fmt, args);
	va_end(args);
	return status;
}

enum nt_status nt_error_errno(struct nt_error *err, enum nt_status status, int errnum, const char *fmt, ...)
{
	if (!err)
		return status;
	va_list args;
	va_start(args, fmt);
	start(err, status, fmt, args);
	va_end(args);
	size_t used = strlen(err->cause[0]);
	snprintf(err->cause[0] + used, NT_ERROR_TEXT - used, ": %s", strerror(errnum));
	return status;
}

void nt_error_wrap(struct nt_error *err, const char *fmt, ...)
{
	if (!err)
		return;
	va_list args;
	va_start(args, fmt);
	add_cause(err, fmt, args);
	va_end(args);
}

void nt_error_set_fix(struct nt_error *err, const char *fix)
{
	if (!err)
		return;
	nt_text_escape(fix, strlen(fix), err->fix, sizeof(err->fix));
}

const char *nt_error_reason(const struct nt_error *err, char *buf, size_t size)
{
	size_t used = 0;
	if (size)
		buf[0] = '\0';
	for (unsigned i = err->cause_count; i-- > 0 && used < size;) {
		int n = snprintf(buf + used, size - used, "%s%s", used ? ": " : "", err->cause[i]);
		if (n > 0)
			used += (size_t)n;
	}
	return buf;
}

const char *nt_error_text(const struct nt_error *err, char *buf, size_t size)
{
	nt_error_reason(err, buf, size);
	size_t used = size ? strlen(buf) : 0;
	if (err->fix[0] && size)
		snprintf(buf + used, size - used, "%s%s", used ? "; " : "", err->fix);
	return buf;
}

void nt_assert_fail(const char *cond, const char *file, int line)
{
	fprintf(stderr, "nettop: a rule of the program is broken: %s (%s:%d)\n", cond, file, line);
	abort();
}
