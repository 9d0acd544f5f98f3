// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/type_path.h"

#include <string.h>

static struct nt_slice slice(const char *text, size_t length)
{
	return (struct nt_slice){ text, length };
}

/* A compiler-made `<...>` part may contain one that is none. */
size_t nt_type_instantiation_at(struct nt_slice type)
{
	unsigned depth = 0;
	for (size_t i = 0; i < type.length; i++) {
		char c = type.text[i];
		if (c == '<')
			depth++;
		else if (c == '>' && depth)
			depth--;
		else if (c == '[' && !depth)
			return i;
	}
	return type.length;
}

bool nt_type_split_arguments(struct nt_slice text, struct nt_slice args[NT_TYPE_ARGS_MAX], unsigned *count)
{
	if (text.length < 2 || text.text[0] != '[' || text.text[text.length - 1] != ']')
		return false;
	unsigned depth = 0;
	const char *start = text.text + 1, *end = text.text + text.length - 1;
	for (const char *at = start;; at++) {
		if (at == end || (*at == ',' && !depth)) {
			if (*count == NT_TYPE_ARGS_MAX || at == start)
				return false;
			args[(*count)++] = slice(start, (size_t)(at - start));
			start = at + 1;
			if (at == end)
				return depth == 0;
		} else if (*at == '[' || *at == '<') {
			depth++;
		} else if ((*at == ']' || *at == '>') && depth-- == 0) {
			return false;
		}
	}
}

bool nt_type_put_arguments(struct nt_text_out *out, const struct nt_slice *args, unsigned count)
{
	nt_text_put(out, "<", 1);
	for (unsigned i = 0; i < count; i++) {
		if (i)
			nt_text_put(out, ", ", 2);
		struct nt_type_parser inner = { .out = out, .substituting = true };
		inner.at = args[i].text;
		inner.end = inner.at + args[i].length;
		if (!nt_type_parse(&inner) || (inner.at != inner.end && !inner.out->full))
			return false;
	}
	nt_text_put(out, ">", 1);
	return true;
}

/* <A, B> of the next `count` arguments. */
static bool put_next(struct nt_type_path *path, unsigned count)
{
	const struct nt_slice *args = path->parser->args + path->next;
	path->next += count;
	return nt_type_put_arguments(path->parser->out, args, count);
}

/* End of the part of a type's path that begins at `start`: its `+`, or the path's end. A compiler-made name may contain a `+`. */
static size_t part_end(struct nt_slice path, size_t start)
{
	unsigned depth = 0;
	for (size_t i = start; i < path.length; i++) {
		char c = path.text[i];
		if (c == '<')
			depth++;
		else if (c == '>' && depth)
			depth--;
		else if (c == '+' && !depth)
			return i;
	}
	return path.length;
}

static struct nt_slice without_arity(struct nt_slice part)
{
	const char *arity = memrchr(part.text, '`', part.length);
	return arity ? slice(part.text, (size_t)(arity - part.text)) : part;
}

/* Is a type of this form none that people wrote, when it is the last of a path? */
static bool is_hidden(enum nt_compiled_form form)
{
	return form == NT_COMPILED_CLOSURE || form == NT_COMPILED_STATE_MACHINE || form == NT_COMPILED_FS_LINE;
}

/* F# before 5 has closures of a namespace's types in the namespace: length of what is shown of the first part. */
static size_t shown_of_first(struct nt_type_path *path, struct nt_slice first)
{
	const char *dot = memrchr(first.text, '.', first.length);
	struct nt_slice part = dot ? slice(dot + 1, (size_t)(first.text + first.length - dot) - 1) : first;
	if (nt_compiled_name_read(part).form != NT_COMPILED_FS_LINE)
		return first.length;
	path->form = NT_COMPILED_FS_LINE;
	path->inmost = part;
	return dot ? (size_t)(dot - first.text) : 0;
}

/* Where do the closures and state machines begin, with nothing else behind them? */
static void split_path(struct nt_type_path *path, struct nt_slice all)
{
	size_t end = part_end(all, 0);
	path->shown = slice(all.text, shown_of_first(path, slice(all.text, end)));
	while (end < all.length) {
		size_t start = end + 1;
		end = part_end(all, start);
		struct nt_slice part = without_arity(slice(all.text + start, end - start));
		struct nt_compiled_name name = nt_compiled_name_read(part);
		path->form = name.form;
		path->inmost = part;
		if (name.form == NT_COMPILED_CLOSURE)
			path->vb_method = name.name;
		if (!is_hidden(name.form)) {
			path->form = NT_COMPILED_NOT;
			path->shown = slice(all.text, end);
		}
	}
	path->hidden = slice(all.text + path->shown.length, all.length - path->shown.length);
}

/* Length of the `<StartupCode$Assembly>.` in which F# has what belongs to a file and to none of its modules, 0 when with none. */
static size_t startup_prefix(struct nt_slice type)
{
	static const char start[] = "<StartupCode$";
	if (type.length < sizeof(start) || memcmp(type.text, start, sizeof(start) - 1) != 0)
		return 0;
	const char *close = memchr(type.text, '>', type.length);
	size_t length = close ? (size_t)(close + 2 - type.text) : type.length;
	return length < type.length && close[1] == '.' ? length : 0;
}

/* Length of the name of a type of one file at text[at..), a `<`, 0 when there is none; *name is what people wrote. */
static size_t file_type_at(struct nt_slice text, size_t at, struct nt_slice *name)
{
	if ((at && text.text[at - 1] != '.' && text.text[at - 1] != '+'))
		return 0;
	size_t prefix = nt_compiled_file_prefix(slice(text.text + at, text.length - at));
	if (!prefix)
		return 0;
	struct nt_slice part = without_arity(slice(text.text + at, part_end(text, at) - at));
	if (part.length <= prefix)
		return 0;
	*name = slice(part.text + prefix, part.length - prefix);
	return part.length;
}

/* The number after a ` at text[*at], which is left at its last digit. */
static unsigned read_arity(struct nt_slice text, size_t *at)
{
	unsigned arity = 0;
	for (; *at + 1 < text.length && text.text[*at + 1] >= '0' && text.text[*at + 1] <= '9' && arity <= NT_TYPE_ARGS_MAX; ++*at)
		arity = arity * 10 + (unsigned)(text.text[*at + 1] - '0');
	return arity;
}

/* Outer`1+Inner`1 as Outer<A>.Inner<B>: the arities tell whose the arguments are. */
static bool put_shown(struct nt_type_path *path)
{
	struct nt_text_out *out = path->parser->out;
	struct nt_slice text = path->shown, name;
	size_t start = startup_prefix(text); /* of what is as it was written */
	for (size_t i = start; i < text.length && !out->full; i++) {
		char c = text.text[i];
		size_t length = c == '<' ? file_type_at(text, i, &name) : 0;
		if (!length && c != '+' && c != '`')
			continue;
		nt_text_put(out, text.text + start, i - start);
		if (length) {
			nt_text_put(out, name.text, name.length);
			i += length - 1;
		} else if (c == '+') {
			nt_text_put(out, ".", 1);
		} else {
			unsigned arity = read_arity(text, &i);
			if (arity && arity <= path->parser->arg_count - path->next && !put_next(path, arity))
				return false;
		}
		start = i + 1;
	}
	nt_text_put(out, text.text + start, text.length > start ? text.length - start : 0);
	return true;
}

void nt_type_path_put_rest(void *context)
{
	struct nt_type_path *path = context;
	unsigned left = path->parser->arg_count - path->next;
	path->failed |= left && !put_next(path, left);
}

bool nt_type_path_read(struct nt_type_path *path, struct nt_slice type)
{
	size_t bracket = nt_type_instantiation_at(type);
	if (bracket < type.length &&
	    !nt_type_split_arguments(slice(type.text + bracket, type.length - bracket), path->parser->args, &path->parser->arg_count))
		return false;
	split_path(path, slice(type.text, bracket));
	return true;
}

struct nt_slice nt_type_path_namespace(struct nt_slice type)
{
	size_t prefix = startup_prefix(type), length = 0;
	type = slice(type.text + prefix, type.length - prefix);
	size_t end = part_end(slice(type.text, nt_type_instantiation_at(type)), 0);
	unsigned depth = 0;
	for (size_t i = 0; i < end; i++) {
		if (type.text[i] == '<')
			depth++;
		else if (type.text[i] == '>' && depth)
			depth--;
		else if (type.text[i] == '.' && !depth)
			length = i;
	}
	return slice(type.text, length);
}

void nt_type_path_show_all(struct nt_type_path *path)
{
	path->shown.length += path->hidden.length;
	path->hidden.length = 0;
	path->form = NT_COMPILED_NOT;
}

bool nt_type_path_put(struct nt_type_path *path)
{
	if (!put_shown(path))
		return false;
	if (!path->hidden.length)
		nt_type_path_put_rest(path);
	if (path->shown.length)
		nt_text_put(path->parser->out, ".", 1);
	return !path->failed;
}

struct nt_slice nt_type_path_boxed(const struct nt_type_path *path)
{
	static const char box[] = "StateMachineBox`1"; /* of tasks, of pooled ones, of those that the debugger follows */
	const size_t length = sizeof(box) - 1;
	const struct nt_type_parser *parser = path->parser;
	if (parser->arg_count < 2 || path->hidden.length || path->shown.length < length ||
	    memcmp(path->shown.text + path->shown.length - length, box, length) != 0)
		return (struct nt_slice){ 0 };
	return parser->args[parser->arg_count - 1];
}

bool nt_type_path_put_machine(struct nt_text_out *out, struct nt_slice type)
{
	struct nt_type_parser parser = { .out = out };
	struct nt_type_path path = { .parser = &parser };
	if (!nt_type_path_read(&path, type) || (path.form != NT_COMPILED_STATE_MACHINE && path.form != NT_COMPILED_FS_LINE) ||
	    !nt_type_path_put(&path))
		return false;
	if (path.form == NT_COMPILED_STATE_MACHINE) {
		const struct nt_compiled_place place = { .after_owner = nt_type_path_put_rest,
							 .context = &path,
							 .vb_method = path.vb_method };
		nt_compiled_name_put(out, path.inmost, &place);
	} else {
		struct nt_compiled_name line = nt_compiled_name_read(path.inmost);
		nt_compiled_name_put_in_type(out, line.owner);
		nt_type_path_put_rest(&path);
		nt_text_put_word(out, " ");
		nt_text_put(out, line.name.text, line.name.length);
	}
	return !path.failed;
}
