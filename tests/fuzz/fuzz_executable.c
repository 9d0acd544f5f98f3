// SPDX-License-Identifier: GPL-2.0-only
/* Input: the executable of a process. */
#include "fuzz.h"

#include "file.h"
#include "target/process/executable.h"

size_t fuzz_cut_step(size_t size)
{
	return size / 256 + 1;
}

static void read_here(int fd, uid_t uid, struct nt_executable *out)
{
	(void)uid;
	nt_executable_look(fd, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat stat;
	struct nt_executable found;
	char dir[128];
	snprintf(dir, sizeof(dir), "%s", fuzz_file("exe", data, size, &stat));
	const struct nt_target target = { .pid = 17, .uid = getuid(), .proc_dir = dir };
	nt_executable_is_read_by(read_here);
	nt_executable_read(&target, &found);
	FUZZ_CHECK(!*found.runtime || (found.deployment == NT_DEPLOYED_SINGLE_FILE && nt_framework_version_holds(found.runtime)));
	return 0;
}
