// SPDX-License-Identifier: GPL-2.0-only
/* Replies: a header like a request's, of command set 255; command 0 is a success, 255 a refusal with an HRESULT (ipc-protocol.md, "Message formats"). */
#include "decode/eventpipe/ipc.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVER = 0xFF, SUCCESS = 0x00, REFUSAL = 0xFF };

static const struct {
	enum nt_ipc_command command;
	const char *name;
} names[] = {
	{ NT_IPC_CREATE_CORE_DUMP3, "CreateCoreDump" },
	{ NT_IPC_STOP_TRACING, "StopTracing" },
	{ NT_IPC_COLLECT_TRACING2, "CollectTracing2" },
	{ NT_IPC_COLLECT_TRACING3, "CollectTracing3" },
	{ NT_IPC_COLLECT_TRACING4, "CollectTracing4" },
	{ NT_IPC_COLLECT_TRACING5, "CollectTracing5" },
	{ NT_IPC_PROCESS_INFO, "ProcessInfo" },
	{ NT_IPC_RESUME_RUNTIME, "ResumeRuntime" },
	{ NT_IPC_PROCESS_ENVIRONMENT, "ProcessEnvironment" },
	{ NT_IPC_PROCESS_INFO2, "ProcessInfo2" },
	{ NT_IPC_ENABLE_PERF_MAP, "EnablePerfMap" },
	{ NT_IPC_DISABLE_PERF_MAP, "DisablePerfMap" },
	{ NT_IPC_PROCESS_INFO3, "ProcessInfo3" },
};

/* corerror.h, and what dotnet/runtime's ds-protocol.h adds. */
static const struct {
	uint32_t result;
	enum nt_status status;
	const char *text;
} results[] = {
	{ 0x80131384, NT_ERR_FAILED, "the runtime does not accept the request's form" },
	{ 0x80131385, NT_ERR_UNSUPPORTED, "the runtime does not know this command" },
	{ 0x80131386, NT_ERR_UNSUPPORTED, "the runtime speaks another version of the diagnostics protocol" },
	{ 0x80131515, NT_ERR_UNSUPPORTED, "the runtime does not support this" },
	{ 0x8013135b, NT_ERR_FAILED, "the runtime is not ready for this yet" },
	{ 0x80131371, NT_ERR_FAILED, "the runtime is not initialized yet" },
	{ 0x80070057, NT_ERR_FAILED, "the runtime does not accept a value of the request" },
	{ 0x80004005, NT_ERR_FAILED, "the runtime could not do it (64 sessions at a time is its limit)" },
};

struct reader {
	const uint8_t *at;
	size_t left;
	bool failed; /* it ended too early; all that is read afterwards is 0 */
};

static uint64_t take(struct reader *r, unsigned bytes)
{
	uint64_t value = 0;
	if (r->left < bytes) {
		r->failed = true;
		r->left = 0;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)r->at[i] << (8 * i);
	r->at += bytes;
	r->left -= bytes;
	return value;
}

/* Counted UTF-16 with its NUL; the caller's. NULL when it does not fit. */
static char *take_text(struct reader *r)
{
	size_t units = take(r, 4);
	if (r->failed || units > r->left / 2) {
		r->failed = true;
		return NULL;
	}
	const uint8_t *bytes = r->at;
	r->at += 2 * units;
	r->left -= 2 * units;
	/* A text ends at its first NUL, whatever its count says. */
	size_t length = 0;
	while (length < units && (bytes[2 * length] || bytes[2 * length + 1]))
		length++;
	size_t size = 3 * length + 1;
	char *text = nt_alloc(size);
	nt_utf16_to_utf8(bytes, length, text, size);
	return text;
}

static uint16_t u16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t u32(const uint8_t *bytes)
{
	return (uint32_t)u16(bytes) | (uint32_t)u16(bytes + 2) << 16;
}

static unsigned command_of(const uint8_t *message)
{
	return (unsigned)message[16] << 8 | message[17];
}

/* What is cut off counts as null: it is sent to nobody who does not survive that. */
static bool sets_null(const uint8_t *request, size_t length)
{
	size_t at = NT_IPC_HEADER_BYTES + 4;
	if (length < at)
		return true;
	size_t name_bytes = 2 * (size_t)u32(request + NT_IPC_HEADER_BYTES);
	return length - at < 4 || name_bytes > length - at - 4 || u32(request + at + name_bytes) == 0;
}

enum nt_ipc_command nt_ipc_request_command(const uint8_t *request, size_t length)
{
	if (length < NT_IPC_HEADER_BYTES)
		return (enum nt_ipc_command)0;
	enum nt_ipc_command command = command_of(request);
	return command == NT_IPC_SET_ENVIRONMENT && sets_null(request, length) ? NT_IPC_UNSET_ENVIRONMENT : command;
}

const char *nt_ipc_request_name(const uint8_t *request, size_t length)
{
	for (size_t i = 0; length >= NT_IPC_HEADER_BYTES && i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].command == command_of(request))
			return names[i].name;
	return "request";
}

static enum nt_status malformed(struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_MALFORMED, "the runtime's reply is none of the diagnostics protocol");
}

enum nt_status nt_ipc_reply_length(const uint8_t *request, size_t request_length, const uint8_t *bytes, size_t have, size_t *total,
				   struct nt_error *err)
{
	enum { ENVIRONMENT_HEAD = 6 };
	*total = NT_IPC_HEADER_BYTES;
	if (have < NT_IPC_HEADER_BYTES)
		return NT_AGAIN;
	*total = u16(bytes + 14);
	if (memcmp(bytes, "DOTNET_IPC_V1", 14) != 0 || bytes[16] != SERVER || *total < NT_IPC_HEADER_BYTES)
		return malformed(err);
	if (request_length < NT_IPC_HEADER_BYTES || command_of(request) != NT_IPC_PROCESS_ENVIRONMENT || bytes[17] != SUCCESS)
		return have < *total ? NT_AGAIN : NT_OK;
	/* The environment can be longer than the header's 16 bits can say, so it follows the reply, its length announced there. */
	if (*total < NT_IPC_HEADER_BYTES + ENVIRONMENT_HEAD)
		return malformed(err);
	if (have < *total)
		return NT_AGAIN;
	size_t environment = u32(bytes + NT_IPC_HEADER_BYTES);
	if (environment > NT_IPC_REPLY_MAX)
		return malformed(err);
	*total += environment;
	return have < *total ? NT_AGAIN : NT_OK;
}

const char *nt_ipc_result_text(uint32_t result, char *buf, size_t size)
{
	const char *text = "the runtime refuses";
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (results[i].result == result)
			text = results[i].text;
	snprintf(buf, size, "%s (0x%08" PRIx32 ")", text, result);
	return buf;
}

static enum nt_status refused(uint32_t result, struct nt_error *err)
{
	char text[NT_ERROR_TEXT];
	enum nt_status status = NT_ERR_FAILED;
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (results[i].result == result)
			status = results[i].status;
	return nt_error_set(err, status, "%s", nt_ipc_result_text(result, text, sizeof(text)));
}

/* Behind the result some commands have the reason as a text. */
static enum nt_status refused_in_words(const struct nt_ipc_reply *reply, struct nt_error *err)
{
	struct reader r = { reply->payload, reply->length, false };
	uint32_t result = (uint32_t)take(&r, 4);
	char *words = r.left ? take_text(&r) : NULL;
	enum nt_status status =
		words && *words ? nt_error_set(err, NT_ERR_FAILED, "%s (0x%08" PRIx32 ")", words, result) : refused(result, err);
	free(words);
	return status;
}

enum nt_status nt_ipc_reply_parse(const uint8_t *bytes, size_t length, struct nt_ipc_reply *out, struct nt_error *err)
{
	if (length < NT_IPC_HEADER_BYTES || memcmp(bytes, "DOTNET_IPC_V1", 14) != 0 || bytes[16] != SERVER)
		return malformed(err);
	*out = (struct nt_ipc_reply){ bytes + NT_IPC_HEADER_BYTES, length - NT_IPC_HEADER_BYTES };
	if (bytes[17] == SUCCESS)
		return NT_OK;
	if (bytes[17] != REFUSAL || out->length < 4)
		return malformed(err);
	return refused_in_words(out, err);
}

enum nt_status nt_ipc_reply_result(const struct nt_ipc_reply *reply, struct nt_error *err)
{
	if (reply->length < 4)
		return malformed(err);
	uint32_t result = u32(reply->payload);
	return result ? refused(result, err) : NT_OK;
}

enum nt_status nt_ipc_reply_session(const struct nt_ipc_reply *reply, uint64_t *session_id, struct nt_error *err)
{
	struct reader r = { reply->payload, reply->length, false };
	*session_id = take(&r, 8);
	return r.failed ? malformed(err) : NT_OK;
}

enum nt_status nt_ipc_reply_info(enum nt_ipc_command command, const struct nt_ipc_reply *reply, struct nt_ipc_info *out,
				 struct nt_error *err)
{
	struct reader r = { reply->payload, reply->length, false };
	*out = (struct nt_ipc_info){ 0 };
	if (command == NT_IPC_PROCESS_INFO3)
		take(&r, 4); /* of the payload's version: later ones only add at the end */
	out->pid = take(&r, 8);
	for (size_t i = 0; i < sizeof(out->cookie); i++)
		out->cookie[i] = (uint8_t)take(&r, 1);
	out->command = take_text(&r);
	out->os = take_text(&r);
	out->arch = take_text(&r);
	if (command != NT_IPC_PROCESS_INFO) {
		out->entry_assembly = take_text(&r);
		out->runtime_version = take_text(&r);
	}
	if (command == NT_IPC_PROCESS_INFO3)
		out->runtime_id = take_text(&r);
	if (!r.failed)
		return NT_OK;
	nt_ipc_info_fini(out);
	return malformed(err);
}

void nt_ipc_info_fini(struct nt_ipc_info *info)
{
	char *texts[] = { info->command, info->os, info->arch, info->entry_assembly, info->runtime_version, info->runtime_id };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	*info = (struct nt_ipc_info){ 0 };
}

enum nt_status nt_ipc_reply_environment(const struct nt_ipc_reply *reply, char **text, size_t *length, struct nt_error *err)
{
	struct reader r = { reply->payload, reply->length, false };
	take(&r, 4); /* its length in bytes, which nt_ipc_reply_length() has used */
	take(&r, 2); /* reserved */
	uint64_t count = take(&r, 4);
	/* A unit gives at most three bytes of UTF-8, and each text has a NUL. */
	char *joined = nt_alloc(r.left / 2 * 3 + 1);
	size_t used = 0;
	for (uint64_t i = 0; i < count && !r.failed; i++) {
		char *variable = take_text(&r);
		size_t size = variable ? strlen(variable) + 1 : 0;
		/* An empty text costs four bytes and gives one, any other more than it gives. */
		memcpy(joined + used, variable ? variable : "", size);
		used += size;
		free(variable);
	}
	if (r.failed) {
		free(joined);
		return malformed(err);
	}
	*text = joined;
	*length = used;
	return NT_OK;
}

static const uint8_t advertise_magic[8] = "ADVR_V1";

bool nt_ipc_is_advertisement(const uint8_t *bytes, size_t length)
{
	return length == NT_IPC_ADVERTISE_BYTES && memcmp(bytes, advertise_magic, sizeof(advertise_magic)) == 0;
}

const uint8_t *nt_ipc_advertised_cookie(const uint8_t *bytes)
{
	return bytes + sizeof(advertise_magic);
}
