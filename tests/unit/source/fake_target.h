/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A .NET process that the test plays: as far as the kernel knows it is the test itself, its folders are the test's. Include it after cmocka.h.
 */
#ifndef NT_TESTS_FAKE_TARGET_H
#define NT_TESTS_FAKE_TARGET_H

#include "fake_proc.h"
#include "target/process/target.h"

#include <sys/pidfd.h>

#define FAKE_TARGET_SOCKET "dotnet-diagnostic-17-5-socket"

struct fake_target {
	struct fake_proc proc;
	char proc_dir[64], root_dir[64];
	struct nt_target target;
	int listener; /* of its diagnostics port; -1 = none yet */
};

/* The state that /proc tells of it: 'S', 'T'. */
static inline void fake_target_state(const struct fake_target *fake, char state)
{
	const struct fake_stat stat = { .id = 17, .comm = "dotnet", .state = state, .start_ticks = 5 };
	fake_proc_stat(&fake->proc, 17, "stat", &stat);
}

static inline void fake_target_init(struct fake_target *fake)
{
	fake_proc_init(&fake->proc);
	snprintf(fake->proc_dir, sizeof(fake->proc_dir), "%s/17", fake->proc.root);
	snprintf(fake->root_dir, sizeof(fake->root_dir), "%s/17/root", fake->proc.root);
	fake->target = (struct nt_target){ .pid = (uint32_t)getpid(),
					   .ns_pid = 17,
					   .start_ticks = 5,
					   .pidfd = pidfd_open(getpid(), 0),
					   .uid = getuid(),
					   .name = (char *)(uintptr_t) "App",
					   .proc_dir = fake->proc_dir,
					   .root_dir = fake->root_dir,
					   .runtime = (char *)(uintptr_t) "10.0.12",
					   .is_dotnet = true,
					   .environment_readable = true,
					   .mode = NT_MODE_NONE };
	fake_target_state(fake, 'S');
	fake_proc_text(&fake->proc, 17, "root/tmp/readme", "");
	fake->listener = -1;
}

/* It listens in this folder of its own view (root/tmp, as a rule), with room for `backlog` clients. */
static inline void fake_target_listen(struct fake_target *fake, const char *folder, int backlog)
{
	char *path = nt_format("17/%s/" FAKE_TARGET_SOCKET, folder);
	fake->listener = fake_proc_socket(&fake->proc, path, backlog);
	free(path);
}

static inline void fake_target_fini(struct fake_target *fake)
{
	if (fake->listener >= 0)
		close(fake->listener);
	close(fake->target.pidfd);
	fake_proc_fini(&fake->proc);
}

#endif
