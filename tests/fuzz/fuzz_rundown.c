// SPDX-License-Identifier: GPL-2.0-only
/* Input: one byte (bit 0: a module; else bit 2: settings of the collector; else bit 3: what a stream says of its process; else a method); the rest is the payload. A line must fit the room that it is given, the module's place lie within it. */
#include "fuzz.h"

#include "decode/eventpipe/process_events.h"
#include "decode/eventpipe/rundown_events.h"
#include "decode/names/method_name.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_rundown_method method;
	struct nt_rundown_module module;
	char line[4096];
	size_t split = 0;
	if (!size)
		return 0;
	if (data[0] & 1) {
		if (nt_rundown_module_parse(data + 1, size - 1, &module) == NT_OK)
			FUZZ_CHECK(module.path.count * 2 < size);
		return 0;
	}
	if (data[0] & 4) {
		struct nt_rundown_gc_settings settings;
		FUZZ_CHECK((nt_rundown_gc_settings_parse(data + 1, size - 1, &settings) == NT_OK) == (size - 1 >= 48));
		return 0;
	}
	if (data[0] & 8) {
		struct nt_runtime_start runtime;
		char command[256];
		FUZZ_CHECK((nt_runtime_start_parse(data + 1, size - 1, &runtime) == NT_OK) == (size - 1 >= 24));
		nt_process_info_command(data + 1, size - 1, command, sizeof(command));
		FUZZ_CHECK(strlen(command) < size * 2); /* two bytes of UTF-16 are at most three of UTF-8 */
		return 0;
	}
	if (nt_rundown_method_parse(data + 1, size - 1, &method) != NT_OK)
		return 0;
	size_t room = size % sizeof(line), length = nt_rundown_line(&method, line, room, &split);
	FUZZ_CHECK(length <= room);
	FUZZ_CHECK(!length || split < length);
	struct nt_perfmap_name name;
	if (length)
		nt_method_name_from_perfmap((struct nt_slice){ line, length }, &name);
	return 0;
}
