// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/compiled_name.h"

#include <stdio.h>
#include <string.h>

enum {
	NESTING_MAX = 8,   /* an async lambda of top-level statements has 3 */
	FILE_HASH_HEX = 64 /* the SHA-256 of the file's path */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

static struct nt_slice from(struct nt_slice text, size_t start)
{
	return (struct nt_slice){ text.text + start, text.length - start };
}

static bool accept(struct nt_slice *rest, const char *word)
{
	size_t length = strlen(word);
	if (rest->length < length || memcmp(rest->text, word, length) != 0)
		return false;
	*rest = from(*rest, length);
	return true;
}

/* Position of the `>` that closes the `<` at the start, text.length when there is none. */
static size_t closing(struct nt_slice text)
{
	unsigned depth = 0;
	for (size_t i = 0; i < text.length; i++) {
		if (text.text[i] == '<')
			depth++;
		else if (text.text[i] == '>' && --depth == 0)
			return i;
	}
	return text.length;
}

/* `3_0` or `3`, up to the end: the last number. */
static bool read_ordinal(struct nt_slice rest, unsigned *ordinal)
{
	*ordinal = 0;
	for (size_t i = 0; i < rest.length; i++) {
		if (rest.text[i] == '_' && i && i + 1 < rest.length)
			*ordinal = 0;
		else if (is_digit(rest.text[i]) && *ordinal < 100000)
			*ordinal = *ordinal * 10 + (unsigned)(rest.text[i] - '0');
		else
			return false;
	}
	return rest.length > 0;
}

/* ---- C#: `rest` is what follows the > ---- */

static bool is_closure(struct nt_slice rest, struct nt_compiled_name *out)
{
	return !out->owner.length && accept(&rest, "c") && (!rest.length || accept(&rest, "__"));
}

static bool is_lambda(struct nt_slice rest, struct nt_compiled_name *out)
{
	return out->owner.length && accept(&rest, "b__") && read_ordinal(rest, &out->ordinal);
}

static bool is_local(struct nt_slice rest, struct nt_compiled_name *out)
{
	if (!out->owner.length || !accept(&rest, "g__"))
		return false;
	const char *bar = memchr(rest.text, '|', rest.length);
	if (!bar || bar == rest.text)
		return false;
	out->name = (struct nt_slice){ rest.text, (size_t)(bar - rest.text) };
	unsigned ordinal;
	return read_ordinal(from(rest, out->name.length + 1), &ordinal);
}

static bool is_state_machine(struct nt_slice rest, struct nt_compiled_name *out)
{
	unsigned ordinal;
	return out->owner.length && accept(&rest, "d") && (!rest.length || (accept(&rest, "__") && read_ordinal(rest, &ordinal)));
}

static bool is_top_level(struct nt_slice rest, struct nt_compiled_name *out)
{
	return out->owner.length && accept(&rest, "$") && !rest.length;
}

/* Length of `F0123...ef__` at the start, 0 when it begins otherwise. */
static size_t file_mark_length(struct nt_slice text)
{
	struct nt_slice rest = text;
	if (!accept(&rest, "F") || rest.length < FILE_HASH_HEX)
		return 0;
	for (size_t i = 0; i < FILE_HASH_HEX; i++)
		if (!is_hex(rest.text[i]))
			return 0;
	rest = from(rest, FILE_HASH_HEX);
	return accept(&rest, "__") ? text.length - rest.length : 0;
}

static bool is_file_type(struct nt_slice rest, struct nt_compiled_name *out)
{
	size_t mark = file_mark_length(rest);
	out->name = from(rest, mark);
	return mark && out->name.length;
}

/* ---- Visual Basic ---- */

#define VB_CLOSURE "_Closure$__"
#define VB_LAMBDA  "_Lambda$__"
#define VB_MACHINE "VB$StateMachine_"

/* `3-1` or `3`, up to the end. */
static bool is_vb_number(struct nt_slice text)
{
	for (size_t i = 0; i < text.length; i++)
		if (!is_digit(text.text[i]) && (text.text[i] != '-' || !i || i + 1 == text.length))
			return false;
	return text.length;
}

static struct nt_compiled_name read_vb(struct nt_slice name)
{
	struct nt_compiled_name out = { 0 };
	struct nt_slice rest = name;
	if (accept(&rest, VB_LAMBDA)) {
		out.name = rest;
		accept(&rest, "R");
		if (is_vb_number(rest))
			out.form = NT_COMPILED_VB_LAMBDA;
	} else if (accept(&rest, VB_CLOSURE)) {
		const char *dash = memchr(rest.text, '-', rest.length);
		out.name = (struct nt_slice){ rest.text, dash ? (size_t)(dash - rest.text) : rest.length };
		if (!rest.length || is_vb_number(rest))
			out.form = NT_COMPILED_CLOSURE;
	} else if (accept(&rest, VB_MACHINE)) {
		while (rest.length && is_digit(rest.text[0]))
			rest = from(rest, 1);
		if (accept(&rest, "_") && rest.length) {
			out.form = NT_COMPILED_STATE_MACHINE;
			out.owner = rest;
		}
	}
	return out;
}

/* ---- F# ---- */

/* `total@11`, `total@11-1`, with a T behind it in generic code: digits from the end on, so that a name without them costs a look. */
static struct nt_compiled_name read_fs(struct nt_slice name)
{
	struct nt_compiled_name out = { 0 };
	size_t end = name.length - (name.text[name.length - 1] == 'T'), at = end;
	while (at && (is_digit(name.text[at - 1]) || (name.text[at - 1] == '-' && at < end)))
		at--;
	if (at < 2 || at == end || name.text[at - 1] != '@' || name.text[at] == '-')
		return out;
	out.form = NT_COMPILED_FS_LINE;
	out.owner = (struct nt_slice){ name.text, at - 1 };
	out.name = (struct nt_slice){ name.text + at - 1, end - at + 1 };
	return out;
}

static const struct {
	enum nt_compiled_form form;
	bool (*is)(struct nt_slice rest, struct nt_compiled_name *out);
} forms[] = {
	{ NT_COMPILED_CLOSURE, is_closure },     { NT_COMPILED_LAMBDA, is_lambda },
	{ NT_COMPILED_LOCAL, is_local },         { NT_COMPILED_STATE_MACHINE, is_state_machine },
	{ NT_COMPILED_TOP_LEVEL, is_top_level }, { NT_COMPILED_FILE_TYPE, is_file_type },
};

struct nt_compiled_name nt_compiled_name_read(struct nt_slice name)
{
	const struct nt_compiled_name none = { 0 };
	if (!name.length)
		return none;
	if (name.text[0] == '_' || name.text[0] == 'V') {
		struct nt_compiled_name vb = read_vb(name);
		if (vb.form)
			return vb;
	}
	if (name.text[0] != '<')
		return read_fs(name);
	size_t close = closing(name);
	if (close == name.length)
		return none;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct nt_compiled_name out = { .form = forms[i].form, .owner = { name.text + 1, close - 1 } };
		if (forms[i].is(from(name, close + 1), &out))
			return out;
	}
	return none;
}

size_t nt_compiled_file_prefix(struct nt_slice text)
{
	size_t close = 1;
	while (close < text.length && text.text[close] != '<' && text.text[close] != '>')
		close++;
	if (close >= text.length || text.text[0] != '<' || text.text[close] != '>')
		return 0;
	size_t mark = file_mark_length(from(text, close + 1));
	return mark ? close + 1 + mark : 0;
}

/* ---- writing ---- */

void nt_compiled_name_put_in_type(struct nt_text_out *out, struct nt_slice name)
{
	for (size_t i = 0; i < name.length; i++)
		if (name.text[i] != '\\')
			nt_text_put(out, name.text[i] == '-' ? "." : &name.text[i], 1);
}

/* A lambda's name ends in its number among several; that of the first is left out, as most have no second. */
static void put_inner(struct nt_text_out *out, const struct nt_compiled_name *compiled, const struct nt_compiled_place *place)
{
	char ordinal[16] = "";
	if (compiled->form == NT_COMPILED_LAMBDA) {
		nt_text_put_word(out, " → lambda");
		if (compiled->ordinal)
			snprintf(ordinal, sizeof(ordinal), " #%u", compiled->ordinal + 1);
		nt_text_put_word(out, ordinal);
	} else if (compiled->form == NT_COMPILED_LOCAL) {
		nt_text_put_word(out, " → ");
		nt_text_put(out, compiled->name.text, compiled->name.length);
	} else if (compiled->form == NT_COMPILED_VB_LAMBDA) {
		nt_text_put_word(out, " → lambda ");
		if (place && place->vb_method.length && !memchr(compiled->name.text, '-', compiled->name.length)) {
			nt_text_put(out, place->vb_method.text, place->vb_method.length);
			nt_text_put_word(out, "-");
		}
		nt_text_put(out, compiled->name.text, compiled->name.length);
	} else if (compiled->form == NT_COMPILED_FS_LINE) {
		nt_text_put_word(out, " → ");
		nt_compiled_name_put_in_type(out, compiled->owner);
		nt_text_put_word(out, " ");
		nt_text_put(out, compiled->name.text, compiled->name.length);
	}
}

/* Is what it is written in said by the name itself? */
static bool has_owner(enum nt_compiled_form form)
{
	return form != NT_COMPILED_VB_LAMBDA && form != NT_COMPILED_FS_LINE;
}

/* get_format@1: what reads and writes a value that F# keeps for the statements outside of functions. */
static bool is_accessor(struct nt_compiled_name name)
{
	return name.form == NT_COMPILED_FS_LINE && (accept(&name.owner, "get_") || accept(&name.owner, "set_"));
}

void nt_compiled_name_put(struct nt_text_out *out, struct nt_slice name, const struct nt_compiled_place *place)
{
	struct nt_compiled_name nested[NESTING_MAX];
	size_t count = 0;
	bool of_type = false;
	while (count < NESTING_MAX) {
		nested[count] = nt_compiled_name_read(name);
		enum nt_compiled_form form = nested[count].form;
		if (form == NT_COMPILED_NOT || form == NT_COMPILED_CLOSURE || (!has_owner(form) && !place) || is_accessor(nested[count]))
			break;
		of_type |= form == NT_COMPILED_STATE_MACHINE;
		name = form == NT_COMPILED_FILE_TYPE ? nested[count].name : nested[count].owner;
		count++;
		if (!has_owner(form)) {
			name.length = 0;
			out->length -= out->length && out->buf[out->length - 1] == '.';
			break;
		}
	}
	if (of_type)
		nt_compiled_name_put_in_type(out, name);
	else
		nt_text_put(out, name.text, name.length);
	if (place && place->after_owner)
		place->after_owner(place->context);
	while (count--)
		put_inner(out, &nested[count], place);
}
