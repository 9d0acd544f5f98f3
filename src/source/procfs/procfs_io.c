// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_io.h"

#include "decode/kernel/descriptor_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	IO_BYTES = 512,
	LIMITS_BYTES = 2048,
	COUNTED_MOST = 8192, /* a microsecond each */
	COUNT_FACTOR = 1000, /* counting rests for this many times what it cost, */
	COUNT_REST_S = 5,    /* so long at least */
	LIMIT_REST_S = 5,
	IDLE_FACTOR = 200, /* a look rests for this many times what it cost: 0.5 % of a CPU */
};

static const char forbidden[] = "what a process of another user has open only root may read, or who has CAP_SYS_PTRACE";
static const char unwanted[] = "what the process has open is looked at only while somebody looks (key i)";
static const char unread[] = "the descriptors of the process cannot be listed";

void nt_procfs_io_fini(struct nt_procfs_io *io)
{
	nt_procfs_descriptors_fini(&io->descriptors);
	nt_procfs_blocked_fini(&io->blocked);
}

void nt_procfs_io_want(struct nt_procfs_io *io, bool wanted)
{
	if (wanted && !io->wanted)
		nt_procfs_descriptors_forget(&io->descriptors);
	io->wanted = wanted;
}

static ssize_t read_file(int dir_fd, const char *name, char *text, size_t size)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size);
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return length;
}

uint64_t nt_procfs_entries(int dir_fd, const char *name, uint64_t most)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	uint64_t count = 0;
	for (const struct dirent *entry; count <= most && (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.'; /* names are numbers */
	closedir(dir);
	return count <= most ? count : 0;
}

/* Since Linux 6.2 it is the size of the folder. Before, entries are counted now and then: each of them costs the kernel an inode. */
static uint64_t count_descriptors(struct nt_procfs_io *io, int dir_fd)
{
	struct stat stat;
	if (fstatat(dir_fd, "fd", &stat, 0) < 0)
		return 0;
	if (stat.st_size > 0)
		return (uint64_t)stat.st_size;
	nt_time start = nt_clock_now();
	if (start < io->next_count)
		return 0;
	uint64_t count = nt_procfs_entries(dir_fd, "fd", COUNTED_MOST);
	nt_time now = nt_clock_now(), rest_ns = (now - start) * COUNT_FACTOR;
	io->next_count = now + (rest_ns > COUNT_REST_S * NT_NS_PER_S ? rest_ns : COUNT_REST_S * NT_NS_PER_S);
	return count;
}

/* It changes once in the life of a process, if at all, and its text has sixteen lines. */
static uint64_t limit_of_descriptors(struct nt_procfs_io *io, int dir_fd, nt_time now)
{
	char text[LIMITS_BYTES];
	uint64_t limit;
	if (now < io->next_limit)
		return io->limit;
	ssize_t length = read_file(dir_fd, "limits", text, sizeof(text));
	io->limit = length > 0 && nt_descriptor_limit_parse(text, (size_t)length, &limit) ? limit : 0;
	io->next_limit = io->limit ? now + LIMIT_REST_S * NT_NS_PER_S : 0;
	return io->limit;
}

void nt_procfs_io_read(struct nt_procfs_io *io, int dir_fd, int io_fd, uint32_t pid, struct nt_outbox *box, nt_time now)
{
	char text[IO_BYTES];
	struct nt_ev_io values;
	ssize_t length = io_fd >= 0 ? pread(io_fd, text, sizeof(text), 0) : read_file(dir_fd, "io", text, sizeof(text));
	bool refused = length < 0 && (errno == EACCES || errno == EPERM);
	if (length <= 0 || !nt_descriptor_io_parse(text, (size_t)length, &values))
		values = (struct nt_ev_io){ .known = 0, .refused = refused };
	values.descriptor_count = count_descriptors(io, dir_fd);
	values.descriptor_limit = limit_of_descriptors(io, dir_fd, now);
	nt_outbox_add(box, NT_EV_IO, now, pid, 0)->u.io = values;
}

static void tell_end(const struct nt_procfs_io *io, uint32_t pid, struct nt_outbox *box, nt_time now, const char *reason)
{
	struct nt_ev_descriptors end = { .reason = nt_outbox_str(box, reason) };
	if (!reason) {
		end.hidden_count = io->descriptors.hidden_count;
		end.hidden_known = io->descriptors.hidden_known;
		end.threads_count = io->blocked.asked_count;
		end.threads_hidden = io->blocked.hidden_count;
	}
	nt_outbox_add(box, NT_EV_DESCRIPTORS, now, pid, 0)->u.descriptors = end;
}

static void begin(struct nt_procfs_io *io, int dir_fd, uint32_t pid, struct nt_outbox *box, nt_time now)
{
	int error = nt_procfs_descriptors_begin(&io->descriptors, dir_fd);
	if (error) {
		nt_procfs_descriptors_forget(&io->descriptors);
		tell_end(io, pid, box, now, error == EACCES || error == EPERM ? forbidden : unread);
		io->next_look = now + NT_NS_PER_S;
		return;
	}
	io->cost_ns = 0;
	io->at = NT_IO_DESCRIPTORS;
}

void nt_procfs_io_step(struct nt_procfs_io *io, int dir_fd, uint32_t pid, struct nt_outbox *box, nt_time budget_ns, bool due)
{
	nt_time start = nt_clock_now(), until = start + budget_ns;
	if (!io->wanted) {
		if (io->told)
			tell_end(io, pid, box, start, unwanted);
		io->told = false;
		io->at = NT_IO_RESTS;
		return;
	}
	if (io->at == NT_IO_RESTS && (!due || start < io->next_look))
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	if (io->at == NT_IO_RESTS)
		begin(io, dir_fd, pid, box, start);
	if (io->at == NT_IO_DESCRIPTORS && nt_procfs_descriptors_step(&io->descriptors, dir_fd, until)) {
		nt_procfs_blocked_begin(&io->blocked, dir_fd);
		io->at = NT_IO_THREADS;
	}
	bool over = io->at == NT_IO_THREADS && nt_procfs_blocked_step(&io->blocked, dir_fd, start, until, &io->descriptors);
	if (over) {
		nt_procfs_descriptors_tell(&io->descriptors, start, pid, box);
		tell_end(io, pid, box, start, NULL);
		io->told = true;
		io->at = NT_IO_RESTS;
	}
	io->cost_ns += nt_clock_thread_cpu() - used_ns;
	if (over)
		io->next_look = nt_clock_now() + io->cost_ns * IDLE_FACTOR;
}
