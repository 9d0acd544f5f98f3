// SPDX-License-Identifier: GPL-2.0-only
/* Requests: header, then the payload of each command (ipc-protocol.md, "Commands"). Numbers are little endian, texts counted UTF-16. */
#include "decode/eventpipe/ipc.h"

#include "base/text.h"

#include <string.h>

/* What does not fit is counted but not written. */
struct writer {
	uint8_t *out;
	size_t size, used;
};

static void put(struct writer *w, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++, w->used++)
		if (w->used < w->size)
			w->out[w->used] = (uint8_t)(value >> (8 * i));
}

static size_t put_units(struct writer *w, const char *text)
{
	size_t count = 0, length = strlen(text);
	while (length) {
		uint32_t code;
		size_t used = nt_utf8_decode(text, length, &code);
		if (code >= 0x10000) {
			put(w, 0xD800 + ((code - 0x10000) >> 10), 2);
			put(w, 0xDC00 + ((code - 0x10000) & 0x3FF), 2);
		} else {
			put(w, code, 2);
		}
		count += code >= 0x10000 ? 2 : 1;
		text += used;
		length -= used;
	}
	put(w, 0, 2);
	return count + 1;
}

/* The number of units, NUL included, then these; nothing but a zero for a null text. */
static void put_text(struct writer *w, const char *text)
{
	if (!text) {
		put(w, 0, 4);
		return;
	}
	struct writer measure = { 0 };
	put(w, put_units(&measure, text), 4);
	put_units(w, text);
}

static struct writer begin(enum nt_ipc_command command, uint8_t *out, size_t size)
{
	static const char magic[14] = "DOTNET_IPC_V1";
	struct writer w = { out, size < UINT16_MAX ? size : UINT16_MAX, 0 };
	for (size_t i = 0; i < sizeof(magic); i++)
		put(&w, (uint8_t)magic[i], 1);
	put(&w, 0, 2); /* the length: finish() */
	put(&w, (unsigned)command >> 8, 1);
	put(&w, (unsigned)command & 0xFF, 1);
	put(&w, 0, 2);
	return w;
}

static size_t finish(struct writer *w)
{
	size_t length = w->used;
	if (length > w->size)
		return 0;
	w->used = 14;
	put(w, length, 2);
	return length;
}

size_t nt_ipc_request(enum nt_ipc_command command, uint8_t *out, size_t size)
{
	struct writer w = begin(command, out, size);
	return finish(&w);
}

size_t nt_ipc_enable_perf_map(enum nt_ipc_perf_map type, uint8_t *out, size_t size)
{
	struct writer w = begin(NT_IPC_ENABLE_PERF_MAP, out, size);
	put(&w, type, 4);
	return finish(&w);
}

size_t nt_ipc_set_environment(const char *name, const char *value, uint8_t *out, size_t size)
{
	struct writer w = begin(NT_IPC_SET_ENVIRONMENT, out, size);
	put_text(&w, name);
	put_text(&w, value);
	return finish(&w);
}

size_t nt_ipc_stop_tracing(uint64_t session_id, uint8_t *out, size_t size)
{
	struct writer w = begin(NT_IPC_STOP_TRACING, out, size);
	put(&w, session_id, 8);
	return finish(&w);
}

size_t nt_ipc_core_dump(const char *path, enum nt_ipc_dump type, unsigned flags, uint8_t *out, size_t size)
{
	struct writer w = begin(NT_IPC_CREATE_CORE_DUMP3, out, size);
	put_text(&w, path);
	put(&w, type, 4);
	put(&w, flags, 4);
	return finish(&w);
}

enum nt_ipc_command nt_ipc_collect_command(unsigned runtime_major)
{
	static const struct {
		unsigned major;
		enum nt_ipc_command command;
	} since[] = {
		{ 10, NT_IPC_COLLECT_TRACING5 },
		{ 9, NT_IPC_COLLECT_TRACING4 },
		{ 5, NT_IPC_COLLECT_TRACING2 },
	};
	for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++)
		if (runtime_major >= since[i].major)
			return since[i].command;
	return (enum nt_ipc_command)0;
}

static void put_filter(struct writer *w, const struct nt_ipc_provider *provider)
{
	/* "All but none of them" is the runtime's way of saying no filter. */
	size_t count = provider->filter == NT_IPC_FILTER_NONE ? 0 : provider->filter_count;
	put(w, provider->filter == NT_IPC_FILTER_ONLY, 1);
	put(w, count, 4);
	for (size_t i = 0; i < count; i++)
		put(w, provider->filter_ids[i], 4);
}

size_t nt_ipc_collect_tracing(enum nt_ipc_command collect, const struct nt_ipc_session *session, uint8_t *out, size_t size)
{
	enum { STREAMED = 0, NETTRACE = 1 };
	struct writer w = begin(collect, out, size);
	if (collect >= NT_IPC_COLLECT_TRACING5)
		put(&w, STREAMED, 4);
	put(&w, session->buffer_mb, 4);
	put(&w, NETTRACE, 4);
	if (collect >= NT_IPC_COLLECT_TRACING4)
		put(&w, session->rundown_keyword, 8);
	else
		put(&w, session->rundown_keyword != 0, 1);
	if (collect >= NT_IPC_COLLECT_TRACING3)
		put(&w, session->stackwalk, 1);
	put(&w, session->provider_count, 4);
	for (size_t i = 0; i < session->provider_count; i++) {
		const struct nt_ipc_provider *provider = &session->providers[i];
		put(&w, provider->keywords, 8);
		put(&w, provider->level, 4);
		put_text(&w, provider->name);
		put_text(&w, provider->arguments);
		if (nt_ipc_can_filter(collect))
			put_filter(&w, provider);
	}
	return finish(&w);
}
