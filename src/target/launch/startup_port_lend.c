// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with a /tmp or a root folder of its own looks for the port where we have made none. So a socket is made there, too: by a child with the program's user's rights
 * and no others, because that place is the program's to arrange.
 */
#include "target/launch/startup_port_lend.h"

#include "base/alloc.h"
#include "base/file.h"
#include "target/common/as_user.h"
#include "target/common/deed.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* "/tmp/nettop-Ab3dEf/startup" */
struct nt_lent_port {
	int outer;           /* the /tmp of that program; owned, -1 = none */
	struct nt_deed deed; /* by which it was made: the last two parts of the path, a folder for the socket alone and that */
};

static char *last_part(const char *path)
{
	char *copy = nt_strdup(path), *part = nt_strdup(basename(copy));
	free(copy);
	return part;
}

static char *parent(const char *path)
{
	char *copy = nt_strdup(path), *folder = nt_strdup(dirname(copy));
	free(copy);
	return folder;
}

static int open_within(const char *root_dir, const char *path, int flags)
{
	int root = open(root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	int fd = nt_file_open_in_root(root, path, flags), reason = errno;
	close(root);
	errno = reason;
	return fd;
}

bool nt_startup_port_is_seen(const char *path, const char *root_dir)
{
	struct stat ours, theirs;
	int fd = open_within(root_dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool seen = fd >= 0 && fstat(fd, &theirs) == 0 && stat(path, &ours) == 0 && ours.st_dev == theirs.st_dev &&
		    ours.st_ino == theirs.st_ino;
	if (fd >= 0)
		close(fd);
	return seen;
}

enum nt_status nt_startup_port_check_open(const char *path, const struct nt_target *target, struct nt_error *err)
{
	struct nt_deed deed = { .kind = NT_DEED_ENTER, .uid = target->uid, .gid = target->gid };
	snprintf(deed.name, sizeof(deed.name), "%s", path);
	if (nt_deed_do(&deed) <= 0)
		return NT_END;
	return nt_error_set(err, NT_ERR_FAILED,
			    "process %u of uid %u may not enter the folders of %s: it waits at its start, and nobody can tell it to go on. "
			    "Start nettop with a "
			    "TMPDIR that this user may enter",
			    (unsigned)target->pid, (unsigned)target->uid, path);
}

void nt_startup_port_forget(struct nt_lent_port *lent)
{
	if (!lent)
		return;
	if (lent->outer >= 0)
		close(lent->outer);
	free(lent);
}

static enum nt_status refuse(const char *path, const struct nt_target *target, int reason, struct nt_error *err)
{
	const char *sentence =
		"process %u has a root folder or a %s of its own, in which no socket can be made for it (%s): it waits at its start, "
		"and nobody can tell it to go on. Start it with a TMPDIR for nettop that it sees, too";
	char *folder = parent(path), *outer = parent(folder);
	const char *why = reason == NT_AS_USER_HANGS ? "the file system does not answer"
			  : reason < 0               ? "not as its user"
						     : strerrordesc_np(reason);
	enum nt_status status = nt_error_set(err, NT_ERR_FAILED, sentence, (unsigned)target->pid, outer, why);
	free(outer);
	free(folder);
	return status;
}

enum nt_status nt_startup_port_find_place(const char *path, const struct nt_target *target, struct nt_lent_port **out, struct nt_error *err)
{
	struct nt_lent_port *lent = nt_alloc(sizeof(*lent));
	char *folder = parent(path), *outer = parent(folder), *last = last_part(path), *name = last_part(folder);
	lent->outer = open_within(target->root_dir, outer, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int reason = errno;
	lent->deed = (struct nt_deed){ .kind = NT_DEED_LEND, .uid = target->uid, .gid = target->gid, .fds = { lent->outer } };
	snprintf(lent->deed.name, sizeof(lent->deed.name), "%s/%s", name, last);
	free(name);
	free(last);
	free(outer);
	free(folder);
	if (lent->outer < 0) {
		nt_startup_port_forget(lent);
		return refuse(path, target, reason, err);
	}
	*out = lent;
	return NT_OK;
}

enum nt_status nt_startup_port_lend(const struct nt_lent_port *lent, const char *path, const struct nt_target *target, int listener,
				    struct nt_error *err)
{
	struct nt_deed deed = lent->deed;
	deed.fds[1] = listener;
	int reason = nt_deed_do(&deed);
	return reason ? refuse(path, target, reason, err) : NT_OK;
}

int nt_startup_port_lent_place(const struct nt_lent_port *lent, char text[NT_DEED_TEXT_BYTES])
{
	struct nt_deed deed = lent->deed;
	deed.kind = NT_DEED_TAKE_BACK;
	nt_deed_text(&deed, text);
	return lent->outer;
}

void nt_startup_port_take_back(const struct nt_lent_port *lent)
{
	struct nt_deed deed = lent->deed;
	deed.kind = NT_DEED_TAKE_BACK;
	nt_deed_do(&deed);
}
