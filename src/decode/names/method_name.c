// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/method_name.h"

#include "base/affix.h"
#include "base/text.h"
#include "decode/names/compiled_name.h"
#include "decode/names/dynamic_name.h"
#include "decode/names/type_path.h"

#include <string.h>

static struct nt_slice slice(const char *text, size_t length)
{
	return (struct nt_slice){ text, length };
}

static bool slice_is(struct nt_slice text, const char *word)
{
	return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

/* Is the end of this raw name not looked at? */
static bool is_cut(struct nt_slice raw)
{
	return raw.length >= NT_RAW_NAME_MAX;
}

/* End with NUL; where something is missing, at a character border and with a word for it. */
static size_t finish(struct nt_text_out *out, bool cut)
{
	if (cut)
		nt_text_put_word(out, NT_NAME_CUT);
	if (out->full)
		out->length = nt_method_name_mark_cut(out->buf, out->length);
	out->buf[out->length] = '\0';
	return out->length;
}

size_t nt_method_name_mark_cut(char *text, size_t length)
{
	const size_t mark = strlen(NT_NAME_CUT);
	size_t kept = nt_utf8_cut(text, length, length < mark ? 0 : length - mark);
	memcpy(text + kept, NT_NAME_CUT, mark);
	return kept + mark;
}

/* Position of the `(` that the final `)` closes; text.length when there is none. A method's own name may contain parentheses. */
static size_t arguments_at(struct nt_slice text)
{
	unsigned depth = 0;
	for (size_t i = text.length; i-- > 0;) {
		if (text.text[i] == ')')
			depth++;
		else if (!depth)
			break;
		else if (text.text[i] == '(' && --depth == 0)
			return i;
	}
	return text.length;
}

/* The last word of what stands before the arguments or the assembly: `instance void`. */
static bool returns_nothing(struct nt_slice before)
{
	while (before.length && before.text[before.length - 1] == ' ')
		before.length--;
	const char *space = memrchr(before.text, ' ', before.length);
	size_t start = space ? (size_t)(space + 1 - before.text) : 0;
	return slice_is(slice(before.text + start, before.length - start), "void");
}

static bool put_args_within(struct nt_type_parser *parser)
{
	nt_text_put(parser->out, "(", 1);
	if (!nt_type_parse_list(parser, ')'))
		return false;
	nt_text_put(parser->out, ")", 1);
	return parser->out->full || parser->at == parser->end;
}

static bool put_args(struct nt_type_parser *parser, struct nt_slice args)
{
	parser->at = args.text;
	parser->end = args.text + args.length;
	return nt_type_accept(parser, "(") && put_args_within(parser);
}

/* What people wrote stands in the name of the method's type; `path` tells where its type arguments belong. */
static struct nt_compiled_place place_of(struct nt_type_path *path)
{
	return (struct nt_compiled_place){ .after_owner = nt_type_path_put_rest, .context = path, .vb_method = path->vb_method };
}

/* ` → IEnumerator<int>.get_Current(args)`: a method that a compiler put beside the body. */
static bool put_beside(struct nt_type_path *path, const struct nt_method_parts *method)
{
	struct nt_text_out *out = path->parser->out;
	nt_text_put_word(out, " → ");
	if (nt_slice_begins_with(method->name.text, method->name.length, "<>m__Finally"))
		nt_text_put_word(out, "finally"); /* as it was written: the block that is left when the iteration ends */
	else
		nt_type_put_member(out, method->name);
	return !path->failed && put_args(path->parser, method->args);
}

/*
 * A method of a state machine. MoveNext() goes on with what was awaited or asked for, so it is the body that people wrote; its arguments are in the signature of
 * another method, the one that makes the state machine. It gives nothing back in async methods (and in iterators that are async, too).
 */
static bool put_machine(struct nt_type_path *path, const struct nt_method_parts *method)
{
	struct nt_text_out *out = path->parser->out;
	bool body = slice_is(method->name, "MoveNext") && slice_is(method->args, "()");
	if (body)
		nt_text_put_word(out, returns_nothing(method->returns) ? "async " : "iterator ");
	if (!nt_type_path_put(path))
		return false;
	const struct nt_compiled_place place = place_of(path);
	nt_compiled_name_put(out, path->inmost, &place);
	return body ? !path->failed : put_beside(path, method);
}

/* A method of a type that F# made for a line: of a closure Invoke() is the body, of a sequence GenerateNext(), of a task MoveNext(). */
static bool put_line(struct nt_type_path *path, const struct nt_method_parts *method)
{
	struct nt_text_out *out = path->parser->out;
	struct nt_compiled_name line = nt_compiled_name_read(path->inmost);
	bool task = slice_is(method->name, "MoveNext") && slice_is(method->args, "()"), sequence = slice_is(method->name, "GenerateNext");
	if (task || sequence)
		nt_text_put_word(out, task ? "async " : "seq ");
	if (!nt_type_path_put(path))
		return false;
	nt_compiled_name_put_in_type(out, line.owner);
	nt_type_path_put_rest(path);
	bool closure = slice_is(method->name, "Invoke");
	nt_text_put_word(out, closure ? " → lambda " : " ");
	nt_text_put(out, line.name.text, line.name.length);
	if (task || sequence)
		return !path->failed;
	return closure ? !path->failed && put_args(path->parser, method->args) : put_beside(path, method);
}

/* The number of the last !!n in it, from 1; 0 = none. Of two digits: people do not write them. */
static unsigned method_variables(struct nt_slice text)
{
	unsigned count = 0;
	const char *at = text.text, *end = at + text.length;
	while (end - at >= 3 && (at = memchr(at, '!', (size_t)(end - at) - 2))) {
		unsigned index = (unsigned char)at[2] - (unsigned)'0';
		at++;
		if (*at == '!' && index < 10 && index >= count)
			count = index + 1;
	}
	return count;
}

/* <int, string>; or <T0, T1>: what the signature has as !!0, !!1, where nobody tells what they stand for: the row is of all that they stood for. */
static bool put_type_parameters(struct nt_type_parser *parser, const struct nt_method_parts *method)
{
	struct nt_text_out *out = parser->out;
	if (method->instance.length)
		return nt_type_split_arguments(method->instance, parser->method_args, &parser->method_arg_count) &&
		       nt_type_put_arguments(out, parser->method_args, parser->method_arg_count);
	unsigned of_returns = method_variables(method->returns), of_args = method_variables(method->args);
	unsigned count = of_args > of_returns ? of_args : of_returns;
	for (unsigned i = 0; i < count; i++) {
		nt_text_put_word(out, i ? ", T" : "<T");
		nt_text_put(out, &"0123456789"[i], 1);
	}
	if (count)
		nt_text_put_word(out, ">");
	return true;
}

/*
 * What the runtime runs before and around the body when what was awaited is there: five methods of the box that holds the state, in each stack of them. They are one: `async Type.Run → resumed`.
 */
static bool put_resumed(struct nt_text_out *out, const struct nt_type_path *path)
{
	struct nt_slice machine = nt_type_path_boxed(path);
	if (!machine.length)
		return false;
	const struct nt_text_out before = *out;
	nt_text_put_word(out, "async ");
	if (nt_type_path_put_machine(out, machine)) {
		nt_text_put_word(out, " → resumed");
		return true;
	}
	*out = before;
	return false;
}

static bool put_dynamic(struct nt_type_parser *parser, const struct nt_method_parts *method)
{
	struct nt_slice args = method->args;
	if (!args.length || args.text[0] != '(')
		return false;
	args = slice(args.text + 1, args.length - 1);
	nt_dynamic_name_put(parser->out, method->name, &args);
	parser->at = args.text;
	parser->end = args.text + args.length;
	return !args.length || put_args_within(parser);
}

/* Type.Method(args). False: `out` holds rubbish. */
static bool put_method(struct nt_text_out *out, const struct nt_method_parts *method)
{
	struct nt_type_parser parser = { .out = out };
	struct nt_type_path path = { .parser = &parser };
	if (!method->name.length)
		return false;
	if (slice_is(method->type, NT_DYNAMIC_TYPE))
		return put_dynamic(&parser, method);
	if (!nt_type_path_read(&path, method->type))
		return false;
	if (put_resumed(out, &path))
		return true;
	if (path.form == NT_COMPILED_STATE_MACHINE)
		return put_machine(&path, method);
	if (path.form == NT_COMPILED_FS_LINE)
		return put_line(&path, method);
	if (path.form == NT_COMPILED_CLOSURE && nt_compiled_name_read(method->name).form == NT_COMPILED_NOT)
		nt_type_path_show_all(&path); /* a method of the closure itself */
	if (!nt_type_path_put(&path))
		return false;
	const struct nt_compiled_place place = place_of(&path);
	nt_compiled_name_put(out, method->name, &place);
	return put_type_parameters(&parser, method) && !path.failed && put_args(&parser, method->args);
}

size_t nt_method_name_from_parts(struct nt_slice type, struct nt_slice method, struct nt_slice signature, char *buf, size_t size)
{
	nt_assert(size > strlen(NT_NAME_CUT) && size <= NT_METHOD_NAME_MAX);
	struct nt_text_out out = { .buf = buf, .size = size };
	bool cut = is_cut(type) || is_cut(method) || is_cut(signature);
	type = nt_method_name_cut(type);
	method = nt_method_name_cut(method);
	signature = nt_method_name_cut(signature);
	size_t args = arguments_at(signature);
	const struct nt_method_parts parts = { .returns = slice(signature.text, args),
					       .type = type,
					       .name = method,
					       .args = slice(signature.text + args, signature.length - args) };
	if (!put_method(&out, &parts)) {
		out = (struct nt_text_out){ .buf = buf, .size = size };
		nt_text_put(&out, type.text, type.length);
		if (type.length)
			nt_text_put(&out, ".", 1);
		nt_text_put(&out, method.text, method.length);
		nt_text_put(&out, signature.text + args, signature.length - args);
	}
	return finish(&out, cut);
}

bool nt_method_name_agrees(const char *display, const char *of_event)
{
	while (*of_event) {
		if (*of_event == '?') {
			of_event++;
			display += strcspn(display, "<[*,)");
		} else if (*display++ != *of_event++) {
			return false;
		}
	}
	return !*display;
}

struct tier_name {
	const char *name;
	enum nt_tier tier;
	enum nt_code_kind kind;
};

/* What the runtime appends in brackets (PerfMapShowOptimizationTiers, on by default). Precompiled code is in jitdumps only. */
static const struct tier_name tier_names[] = {
	{ "[MinOptJitted]", NT_TIER_MINOPT, NT_CODE_JIT },
	{ "[Optimized]", NT_TIER_OPTIMIZED, NT_CODE_JIT },
	{ "[QuickJitted]", NT_TIER_0, NT_CODE_JIT },
	{ "[OptimizedTier1]", NT_TIER_1, NT_CODE_JIT },
	{ "[OptimizedTier1OSR]", NT_TIER_OSR, NT_CODE_JIT },
	{ "[InstrumentedTier]", NT_TIER_INSTRUMENTED, NT_CODE_JIT },
	{ "[InstrumentedTierOptimized]", NT_TIER_INSTRUMENTED_OPT, NT_CODE_JIT },
	{ "[PreJIT]", NT_TIER_UNKNOWN, NT_CODE_R2R },
	{ "[PreJit-cold]", NT_TIER_UNKNOWN, NT_CODE_R2R },
};

const char *nt_perfmap_tier_text(enum nt_code_kind kind, enum nt_tier tier)
{
	for (size_t i = 0; i < sizeof(tier_names) / sizeof(*tier_names); i++)
		if (tier_names[i].kind == kind && tier_names[i].tier == tier)
			return tier_names[i].name;
	return "";
}

/* Take a final `[Tier]` off the name. Unknown ones go too, so that a new tier does not make a new method. */
static struct tier_name take_tier(struct nt_slice *name)
{
	const struct tier_name none = { .tier = NT_TIER_UNKNOWN, .kind = NT_CODE_JIT };
	if (!name->length || name->text[name->length - 1] != ']')
		return none;
	size_t start = name->length - 1;
	while (start > 0 && name->text[start] != '[')
		start--;
	if (start == 0 || name->text[start - 1] != ')')
		return none;
	struct nt_slice tier = slice(name->text + start, name->length - start);
	name->length = start;
	for (size_t i = 0; i < sizeof(tier_names) / sizeof(*tier_names); i++)
		if (slice_is(tier, tier_names[i].name))
			return tier_names[i];
	return none;
}

/* ` [Assembly] ` between return type and name. In the return type brackets are followed by a name (`[A]T`) or preceded by one (`T[]`). */
static bool find_module(struct nt_slice text, struct nt_slice *module, size_t *after)
{
	for (size_t i = 0; i + 2 < text.length; i++) {
		if (text.text[i] != ' ' || text.text[i + 1] != '[')
			continue;
		const char *close = memchr(text.text + i, ']', text.length - i);
		if (!close)
			return false;
		size_t end = (size_t)(close - text.text); /* of all that open before it */
		if (end + 1 < text.length && close[1] == ' ') {
			*module = slice(text.text + i + 2, end - i - 2);
			*after = end + 2;
			return true;
		}
		i = end;
	}
	return false;
}

/* The first `::` of text[0..length), NULL without one. (memmem() looks at every byte: a fifth of the time that a large map took.) */
static const char *find_colons(const char *text, size_t length)
{
	for (const char *at = text, *end = text + length; (at = memchr(at, ':', (size_t)(end - at))) && end - at >= 2; at++)
		if (at[1] == ':')
			return at;
	return NULL;
}

/* `Method[System.Int32]`: leave `Method`. A name of a member may have brackets in it, and goes on behind them. */
static struct nt_slice take_instance(struct nt_slice *name)
{
	size_t at = nt_type_instantiation_at(*name);
	if (!at || at == name->length || name->text[name->length - 1] != ']')
		return slice(name->text + name->length, 0);
	struct nt_slice instance = slice(name->text + at, name->length - at);
	name->length = at;
	return instance;
}

/* `RET [Assembly] Type::Method(ARGS)` without tier. */
static bool split(struct nt_slice text, struct nt_method_parts *out)
{
	size_t start;
	if (!find_module(text, &out->module, &start))
		return false;
	struct nt_slice full = slice(text.text + start, text.length - start);
	size_t args = arguments_at(full);
	const char *colons = find_colons(full.text, args);
	if (!colons)
		return false;
	out->returns = slice(text.text, (size_t)(out->module.text - text.text) - strlen(" ["));
	out->type = slice(full.text, (size_t)(colons - full.text));
	out->name = slice(colons + 2, (size_t)(full.text + args - colons) - 2);
	out->args = slice(full.text + args, full.length - args);
	out->instance = take_instance(&out->name);
	return true;
}

bool nt_method_parts_of(struct nt_slice raw, struct nt_method_parts *out)
{
	raw = nt_method_name_cut(raw);
	take_tier(&raw);
	return !nt_perfmap_is_stub(raw) && split(raw, out);
}

static bool put_perfmap_method(struct nt_text_out *out, struct nt_slice text, struct nt_slice *module)
{
	struct nt_method_parts method;
	if (!split(text, &method))
		return false;
	*module = slice_is(method.type, NT_DYNAMIC_TYPE) ? slice(NT_DYNAMIC_MODULE, strlen(NT_DYNAMIC_MODULE)) : method.module;
	return put_method(out, &method);
}

/*
 * `stub Who<Kind>` and `stub<17> Who<Kind>`: [stub Kind]. The number only tells them apart, and which function of the runtime made it says less than what it is
 * for; of one without a kind that is all there is to say.
 */
static void put_stub(struct nt_text_out *out, struct nt_slice raw)
{
	const char *space = memchr(raw.text, ' ', raw.length), *end = raw.text + raw.length;
	struct nt_slice said = space ? slice(space + 1, (size_t)(end - space) - 1) : slice(raw.text, 0);
	const char *open = memchr(said.text, '<', said.length);
	if (open && end[-1] == '>' && end - open > 2)
		said = slice(open + 1, (size_t)(end - open) - 2);
	nt_text_put_word(out, said.length ? "[stub " : "[stub");
	nt_text_put(out, said.text, said.length);
	nt_text_put_word(out, "]");
}

bool nt_perfmap_is_stub(struct nt_slice raw)
{
	return nt_slice_begins_with(raw.text, raw.length, "stub ") || nt_slice_begins_with(raw.text, raw.length, "stub<");
}

void nt_method_name_from_perfmap(struct nt_slice raw, struct nt_perfmap_name *out)
{
	struct nt_text_out text = { .buf = out->display, .size = sizeof(out->display) };
	bool cut = is_cut(raw);
	raw = nt_method_name_cut(raw);
	out->module = slice("", 0);
	out->tier = NT_TIER_UNKNOWN;
	out->kind = NT_CODE_JIT;
	if (nt_perfmap_is_stub(raw)) {
		out->kind = NT_CODE_STUB;
		put_stub(&text, raw);
	} else {
		struct nt_slice name = raw;
		struct tier_name tier = take_tier(&name);
		out->tier = tier.tier;
		out->kind = tier.kind;
		if (!put_perfmap_method(&text, name, &out->module)) {
			text.length = 0;
			text.full = false;
			nt_text_put(&text, name.text, name.length);
		}
	}
	out->display_length = finish(&text, cut);
}
