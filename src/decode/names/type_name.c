// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/type_name.h"

#include "decode/names/type_path.h"

#include <string.h>

/* Where `[]`, `[,]`, `[][]` begin at the end of it; type.length without them. */
static size_t ranks_at(struct nt_slice type)
{
	size_t at = type.length;
	for (;;) {
		size_t open = at;
		if (!open || type.text[open - 1] != ']')
			return at;
		for (open--; open && type.text[open - 1] == ',';)
			open--;
		if (!open || type.text[open - 1] != '[')
			return at;
		at = open - 1;
	}
}

/* `<Rows>d__4[System.String]`: the state of an iterator, or of an async method in a program that was built for debugging. */
static bool put_state(struct nt_text_out *out, struct nt_type_path *path)
{
	struct nt_compiled_name name = nt_compiled_name_read(path->shown);
	if (name.form != NT_COMPILED_STATE_MACHINE)
		return false;
	const struct nt_compiled_place place = { .after_owner = nt_type_path_put_rest, .context = path };
	nt_text_put_word(out, "state of ");
	nt_compiled_name_put(out, path->shown, &place);
	return !path->failed;
}

static bool put_type(struct nt_text_out *out, struct nt_slice type)
{
	const char *keyword = nt_type_keyword(type);
	if (keyword) {
		nt_text_put_word(out, keyword);
		return true;
	}
	struct nt_type_parser parser = { .out = out };
	struct nt_type_path path = { .parser = &parser };
	if (!nt_type_path_read(&path, type))
		return false;
	struct nt_slice machine = nt_type_path_boxed(&path);
	if (machine.length) {
		const struct nt_text_out before = *out;
		nt_text_put_word(out, "state of async ");
		if (nt_type_path_put_machine(out, machine))
			return true;
		*out = before;
	}
	if (put_state(out, &path))
		return true;
	if (path.failed)
		return false;
	nt_type_path_show_all(&path);
	/* A nested type's innermost name alone: the arity is its own, the arguments are of all around it, too. */
	const char *arity = memchr(path.shown.text, '`', path.shown.length);
	if (arity && !memchr(path.shown.text, '+', path.shown.length))
		path.shown.length = (size_t)(arity - path.shown.text);
	if (!nt_type_path_put(&path))
		return false;
	out->length -= out->length && out->buf[out->length - 1] == '.'; /* where a method would follow */
	return true;
}

size_t nt_type_name_show(struct nt_slice raw, char *buf, size_t size)
{
	struct nt_text_out out = { .buf = buf, .size = size };
	raw = nt_method_name_cut(raw);
	size_t ranks = ranks_at(raw);
	if (put_type(&out, (struct nt_slice){ raw.text, ranks })) {
		nt_text_put(&out, raw.text + ranks, raw.length - ranks);
	} else {
		out = (struct nt_text_out){ .buf = buf, .size = size };
		nt_text_put(&out, raw.text, raw.length);
	}
	if (out.full)
		out.length = nt_method_name_mark_cut(buf, out.length);
	buf[out.length] = '\0';
	return out.length;
}
