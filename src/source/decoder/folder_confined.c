// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/folder_confined.h"

#include "source/decoder/confined_steps.h"
#include "source/decoder/seccomp_words.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 4096 /* a trace has a file for each CPU and channel, of which each is open */ };

/* Windows of all files of a trace are mapped at a time. */
#define ADDRESS_SPACE_BYTES (UINT64_C(4) << 30)

/* What the first version of Landlock knows: all that can be done with files by their names. */
#define ALL_OF_FILES ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

static struct sock_filter filter_code[] = {
	NT_SECCOMP_BEGIN,
	NT_SECCOMP_ALLOW(read),
	NT_SECCOMP_ALLOW(pread64),
	NT_SECCOMP_ALLOW(write),
	NT_SECCOMP_ALLOW(close),
	NT_SECCOMP_ALLOW(lseek),
	NT_SECCOMP_ALLOW(fstat),
	NT_SECCOMP_ALLOW(fdatasync), /* of the recording */
	NT_SECCOMP_ALLOW(ftruncate), /* likewise */
	NT_SECCOMP_ALLOW(eventfd2),  /* of the channel by which events come */
	NT_SECCOMP_ALLOW(fcntl),
	/* files, of which the kernel lets through what lies below the folder */
	NT_SECCOMP_ALLOW(openat),
	NT_SECCOMP_ALLOW(newfstatat),
	NT_SECCOMP_ALLOW(getdents64),
#ifdef SYS_access
	NT_SECCOMP_ALLOW(access),
#endif
	/* malloc(), and what the libraries ask of themselves */
	NT_SECCOMP_ALLOW(brk),
	NT_SECCOMP_ALLOW(munmap),
	NT_SECCOMP_ALLOW(mremap),
	NT_SECCOMP_ALLOW(madvise),
	NT_SECCOMP_ALLOW(futex),
	NT_SECCOMP_ALLOW(sysinfo),
	NT_SECCOMP_ALLOW(clock_gettime),
	NT_SECCOMP_ALLOW(getrandom),
	NT_SECCOMP_ALLOW(getuid),
	NT_SECCOMP_ALLOW(geteuid),
	NT_SECCOMP_ALLOW(getgid),
	NT_SECCOMP_ALLOW(getegid),
	NT_SECCOMP_ALLOW(restart_syscall),
	NT_SECCOMP_ALLOW(rt_sigreturn),
	NT_SECCOMP_ALLOW(exit),
	NT_SECCOMP_ALLOW(exit_group),
	/* a lexer asks whether what it reads is a terminal: that and nothing else */
	NT_SECCOMP_IF(SYS_ioctl, 4),
	NT_SECCOMP_LOAD_ARGUMENT(1),
	NT_SECCOMP_IF(TCGETS, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_KILLED,
	NT_SECCOMP_ALLOW_MEMORY,
};

/* Only the folder, and only to be read. False: errno. */
static bool restrict_to(int folder)
{
	const struct landlock_ruleset_attr all = { .handled_access_fs = ALL_OF_FILES };
	const struct landlock_path_beneath_attr below = { .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
							  .parent_fd = folder };
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	if (rules < 0)
		return false;
	bool restricted = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0 &&
			  syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	int reason = errno;
	close(rules);
	errno = reason;
	return restricted;
}

enum nt_status nt_folder_confine(int folder, unsigned first_closed, struct nt_error *err)
{
	/* The folder that a person names may be read by root, whoever owns it; whoever else runs nettop reads what he may without it. */
	bool good = nt_confine_bare(first_closed, DESCRIPTORS_MAX, geteuid() == 0 ? CAP_DAC_READ_SEARCH : -1);
	if (good && !restrict_to(folder)) {
		if (errno == ENOSYS || errno == EOPNOTSUPP)
			return nt_error_set(
				err, NT_ERR_UNSUPPORTED,
				"this kernel has no Landlock, by which whoever reads a stranger's folder is kept within it (Linux 5.13, "
				"CONFIG_LSM with landlock)");
		good = false;
	}
	if (good && !nt_seccomp_sanitized)
		good = nt_confine_memory(ADDRESS_SPACE_BYTES) && nt_confine_calls(filter_code, sizeof(filter_code) / sizeof(*filter_code));
	return good ? NT_OK : nt_error_errno(err, NT_ERR_FAILED, errno, "the process that reads it cannot give up its rights");
}
