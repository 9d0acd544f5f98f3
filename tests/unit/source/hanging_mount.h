/* SPDX-License-Identifier: GPL-2.0-only */
/* A file system that hangs: FUSE, whose server never answers. Any open below it waits until the server's descriptor is closed. Include it after cmocka.h. */
#ifndef NT_TESTS_HANGING_MOUNT_H
#define NT_TESTS_HANGING_MOUNT_H

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

/* Mount it over this folder, seen by this process alone. Returns the server's descriptor; -1 = not possible here. */
static inline int hanging_mount(const char *where)
{
	char options[128];
	int server = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", server);
	if (server >= 0 && unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("hangs", where, "fuse", 0, options) == 0)
		return server;
	if (server >= 0)
		close(server);
	return -1;
}

static inline void hanging_unmount(int server, const char *where)
{
	close(server);
	assert_int_equal(umount2(where, MNT_DETACH), 0);
}

#endif
