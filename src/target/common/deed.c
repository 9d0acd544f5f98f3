// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/deed.h"

#include "target/common/as_user.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { PLACE_FD, SOCKET_FD }; /* in the child */
enum { ANSWER_MS = 700, BACKLOG = 64 };

#define FORM_OF_FOLDER "nettop-"
#define SOCKET_NAME    "startup"
#define DUMP_NAME      "core"
#define REPORT_SUFFIX  ".crashreport.json"

/* ---- in the child: async-signal-safe ---- */

static int become(const void *context)
{
	(void)context;
	return 0;
}

static int enter(const void *context)
{
	const struct nt_deed *deed = context;
	return access(deed->name, W_OK) == 0 ? 0 : 1;
}

static int remove_map(const void *context)
{
	const struct nt_deed *deed = context;
	struct stat stat;
	bool same = fstatat(PLACE_FD, deed->name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode) && stat.st_uid == deed->uid &&
		    stat.st_dev == deed->device && stat.st_ino == deed->inode;
	return !same ? NT_MAP_NOT_THERE : unlinkat(PLACE_FD, deed->name, 0) == 0 ? NT_MAP_REMOVED : NT_MAP_REFUSED;
}

/* The first part of the name. */
static void folder_of(const struct nt_deed *deed, char folder[NT_DEED_NAME_BYTES])
{
	strcpy(folder, deed->name);
	*strchr(folder, '/') = '\0';
}

/* Answers with what it failed with. */
static int lend(const void *context)
{
	const struct nt_deed *deed = context;
	char folder[NT_DEED_NAME_BYTES];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	memcpy(address.sun_path, deed->name, strnlen(deed->name, sizeof(address.sun_path) - 1));
	folder_of(deed, folder);
	if (fchdir(PLACE_FD) < 0 || mkdir(folder, 0700) < 0)
		return errno;
	if (bind(SOCKET_FD, (const struct sockaddr *)&address, sizeof(address)) == 0 && listen(SOCKET_FD, BACKLOG) == 0)
		return 0;
	int reason = errno;
	unlink(deed->name);
	rmdir(folder);
	return reason;
}

/* Whoever made it, or took it back before, may have been killed in the middle: then there is the folder alone. */
static int take_back(const void *context)
{
	const struct nt_deed *deed = context;
	char folder[NT_DEED_NAME_BYTES];
	folder_of(deed, folder);
	if (unlinkat(PLACE_FD, deed->name, 0) < 0 && errno != ENOENT)
		return 1;
	return unlinkat(PLACE_FD, folder, AT_REMOVEDIR) == 0 ? 0 : 1;
}

static int make_room(const void *context)
{
	const struct nt_deed *deed = context;
	char folder[NT_DEED_NAME_BYTES];
	folder_of(deed, folder);
	return mkdirat(PLACE_FD, folder, 0700) == 0 ? 0 : errno;
}

/* Who writes to what is removed goes on, and it is gone when that is over. */
static int clear_room(const void *context)
{
	const struct nt_deed *deed = context;
	char folder[NT_DEED_NAME_BYTES], report[NT_DEED_NAME_BYTES + sizeof(REPORT_SUFFIX)];
	folder_of(deed, folder);
	strcpy(report, deed->name);
	strcat(report, REPORT_SUFFIX);
	unlinkat(PLACE_FD, deed->name, 0);
	unlinkat(PLACE_FD, report, 0);
	return unlinkat(PLACE_FD, folder, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : 1;
}

/* ---- what they may be about ---- */

static bool is_any(const char *name)
{
	return *name != '\0';
}

static bool is_port(const char *name)
{
	static const char tail[] = "/" SOCKET_NAME;
	size_t length = strlen(name);
	return name[0] == '/' && length > sizeof(tail) && strcmp(name + length - (sizeof(tail) - 1), tail) == 0;
}

static bool is_map(const char *name)
{
	static const char head[] = "perf-", tail[] = ".map";
	if (strncmp(name, head, sizeof(head) - 1) != 0)
		return false;
	size_t digits = strspn(name + sizeof(head) - 1, "0123456789");
	return digits && strcmp(name + sizeof(head) - 1 + digits, tail) == 0;
}

/* nettop-LETTERS and the last part. */
static bool is_in_own_folder(const char *name, const char *last)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	if (strncmp(name, FORM_OF_FOLDER, sizeof(FORM_OF_FOLDER) - 1) != 0)
		return false;
	const char *rest = name + sizeof(FORM_OF_FOLDER) - 1;
	size_t length = strspn(rest, letters);
	return length && strcmp(rest + length, last) == 0;
}

static bool is_lent(const char *name)
{
	return is_in_own_folder(name, "/" SOCKET_NAME);
}

static bool is_dump(const char *name)
{
	return is_in_own_folder(name, "/" DUMP_NAME);
}

static const struct kind {
	int (*act)(const void *context);
	bool (*is_name)(const char *name);
	size_t fd_count;
} kinds[NT_DEED_KINDS] = {
	[NT_DEED_BECOME] = { become, is_any, 0 },          [NT_DEED_ENTER] = { enter, is_port, 0 },
	[NT_DEED_REMOVE_MAP] = { remove_map, is_map, 1 },  [NT_DEED_LEND] = { lend, is_lent, 2 },
	[NT_DEED_TAKE_BACK] = { take_back, is_lent, 1 },   [NT_DEED_MAKE_ROOM] = { make_room, is_dump, 1 },
	[NT_DEED_CLEAR_ROOM] = { clear_room, is_dump, 1 },
};

static bool is_known(const struct nt_deed *deed)
{
	return (unsigned)deed->kind < NT_DEED_KINDS && kinds[deed->kind].is_name(deed->name);
}

const char *nt_deed_text(const struct nt_deed *deed, char buf[NT_DEED_TEXT_BYTES])
{
	snprintf(buf, NT_DEED_TEXT_BYTES, "%u %u %u %ju %ju %s", (unsigned)deed->kind, (unsigned)deed->uid, (unsigned)deed->gid,
		 (uintmax_t)deed->device, (uintmax_t)deed->inode, deed->name);
	return buf;
}

bool nt_deed_parse(const char *text, const int *fds, size_t count, struct nt_deed *out)
{
	unsigned kind, uid, gid;
	uintmax_t device, inode;
	int at = 0;
	*out = (struct nt_deed){ .kind = NT_DEED_KINDS };
	if (sscanf(text, "%u %u %u %ju %ju %n", &kind, &uid, &gid, &device, &inode, &at) != 5 || !at || kind >= NT_DEED_KINDS ||
	    strlen(text + at) >= sizeof(out->name) || count != kinds[kind].fd_count)
		return false;
	*out = (struct nt_deed){ .kind = kind, .uid = uid, .gid = gid, .device = device, .inode = inode };
	strcpy(out->name, text + at);
	memcpy(out->fds, fds, count * sizeof(*fds));
	return is_known(out);
}

int nt_deed_carry_out(const struct nt_deed *deed)
{
	if (!is_known(deed))
		return NT_AS_USER_REFUSED;
	const struct kind *kind = &kinds[deed->kind];
	return nt_as_user(deed->uid, deed->gid, deed->fds, kind->fd_count, kind->act, deed);
}

void nt_deed_become(const struct nt_deed *deed, int socket)
{
	const struct kind *kind = &kinds[deed->kind];
	nt_as_user_become(deed->uid, deed->gid, deed->fds, kind->fd_count, kind->act, deed, socket);
}

int nt_deed_do(const struct nt_deed *deed)
{
	char text[NT_DEED_TEXT_BYTES];
	if (!nt_helper_is_there() || !is_known(deed))
		return nt_deed_carry_out(deed);
	int fd = nt_helper_ask(NT_DEED_VERB, nt_deed_text(deed, text), deed->fds, kinds[deed->kind].fd_count);
	if (fd < 0)
		return NT_AS_USER_REFUSED;
	int answer;
	bool late;
	if (!nt_helper_hear(fd, &answer, sizeof(answer), ANSWER_MS, &late))
		answer = late ? NT_AS_USER_HANGS : NT_AS_USER_REFUSED;
	close(fd);
	return answer;
}
