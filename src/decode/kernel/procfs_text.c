// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/procfs_text.h"

#include "decode/common/digits.h"

#include <string.h>

/* Step over one space and a number, which may be negative; its magnitude is in *value. */
static bool next_number(const char **at, const char *end, uint64_t *value)
{
	if (*at == end || *(*at)++ != ' ')
		return false;
	if (*at < end && **at == '-')
		++*at;
	return nt_decimal_read(at, end, value);
}

/* Step over `count` numbers. */
static bool skip_numbers(const char **at, const char *end, unsigned count)
{
	uint64_t value;
	while (count--)
		if (!next_number(at, end, &value))
			return false;
	return true;
}

bool nt_procfs_stat_parse(const char *text, size_t length, struct nt_procfs_stat *out)
{
	const char *at = text, *end = text + length;
	uint64_t pid, ppid, threads;
	memset(out, 0, sizeof(*out));
	if (!nt_decimal_read(&at, end, &pid) || end - at < 2 || at[0] != ' ' || at[1] != '(')
		return false;
	/* (2) comm may hold anything, also `) R 1 `: it ends at the last parenthesis. */
	const char *comm = at + 2, *close = memrchr(comm, ')', (size_t)(end - comm));
	if (!close || end - close < 3 || close[1] != ' ')
		return false;
	out->comm_length = (size_t)(close - comm) < sizeof(out->comm) ? (size_t)(close - comm) : sizeof(out->comm) - 1;
	memcpy(out->comm, comm, out->comm_length);
	out->state = close[2];
	at = close + 3;
	/* Numbers of proc(5): 4 ppid, 14 utime, 15 stime, 20 num_threads, 22 starttime, 24 rss. */
	if (!next_number(&at, end, &ppid) || !skip_numbers(&at, end, 9) || !next_number(&at, end, &out->user_ticks) ||
	    !next_number(&at, end, &out->kernel_ticks) || !skip_numbers(&at, end, 4) || !next_number(&at, end, &threads) ||
	    !skip_numbers(&at, end, 1) || !next_number(&at, end, &out->start_ticks) || !skip_numbers(&at, end, 1) ||
	    !next_number(&at, end, &out->rss_pages))
		return false;
	if (pid > UINT32_MAX || ppid > UINT32_MAX || threads > UINT32_MAX)
		return false;
	out->pid = (uint32_t)pid;
	out->ppid = (uint32_t)ppid;
	out->thread_count = (uint32_t)threads;
	return true;
}

bool nt_procfs_schedstat_parse(const char *text, size_t length, struct nt_procfs_schedstat *out)
{
	const char *at = text, *end = text + length;
	return nt_decimal_read(&at, end, &out->cpu_ns) && next_number(&at, end, &out->waited_ns) && next_number(&at, end, &out->count);
}

/* The value of `Key:` in the line [line, end), without leading white space; NULL when the line has another key. */
static const char *value_of(const char *line, const char *end, const char *key)
{
	size_t length = strlen(key);
	if ((size_t)(end - line) < length || memcmp(line, key, length) != 0)
		return NULL;
	for (line += length; line < end && (*line == '\t' || *line == ' '); line++)
		;
	return line;
}

static void read_ns_pids(const char *at, const char *end, struct nt_procfs_status *out)
{
	uint64_t pid;
	while (out->ns_pid_count < NT_PROCFS_NSPID_MAX && nt_decimal_read(&at, end, &pid) && pid <= UINT32_MAX) {
		out->ns_pid[out->ns_pid_count++] = (uint32_t)pid;
		while (at < end && (*at == '\t' || *at == ' '))
			at++;
	}
}

/* The second of four: real, effective, saved, file system. */
static bool read_effective_id(const char *at, const char *end, uint32_t *id)
{
	uint64_t value;
	if (!nt_decimal_read(&at, end, &value) || at == end)
		return false;
	at++;
	if (!nt_decimal_read(&at, end, &value) || value > UINT32_MAX)
		return false;
	*id = (uint32_t)value;
	return true;
}

/* Set bits of a mask written as `ff,ffffffff`. */
static unsigned count_bits(const char *at, const char *end)
{
	unsigned count = 0;
	for (; at < end; at++) {
		int digit = nt_hex_digit(*at);
		if (digit >= 0)
			count += (unsigned)__builtin_popcount((unsigned)digit);
		else if (*at != ',')
			break;
	}
	return count;
}

void nt_procfs_status_parse(const char *text, size_t length, struct nt_procfs_status *out)
{
	memset(out, 0, sizeof(*out));
	const char *end = text + length, *next;
	for (const char *line = text; line < end; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(end - line)), *value;
		const char *line_end = newline ? newline : end;
		next = newline ? newline + 1 : end;
		if ((value = value_of(line, line_end, "NSpid:")))
			read_ns_pids(value, line_end, out);
		else if ((value = value_of(line, line_end, "Uid:")))
			out->uid_known = read_effective_id(value, line_end, &out->uid);
		else if ((value = value_of(line, line_end, "Gid:")))
			out->gid_known = read_effective_id(value, line_end, &out->gid);
		else if ((value = value_of(line, line_end, "Cpus_allowed:")))
			out->cpu_count = count_bits(value, line_end);
	}
}

/* `7228 kB`, to the end of the line. */
static bool read_size(const char *at, const char *end, uint64_t *bytes)
{
	static const char unit[] = " kB";
	uint64_t kb;
	if (!nt_decimal_read(&at, end, &kb) || kb > UINT64_MAX >> 12 || (size_t)(end - at) != sizeof(unit) - 1 ||
	    memcmp(at, unit, sizeof(unit) - 1) != 0)
		return false;
	*bytes = kb << 10;
	return true;
}

bool nt_procfs_memory_parse(const char *text, size_t length, struct nt_procfs_memory *out)
{
	*out = (struct nt_procfs_memory){ 0 };
	const struct {
		const char *key;
		uint64_t *bytes;
	} sizes[] = { { "RssAnon:", &out->anon_bytes },
		      { "RssFile:", &out->file_bytes },
		      { "RssShmem:", &out->shared_bytes },
		      { "VmSwap:", &out->swap_bytes } };
	enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
	unsigned found = 0;
	const char *end = text + length, *newline, *value;
	for (const char *line = text; line < end && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1)
		for (unsigned i = 0; i < SIZES; i++)
			if ((value = value_of(line, newline, sizes[i].key)) && read_size(value, newline, sizes[i].bytes))
				found |= 1u << i;
	return found == (1u << SIZES) - 1;
}

static bool accept(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

static bool read_permissions(const char **at, const char *end, struct nt_procfs_map *out)
{
	if (end - *at < 4)
		return false;
	const char *p = *at;
	out->read = p[0] == 'r';
	out->write = p[1] == 'w';
	out->exec = p[2] == 'x';
	out->shared = p[3] == 's';
	*at += 4;
	return (p[0] == 'r' || p[0] == '-') && (p[1] == 'w' || p[1] == '-') && (p[2] == 'x' || p[2] == '-') && (p[3] == 's' || p[3] == 'p');
}

/* start-end perms offset major:minor inode   path */
static bool read_map(const char *at, const char *end, struct nt_procfs_map *out)
{
	static const char deleted[] = " (deleted)";
	uint64_t dev_major, dev_minor;
	if (!nt_hex_read(&at, end, &out->start) || !accept(&at, end, '-') || !nt_hex_read(&at, end, &out->end) || !accept(&at, end, ' ') ||
	    !read_permissions(&at, end, out) || !accept(&at, end, ' ') || !nt_hex_read(&at, end, &out->offset) || !accept(&at, end, ' ') ||
	    !nt_hex_read(&at, end, &dev_major) || !accept(&at, end, ':') || !nt_hex_read(&at, end, &dev_minor) || !accept(&at, end, ' ') ||
	    !nt_decimal_read(&at, end, &out->inode))
		return false;
	if (out->start >= out->end || dev_major > UINT32_MAX || dev_minor > UINT32_MAX)
		return false;
	out->dev_major = (uint32_t)dev_major;
	out->dev_minor = (uint32_t)dev_minor;
	while (at < end && *at == ' ')
		at++;
	out->path = at;
	out->path_length = (size_t)(end - at);
	size_t suffix = sizeof(deleted) - 1;
	out->deleted = out->path_length > suffix && memcmp(end - suffix, deleted, suffix) == 0;
	if (out->deleted)
		out->path_length -= suffix;
	return true;
}

size_t nt_procfs_map_next(const char *text, size_t length, struct nt_procfs_map *out, bool *valid)
{
	const char *newline = length ? memchr(text, '\n', length) : NULL;
	if (!newline)
		return 0;
	*valid = read_map(text, newline, out);
	return (size_t)(newline - text) + 1;
}

const char *nt_procfs_environ_get(const char *text, size_t length, const char *name, size_t *value_length)
{
	size_t name_length = strlen(name);
	const char *end = text + length;
	while (text < end) {
		const char *nul = memchr(text, '\0', (size_t)(end - text));
		size_t entry = (size_t)((nul ? nul : end) - text);
		if (entry > name_length && text[name_length] == '=' && memcmp(text, name, name_length) == 0) {
			*value_length = entry - name_length - 1;
			return text + name_length + 1;
		}
		text += entry + 1;
	}
	return NULL;
}
