// SPDX-License-Identifier: GPL-2.0-only
/* What nettop and the process that reads the core say to each other. */
#include "base/passed_fds.h"
#include "source/core/core_source_internal.h"

#include <errno.h>
#include <poll.h>

/* Without a word. A core of gigabytes may lie on a slow disk. */
enum { PATIENCE_MS = 60000 };

enum nt_status nt_core_dump_gone(struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_FAILED, "the process that reads the core has ended, or does not answer");
}

/* The next record, for which it waits. */
enum nt_status nt_core_dump_hear(struct nt_core_dump *dump, struct nt_reader_record *out, struct nt_error *err)
{
	for (;;) {
		enum nt_status status = nt_reader_next(&dump->reader, out);
		if (status == NT_OK)
			return NT_OK;
		struct pollfd from = { .fd = dump->reader.child.fd, .events = POLLIN };
		int ready = status == NT_AGAIN ? poll(&from, 1, PATIENCE_MS) : 0;
		if (ready == 0 || (ready < 0 && errno != EINTR))
			return nt_core_dump_gone(err);
	}
}

enum nt_status nt_core_dump_say(struct nt_core_dump *dump, const void *packet, size_t length, const int *fds, size_t count,
				struct nt_error *err)
{
	/* It has answered what was asked before, so it hears. */
	return nt_passed_fds_send(dump->reader.child.fd, packet, length, fds, count) ? NT_OK : nt_core_dump_gone(err);
}
