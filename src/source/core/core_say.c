// SPDX-License-Identifier: GPL-2.0-only
/* What the process that reads a core says to nettop: records, as many as fit into a packet. */
#include "decode/contract/contract_types.h"
#include "source/core/core_process_internal.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

_Noreturn void nt_core_process_end(void)
{
	_exit(0);
}

void nt_core_process_send(struct nt_core_process *process)
{
	ssize_t written = 0;
	while (process->said_length && (written = write(NT_DECODER_FD, process->said, process->said_length)) < 0 && errno == EINTR)
		continue;
	if (written < 0)
		nt_core_process_end();
	process->said_length = 0;
}

void nt_core_process_say(struct nt_core_process *process, const void *record, size_t size, const void *more, size_t more_size)
{
	if (size + more_size > sizeof(process->said) - process->said_length)
		nt_core_process_send(process);
	memcpy(process->said + process->said_length, record, size);
	if (more_size)
		memcpy(process->said + process->said_length + size, more, more_size);
	process->said_length += size + more_size;
}

void nt_core_process_say_end(struct nt_core_process *process, bool whole)
{
	const struct nt_reader_end ended = { .what = NT_READER_END, .whole = whole };
	nt_core_process_say(process, &ended, sizeof(ended), NULL, 0);
}

uint32_t nt_core_process_name_type(struct nt_core_process *process, uint64_t type, char text[NT_READER_TYPE_MAX + 1])
{
	struct nt_text_out out = { .buf = text, .size = NT_READER_TYPE_MAX + 1 };
	if (!type)
		return 0;
	nt_contract_put_type(&process->modules, type, &out);
	return out.full || (out.length && text[0] == '?') ? 0 : (uint32_t)out.length;
}
