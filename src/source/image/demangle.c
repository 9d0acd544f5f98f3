// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

/* A longer mangled name is taken as it is: a name of some kilobytes can stand for one of gigabytes. */
enum { MANGLED_MAX = 4096 };

struct writer {
	char *buf;
	size_t used;
	jmp_buf full;
};

/*
 * The demangler has no way to say "enough", and its output can be exponentially longer than its input. It keeps all it has on the stack when it is
 * called like this, so leaving it by longjmp() loses nothing.
 */
static void write_piece(const char *text, size_t length, void *context)
{
	struct writer *writer = context;
	size_t room = NT_DEMANGLE_MAX - 1 - writer->used;
	size_t take = length < room ? length : room;
	memcpy(writer->buf + writer->used, text, take);
	writer->used += take;
	if (take < length)
		longjmp(writer->full, 1);
}

static void mark_cut(char buf[NT_DEMANGLE_MAX])
{
	memcpy(buf + NT_DEMANGLE_MAX - 4, "...", 4);
}

static const char *plain(const char *name, char buf[NT_DEMANGLE_MAX])
{
	size_t length = strnlen(name, NT_DEMANGLE_MAX);
	memcpy(buf, name, length < NT_DEMANGLE_MAX ? length + 1 : NT_DEMANGLE_MAX);
	if (length == NT_DEMANGLE_MAX)
		mark_cut(buf);
	return buf;
}

/* Where an entry of a procedure linkage table says that it is one; else the end of the name. */
static size_t function_length(const char *name)
{
	static const char suffix[] = "@plt";
	size_t length = strlen(name), of_suffix = sizeof(suffix) - 1;
	return length > of_suffix && strcmp(name + length - of_suffix, suffix) == 0 ? length - of_suffix : length;
}

/* `function` demangled, and `rest` behind it. False: it is not mangled. */
static bool write_demangled(const char *function, const char *rest, char buf[NT_DEMANGLE_MAX])
{
	struct writer writer = { .buf = buf };
	if (setjmp(writer.full)) {
		mark_cut(buf);
		return true;
	}
	if (!cplus_demangle_v3_callback(function, DMGL_PARAMS | DMGL_ANSI, write_piece, &writer) || !writer.used)
		return false;
	write_piece(rest, strlen(rest), &writer);
	buf[writer.used] = '\0';
	return true;
}

const char *nt_demangle(const char *name, char buf[NT_DEMANGLE_MAX])
{
	if (strncmp(name, "_Z", 2) != 0 || strnlen(name, MANGLED_MAX) == MANGLED_MAX)
		return plain(name, buf);
	char function[MANGLED_MAX];
	size_t length = function_length(name);
	memcpy(function, name, length);
	function[length] = '\0';
	return write_demangled(function, name + length, buf) ? buf : plain(name, buf);
}
