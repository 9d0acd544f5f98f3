// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/process_events.h"

#include "decode/clr/clr.h"
#include "decode/common/reader.h"
#include "decode/eventpipe/rundown_events.h"

#include <string.h>

enum { PROCESS_INFO = 1, RUNTIME_START = 187 };

bool nt_process_info_is(const struct nt_nettrace_meta *meta)
{
	return meta->id == PROCESS_INFO && strcmp(meta->provider, NT_STREAM_PROVIDER) == 0;
}

bool nt_runtime_start_is(const struct nt_nettrace_meta *meta)
{
	return meta->id == RUNTIME_START &&
	       (strcmp(meta->provider, NT_RUNDOWN_PROVIDER) == 0 || strcmp(meta->provider, NT_CLR_PROVIDER) == 0);
}

enum nt_status nt_process_info_command(const uint8_t *payload, size_t length, char *out, size_t size)
{
	struct nt_reader reader = nt_reader_of(payload, length);
	size_t units;
	const uint8_t *command = nt_reader_utf16(&reader, &units);
	*out = '\0';
	if (!command)
		return NT_ERR_MALFORMED;
	nt_utf16_to_utf8(command, units, out, size);
	return NT_OK;
}

enum nt_status nt_runtime_start_parse(const uint8_t *payload, size_t length, struct nt_runtime_start *out)
{
	enum { CORE = 2, CONCURRENT_GC = 1, SERVER_GC = 0x1000 }; /* the SKUs, and the flags of the start, of the manifest */
	struct nt_reader reader = nt_reader_of(payload, length);
	nt_reader_u16(&reader); /* the instance */
	*out = (struct nt_runtime_start){ .is_core = nt_reader_u16(&reader) == CORE };
	out->major = nt_reader_u16(&reader);
	out->minor = nt_reader_u16(&reader);
	out->patch = nt_reader_u16(&reader);
	nt_reader_bytes(&reader, 5 * sizeof(uint16_t)); /* the rest of that, and the version of the file */
	uint32_t flags = nt_reader_u32(&reader);
	out->server_gc = flags & SERVER_GC;
	out->concurrent_gc = flags & CONCURRENT_GC;
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}
