// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/shorten.h"

#include "base/file_name.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS "…"

enum { NAME_BYTES = 4096, SHORT_ARGUMENTS = 3 };

const char *nt_shorten_tail(const char *text, int room, char *out, size_t size)
{
	bool fits = nt_text_cells(text) <= room;
	int limit = fits ? room : room - 1, cells = 0;
	size_t used = 0, left = strlen(text), reserve = fits ? 1 : sizeof(ELLIPSIS);
	while (left) {
		uint32_t code;
		size_t length = nt_utf8_decode(text + used, left, &code);
		cells += nt_text_width(code);
		if (cells > limit || used + length + reserve > size)
			break;
		memcpy(out + used, text + used, length);
		used += length;
		left -= length;
	}
	out[used] = '\0';
	if (!fits && room > 0 && used + sizeof(ELLIPSIS) <= size)
		memcpy(out + used, ELLIPSIS, sizeof(ELLIPSIS));
	return out;
}

/* The last closing parenthesis of a name and the one that opens it. */
static bool find_arguments(const char *name, size_t *open, size_t *close)
{
	int depth = 0;
	for (size_t i = strlen(name); i-- > 0;) {
		if (name[i] == ')' && depth++ == 0)
			*close = i;
		if (name[i] == '(' && depth > 0 && --depth == 0) {
			*open = i;
			return true;
		}
	}
	return false;
}

static void drop_arguments(char *name, size_t size)
{
	size_t open = 0, close = 0, length = strlen(name);
	/* An ellipsis in place of an `int` would gain next to nothing. */
	if (!find_arguments(name, &open, &close) || close - open - 1 <= SHORT_ARGUMENTS)
		return;
	size_t tail = length - close; /* with the closing parenthesis */
	if (open + strlen("(" ELLIPSIS) + tail + 1 > size)
		return;
	memmove(name + open + strlen("(" ELLIPSIS), name + close, tail + 1);
	memcpy(name + open, "(" ELLIPSIS, strlen("(" ELLIPSIS));
}

/*
 * Length of the first segment of a qualified name with its separator (`.` or `::`), 0 when there is none left. Separators within <>, () and []
 * belong to arguments.
 */
static size_t first_segment(const char *name)
{
	int depth = 0;
	for (size_t i = 0; name[i]; i++) {
		if (strchr("<([", name[i]))
			depth++;
		else if (strchr(">)]", name[i]))
			depth--;
		if (depth < 0)
			return 0;
		if (depth > 0)
			continue;
		/* `..ctor`: the name of a constructor begins with a dot of its own. */
		if (name[i] == '.' && i > 0)
			return i + 1;
		if (name[i] == ':' && name[i + 1] == ':' && i > 0)
			return i + 2;
		if (name[i] == ' ' || name[i] == '(')
			return 0;
	}
	return 0;
}

static bool ends_scope(const char *name, size_t segment)
{
	return segment && name[segment - 1] == ':';
}

/* What must stay of a qualified name: Type.Method of managed code, the function of C++. */
static bool may_drop(const char *name, size_t segment)
{
	if (!segment)
		return false;
	return ends_scope(name, segment) || first_segment(name + segment) > 0;
}

/* The word before a name that says what kind of method its body is (decode/names/method_name.h), or of what method a type's objects are the state (decode/names/type_name.h), with its space: it stays. */
static int leading_word(const char *name)
{
	static const char *const words[] = { "async ", "iterator ", "seq ", "state of async ", "state of " };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return (int)strlen(words[i]);
	return 0;
}

/* The first <...> at or behind `from` that holds type arguments, more than an ellipsis would, and has a name behind it; a name such as <Main>$ is none. */
static bool find_type_arguments(const char *name, size_t from, size_t *open, size_t *close)
{
	int depth = 0;
	for (size_t i = from; name[i] && name[i] != '('; i++) {
		if (name[i] == '<' && depth++ == 0)
			*open = i;
		if (name[i] != '>' || !depth || --depth)
			continue;
		*close = i;
		if (name[i + 1] == '.' && *open && !strchr(". ", name[*open - 1]) && *close - *open - 1 > strlen(ELLIPSIS))
			return true;
	}
	return false;
}

/* What a type is of is the longest of most names, and says the least: the method's name is behind it. */
static void drop_type_arguments(char *name, int room)
{
	size_t open = 0, close = 0;
	for (size_t from = 0; nt_text_cells(name) > room && find_type_arguments(name, from, &open, &close);
	     from = open + strlen("<" ELLIPSIS ">")) {
		memmove(name + open + strlen("<" ELLIPSIS), name + close, strlen(name + close) + 1);
		memcpy(name + open + 1, ELLIPSIS, strlen(ELLIPSIS));
	}
}

static void drop_namespace(const char *name, int room, char *out, size_t size)
{
	int word = leading_word(name);
	const char *all = name + word, *rest = all;
	while (word + nt_text_cells(rest) + (rest != all) > room) {
		size_t segment = first_segment(rest);
		if (!may_drop(rest, segment))
			break;
		rest += segment;
	}
	snprintf(out, size, "%.*s%s%s", word, name, rest == all ? "" : ELLIPSIS, rest);
}

const char *nt_shorten_method(const char *name, int room, char *out, size_t size)
{
	char work[NAME_BYTES], shorter[NAME_BYTES + sizeof(ELLIPSIS)];
	snprintf(work, sizeof(work), "%s", name);
	if (nt_text_cells(work) > room)
		drop_arguments(work, sizeof(work));
	drop_namespace(work, room, shorter, sizeof(shorter));
	drop_type_arguments(shorter, room);
	return nt_shorten_tail(shorter, room, out, size);
}

/* True when it was a library. */
static bool drop_so(char *name)
{
	const char *so = nt_file_library_end(name);
	if (so)
		name[so - name] = '\0';
	return so;
}

/* Make the first segment that is longer than its initial an initial; false when only the last is left. */
static bool make_initial(char *name)
{
	char *start = name, *dot;
	while ((dot = strchr(start, '.'))) {
		uint32_t code;
		size_t initial = nt_utf8_decode(start, strlen(start), &code);
		if (start + initial < dot) {
			memmove(start + initial, dot, strlen(dot) + 1);
			return true;
		}
		start = dot + 1;
	}
	return false;
}

const char *nt_shorten_module(const char *name, int room, char *out, size_t size)
{
	char work[NAME_BYTES];
	snprintf(work, sizeof(work), "%s", name);
	bool is_library = nt_text_cells(work) > room && drop_so(work);
	while (!is_library && nt_text_cells(work) > room && make_initial(work))
		;
	return nt_shorten_tail(work, room, out, size);
}

const char *nt_shorten_type(const char *name, int room, char *out, size_t size)
{
	for (size_t segment; (segment = first_segment(name)) > 0;)
		name += segment;
	return nt_shorten_tail(name, room, out, size);
}
