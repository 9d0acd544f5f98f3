// SPDX-License-Identifier: GPL-2.0-only
#include "base/plain_rights.h"

#include "nettop/status.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

static void get(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	nt_assert(syscall(SYS_capget, &head, data) == 0);
}

static void set(const struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	nt_assert(syscall(SYS_capset, &head, data) == 0);
}

struct nt_plain_rights nt_plain_rights_begin(void)
{
	struct nt_plain_rights before = { 0 };
	struct __user_cap_data_struct data[2];
	if (getuid() == 0)
		return before;
	get(data);
	for (int i = 0; i < 2; i++) {
		before.put_off[i] = data[i].effective;
		data[i].effective = 0;
	}
	if (before.put_off[0] || before.put_off[1])
		set(data);
	return before;
}

void nt_plain_rights_stay(void)
{
	static const struct __user_cap_data_struct none[2];
	if (getuid() != 0)
		set(none);
}

void nt_plain_rights_end(struct nt_plain_rights before)
{
	struct __user_cap_data_struct data[2];
	if (!before.put_off[0] && !before.put_off[1])
		return;
	int reason = errno;
	get(data);
	for (int i = 0; i < 2; i++)
		data[i].effective = before.put_off[i];
	set(data);
	errno = reason;
}
