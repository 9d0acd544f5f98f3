// SPDX-License-Identifier: GPL-2.0-only
/* Input: the executable of a process. */
#include "fuzz.h"

#include "file.h"
#include "target/executable.h"

size_t fuzz_cut_step(size_t size)
{
	return size / 256 + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat stat;
	char dir[128], *config;
	size_t length;
	snprintf(dir, sizeof(dir), "%s", fuzz_file("exe", data, size, &stat));
	const struct nt_target target = { .pid = 17, .uid = getuid(), .proc_dir = dir };
	enum nt_deployment found = nt_executable_read(&target, &config, &length);
	FUZZ_CHECK(!config || (found == NT_DEPLOYED_SINGLE_FILE && length <= size && !config[length]));
	free(config);
	return 0;
}
