// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/descriptor_text.h"

#include "base/affix.h"
#include "decode/common/digits.h"

#include <string.h>

/* `rchar: 323934931` */
static bool io_line(const char **at, const char *end, const char *key, uint64_t *out)
{
	if (!nt_slice_begins_with(*at, (size_t)(end - *at), key))
		return false;
	*at += strlen(key);
	if (!nt_decimal_read(at, end, out) || *at == end || **at != '\n')
		return false;
	++*at;
	return true;
}

bool nt_descriptor_io_parse(const char *text, size_t length, struct nt_ev_io *out)
{
	const char *at = text, *end = text + length;
	*out = (struct nt_ev_io){ .known = 1 };
	return io_line(&at, end, "rchar: ", &out->read_bytes) && io_line(&at, end, "wchar: ", &out->write_bytes) &&
	       io_line(&at, end, "syscr: ", &out->read_count) && io_line(&at, end, "syscw: ", &out->write_count) &&
	       io_line(&at, end, "read_bytes: ", &out->disk_read_bytes) && io_line(&at, end, "write_bytes: ", &out->disk_write_bytes);
}

/* `Max open files            1024                 524288               files     ` */
bool nt_descriptor_limit_parse(const char *text, size_t length, uint64_t *out)
{
	static const char key[] = "Max open files ";
	const char *at = text, *end = text + length;
	while (at < end && !nt_slice_begins_with(at, (size_t)(end - at), key)) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		at = line_end ? line_end + 1 : end;
	}
	if (at == end)
		return false;
	at += strlen(key);
	while (at < end && *at == ' ')
		at++;
	return nt_decimal_read(&at, end, out) && at < end && *at == ' ';
}

enum nt_io_kind nt_descriptor_kind(const char *link, size_t length, const char **name, size_t *name_length)
{
	static const char anonymous[] = "anon_inode:";
	*name = link;
	*name_length = 0;
	if (nt_slice_begins_with(link, length, "socket:["))
		return NT_IO_SOCKET;
	if (nt_slice_begins_with(link, length, "pipe:["))
		return NT_IO_PIPE;
	*name_length = length;
	if (length && link[0] == '/')
		return NT_IO_FILE;
	if (!nt_slice_begins_with(link, length, anonymous))
		return NT_IO_OTHER;
	*name += strlen(anonymous);
	*name_length -= strlen(anonymous);
	bool brackets = *name_length > 2 && (*name)[0] == '[' && (*name)[*name_length - 1] == ']';
	*name += brackets;
	*name_length -= brackets ? 2 : 0;
	return NT_IO_OTHER;
}
