// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_file.h"

#include "source/common/foreign_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* No library is larger. */
#define FILE_LIMIT_BYTES (UINT64_C(4) << 30)

/* map_files is closed. */
#define NO_MAP_FILES ": CAP_CHECKPOINT_RESTORE is missing to read what is mapped"

__attribute__((format(printf, 3, 4))) static int refuse(struct nt_image_refusal *refusal, enum nt_naming naming, const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	vsnprintf(refusal->reason, sizeof(refusal->reason), fmt, arguments);
	va_end(arguments);
	refusal->naming = naming;
	return -1;
}

static bool is_denied(int errnum)
{
	return errnum == EACCES || errnum == EPERM;
}

/*
 * mapped_closed: "", or why what is mapped cannot be read though its name is gone. A file that is only looked for beside an image (its PDB) need never have
 * been there.
 */
static int refuse_path(struct nt_image_refusal *refusal, const struct nt_image_place *place, const struct nt_foreign_file *file,
		       const char *mapped_closed)
{
	switch (file->refusal) {
	case NT_REFUSAL_ABSENT:
		if (!place->inode && !place->map_file)
			return refuse(refusal, NT_NAMING_IMAGE_UNREADABLE, "it is not there");
		return refuse(refusal, NT_NAMING_IMAGE_DELETED, "image deleted on disk since start%s", mapped_closed);
	case NT_REFUSAL_OBJECTION:
		return refuse(refusal, NT_NAMING_IMAGE_UNREADABLE, "image not read: it %s", file->objection);
	case NT_REFUSAL_NO_ROOT:
		return refuse(refusal, NT_NAMING_OTHER_NAMESPACE, "image unreadable, the target's root cannot be entered: %s",
			      is_denied(file->errnum) ? "CAP_SYS_PTRACE is missing" : strerrordesc_np(file->errnum));
	case NT_REFUSAL_ERRNO:
	case NT_REFUSAL_NONE:
		break;
	}
	return refuse(refusal, NT_NAMING_IMAGE_UNREADABLE, "image unreadable: %s", strerrordesc_np(file->errnum));
}

int nt_image_open(const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal)
{
	if (place->opener)
		return place->opener->image(place->opener->context, place, size, refusal);
	struct nt_foreign_file file = { .fd = -1 };
	if (place->map_file)
		file = nt_foreign_open_mapped(place->map_file, place->uid);
	if (file.fd >= 0 && (uint64_t)file.stat.st_ino != place->inode) {
		close(file.fd); /* that range maps another file by now */
		file.fd = -1;
	}
	if (file.fd < 0) {
		const char *mapped_closed = file.refusal == NT_REFUSAL_ERRNO && is_denied(file.errnum) ? NO_MAP_FILES : "";
		/* map_files needs a privilege that we may not have, and the mapping may be gone. */
		file = nt_foreign_open(place->root_dir, place->path, place->uid);
		if (file.fd < 0)
			return refuse_path(refusal, place, &file, mapped_closed);
		if (place->inode && (uint64_t)file.stat.st_ino != place->inode) {
			close(file.fd);
			return refuse(refusal, NT_NAMING_IMAGE_REPLACED, "image replaced on disk since start%s", mapped_closed);
		}
	}
	*size = (uint64_t)file.stat.st_size;
	if (*size > FILE_LIMIT_BYTES) {
		close(file.fd);
		return refuse(refusal, NT_NAMING_IMAGE_UNREADABLE, "image not read: it is over 4 GB");
	}
	return file.fd;
}
