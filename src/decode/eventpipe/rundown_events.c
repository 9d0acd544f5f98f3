// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/rundown_events.h"

#include "decode/common/reader.h"
#include "decode/names/method_name.h"

#include <string.h>

static struct nt_rundown_text read_text(struct nt_reader *reader)
{
	struct nt_rundown_text text;
	text.units = nt_reader_utf16(reader, &text.count);
	return text;
}

/* MethodFlags, eventtracebase.h of the runtime. */
static void take_flags(struct nt_rundown_method *method, uint32_t flags)
{
	enum { JITTED = 8, TIER_SHIFT = 7, TIER_MASK = 7 };
	method->jitted = flags & JITTED;
	method->tier = method->jitted ? (enum nt_tier)(flags >> TIER_SHIFT & TIER_MASK) : NT_TIER_UNKNOWN;
}

enum nt_status nt_rundown_method_parse(const uint8_t *payload, size_t length, struct nt_rundown_method *out)
{
	struct nt_reader reader = nt_reader_of(payload, length);
	*out = (struct nt_rundown_method){ 0 };
	out->id = nt_reader_u64(&reader);
	out->module_id = nt_reader_u64(&reader);
	out->start = nt_reader_u64(&reader);
	out->size = nt_reader_u32(&reader);
	out->token = nt_reader_u32(&reader);
	take_flags(out, nt_reader_u32(&reader));
	out->type = read_text(&reader);
	out->name = read_text(&reader);
	out->signature = read_text(&reader);
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

enum nt_status nt_rundown_module_parse(const uint8_t *payload, size_t length, struct nt_rundown_module *out)
{
	struct nt_reader reader = nt_reader_of(payload, length);
	*out = (struct nt_rundown_module){ .id = nt_reader_u64(&reader) };
	nt_reader_u64(&reader); /* assembly */
	nt_reader_u64(&reader); /* flags, reserved */
	out->path = read_text(&reader);
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

enum nt_status nt_rundown_gc_settings_parse(const uint8_t *payload, size_t length, struct nt_rundown_gc_settings *out)
{
	enum { CONCURRENT = 1 };
	struct nt_reader reader = nt_reader_of(payload, length);
	*out = (struct nt_rundown_gc_settings){ .hard_limit_bytes = nt_reader_u64(&reader) };
	out->loh_threshold_bytes = nt_reader_u64(&reader);
	nt_reader_u64(&reader); /* what it takes for the machine's memory, if somebody said so */
	out->gen0_size_bytes = nt_reader_u64(&reader);
	out->gen0_max_bytes = nt_reader_u64(&reader);
	out->high_memory_pct = nt_reader_u32(&reader);
	out->concurrent = nt_reader_u32(&reader) & CONCURRENT;
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

/* ---- as a line ---- */

struct line {
	char *at, *end; /* `at` NULL: it was too long */
};

static void put(struct line *line, const char *text, size_t length)
{
	if (!line->at || (size_t)(line->end - line->at) < length) {
		line->at = NULL;
		return;
	}
	memcpy(line->at, text, length);
	line->at += length;
}

static void put_text(struct line *line, const struct nt_rundown_text *text)
{
	enum { UTF8_PER_UNIT = 3 }; /* a pair of surrogates gives 4 for two */
	if (!line->at || (size_t)(line->end - line->at) < text->count * UTF8_PER_UNIT + 1)
		line->at = NULL;
	else
		line->at += nt_utf16_to_utf8(text->units, text->count, line->at, (size_t)(line->end - line->at));
}

/* Where the arguments begin in an event's signature, `RET  (ARGS)`: the final parenthesis closes them. */
static const char *arguments_of(const char *signature, const char *end)
{
	int depth = 0;
	for (const char *at = end; at > signature;) {
		at--;
		depth += (*at == ')') - (*at == '(');
		if (depth <= 0)
			return *at == '(' ? at : end;
	}
	return end;
}

size_t nt_rundown_line(const struct nt_rundown_method *method, char *out, size_t size, size_t *split)
{
	enum { SIGNATURE_MAX = 16 * 1024 };
	char signature[SIGNATURE_MAX];
	struct line text = { signature, signature + sizeof(signature) }, line = { out, out + size };
	put_text(&text, &method->signature);
	if (!text.at)
		return 0;
	const char *arguments = arguments_of(signature, text.at), *returned = arguments;
	while (returned > signature && returned[-1] == ' ')
		returned--;
	const char *tier = nt_perfmap_tier_text(method->jitted ? NT_CODE_JIT : NT_CODE_R2R, method->tier);
	put(&line, signature, (size_t)(returned - signature));
	put(&line, " [", 2);
	*split = (size_t)(line.at - out);
	put(&line, "] ", 2);
	put_text(&line, &method->type);
	put(&line, "::", 2);
	put_text(&line, &method->name);
	put(&line, arguments, (size_t)(text.at - arguments));
	put(&line, tier, strlen(tier));
	return line.at ? (size_t)(line.at - out) : 0;
}
