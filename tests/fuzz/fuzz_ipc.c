// SPDX-License-Identifier: GPL-2.0-only
/* Input: a reply of the runtime's, taken for the answer to each command in turn. */
#include "fuzz.h"

#include "decode/eventpipe/ipc.h"

#include <string.h>

/* As a connection reads it: never more than asked for, and the reply is whole when it says so. */
static enum nt_status read_whole(const uint8_t *request, const uint8_t *data, size_t size, size_t *total)
{
	size_t have = 0;
	enum nt_status status;
	while ((status = nt_ipc_reply_length(request, NT_IPC_HEADER_BYTES, data, have, total, NULL)) == NT_AGAIN) {
		FUZZ_CHECK(*total > have);
		if (*total > size)
			return NT_ERR_GONE;
		have = *total;
	}
	FUZZ_CHECK(status != NT_OK || *total == have);
	return status;
}

static void parse(enum nt_ipc_command command, const struct nt_ipc_reply *reply)
{
	struct nt_ipc_info info;
	uint64_t session;
	char *text;
	size_t length;
	switch (command) {
	case NT_IPC_PROCESS_ENVIRONMENT:
		if (nt_ipc_reply_environment(reply, &text, &length, NULL) == NT_OK) {
			FUZZ_CHECK(!length || !text[length - 1]);
			free(text);
		}
		break;
	case NT_IPC_PROCESS_INFO:
	case NT_IPC_PROCESS_INFO2:
	case NT_IPC_PROCESS_INFO3:
		if (nt_ipc_reply_info(command, reply, &info, NULL) == NT_OK)
			FUZZ_CHECK(strlen(info.command) + strlen(info.os) + strlen(info.arch) <= 2 * reply->length);
		nt_ipc_info_fini(&info);
		break;
	default:
		nt_ipc_reply_session(reply, &session, NULL);
		nt_ipc_reply_result(reply, NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum nt_ipc_command commands[] = { NT_IPC_PROCESS_INFO, NT_IPC_PROCESS_INFO2, NT_IPC_PROCESS_INFO3,
							NT_IPC_PROCESS_ENVIRONMENT, NT_IPC_COLLECT_TRACING4 };
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		uint8_t request[NT_IPC_HEADER_BYTES];
		nt_ipc_request(commands[i], request, sizeof(request));
		size_t total;
		struct nt_ipc_reply reply;
		if (read_whole(request, data, size, &total) == NT_OK && nt_ipc_reply_parse(data, total, &reply, NULL) == NT_OK)
			parse(commands[i], &reply);
	}
	return 0;
}
