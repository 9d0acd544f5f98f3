// SPDX-License-Identifier: GPL-2.0-only
/* Input: any text of /proc/PID; each parser gets it. */
#include "fuzz.h"

#include "decode/kernel/descriptor_text.h"
#include "decode/kernel/host_text.h"
#include "decode/kernel/procfs_text.h"
#include "decode/kernel/socket_text.h"

#include <string.h>

static void walk_maps(const char *text, size_t size)
{
	struct nt_procfs_map map;
	bool valid = false;
	for (size_t used; (used = nt_procfs_map_next(text, size, &map, &valid)); text += used, size -= used) {
		FUZZ_CHECK(used <= size);
		if (!valid)
			continue;
		FUZZ_CHECK(map.start < map.end);
		FUZZ_CHECK(map.path >= text && map.path + map.path_length < text + used);
	}
}

static void name_sockets(const char *text, size_t size)
{
	struct nt_socket socket;
	char name[NT_SOCKET_NAME];
	for (enum nt_socket_family family = 0; family < NT_SOCKET_FAMILY_COUNT; family++)
		if (nt_socket_parse(family, text, size, &socket))
			FUZZ_CHECK(nt_socket_name(&socket, size % 2, name) == strlen(name));
	nt_socket_inode(text, size);
	if (nt_socket_address((const uint8_t *)text, size, &socket))
		FUZZ_CHECK(nt_socket_name(&socket, false, name) == strlen(name));
}

static void read_host(const char *text, size_t size)
{
	struct nt_host_cpus cpus;
	uint64_t value, period_us = 1;
	if (nt_host_cpus_parse(text, size, &cpus))
		FUZZ_CHECK(cpus.count <= size);
	nt_host_value(text, size, "nr_throttled", &value);
	nt_host_number(text, size, &value);
	nt_host_pressure(text, size, &value);
	if (nt_host_quota(text, size, &value, &period_us))
		FUZZ_CHECK(period_us);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct nt_procfs_stat stat;
	if (nt_procfs_stat_parse(text, size, &stat))
		FUZZ_CHECK(stat.comm_length < sizeof(stat.comm) && stat.comm[stat.comm_length] == '\0');
	struct nt_procfs_schedstat schedstat;
	nt_procfs_schedstat_parse(text, size, &schedstat);
	struct nt_procfs_status status;
	nt_procfs_status_parse(text, size, &status);
	FUZZ_CHECK(status.ns_pid_count <= NT_PROCFS_NSPID_MAX);
	struct nt_procfs_memory memory;
	nt_procfs_memory_parse(text, size, &memory);
	walk_maps(text, size);
	name_sockets(text, size);
	read_host(text, size);
	struct nt_ev_io io;
	nt_descriptor_io_parse(text, size, &io);
	uint64_t limit;
	nt_descriptor_limit_parse(text, size, &limit);
	const char *name;
	size_t name_length;
	enum nt_io_kind kind = nt_descriptor_kind(text, size, &name, &name_length);
	FUZZ_CHECK(kind < NT_IO_KIND_COUNT && name >= text && name + name_length <= text + size);
	size_t length = 0;
	const char *value = nt_procfs_environ_get(text, size, "A", &length);
	FUZZ_CHECK(!value || (value >= text && value + length <= text + size));
	return 0;
}
