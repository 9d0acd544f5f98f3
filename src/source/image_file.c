// SPDX-License-Identifier: GPL-2.0-only
#include "source/image_file.h"

#include "source/foreign_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* No library is larger. */
#define FILE_LIMIT_BYTES (UINT64_C(4) << 30)

static void refuse(const struct nt_foreign_file *file, char *reason, size_t reason_size)
{
	switch (file->refusal) {
	case NT_REFUSAL_ABSENT:
		snprintf(reason, reason_size, "image deleted on disk since start");
		break;
	case NT_REFUSAL_OBJECTION:
		snprintf(reason, reason_size, "image not read: it %s", file->objection);
		break;
	case NT_REFUSAL_NO_ROOT:
	case NT_REFUSAL_ERRNO:
	case NT_REFUSAL_NONE:
		snprintf(reason, reason_size, "image unreadable: %s", strerrordesc_np(file->errnum));
		break;
	}
}

static int refuse_opened(int fd, const char *why, char *reason, size_t reason_size)
{
	close(fd);
	snprintf(reason, reason_size, "%s", why);
	return -1;
}

int nt_image_open(const struct nt_image_place *place, uint64_t *size, char *reason, size_t reason_size)
{
	struct nt_foreign_file file = { .fd = -1 };
	if (place->map_file)
		file = nt_foreign_open_mapped(place->map_file, place->uid);
	if (file.fd >= 0 && (uint64_t)file.stat.st_ino != place->inode) {
		close(file.fd); /* that range maps another file by now */
		file.fd = -1;
	}
	if (file.fd < 0) {
		/* map_files needs a privilege that we may not have, and the mapping may be gone. */
		file = nt_foreign_open(place->root_dir, place->path, place->uid);
		if (file.fd < 0) {
			refuse(&file, reason, reason_size);
			return -1;
		}
		if ((uint64_t)file.stat.st_ino != place->inode)
			return refuse_opened(file.fd, "image replaced on disk since start", reason, reason_size);
	}
	*size = (uint64_t)file.stat.st_size;
	if (*size > FILE_LIMIT_BYTES)
		return refuse_opened(file.fd, "image not read: it is over 4 GB", reason, reason_size);
	return file.fd;
}
