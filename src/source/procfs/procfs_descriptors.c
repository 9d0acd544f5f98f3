// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_descriptors.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "decode/kernel/descriptor_text.h"
#include "decode/kernel/socket_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLOCK_EVERY = 16 /* descriptors read between two looks at the clock */ };

static const char dots[] = "...";

static void close_dir(struct nt_procfs_descriptors *list)
{
	if (list->dir_fd > 0)
		close(list->dir_fd);
	list->dir_fd = 0;
}

void nt_procfs_descriptors_fini(struct nt_procfs_descriptors *list)
{
	close_dir(list);
	free(list->items);
	free(list->before);
	free(list->names);
	nt_socket_names_fini(&list->sockets);
	*list = (struct nt_procfs_descriptors){ 0 };
}

void nt_procfs_descriptors_forget(struct nt_procfs_descriptors *list)
{
	list->has_before = list->before_cut = false;
}

/* ---- which there are ---- */

static int by_fd(const void *a, const void *b)
{
	int x = ((const struct nt_open_fd *)a)->fd, y = ((const struct nt_open_fd *)b)->fd;
	return (x > y) - (x < y);
}

/* Linux 6.2 and later say how many there are in the size of the folder. */
static void count_hidden(struct nt_procfs_descriptors *list, bool more)
{
	struct stat stat;
	bool told = fstat(list->dir_fd, &stat) == 0 && stat.st_size > 0;
	uint64_t all = told ? (uint64_t)stat.st_size : 0;
	list->hidden_known = told || !more;
	list->hidden_count = more && all > list->count ? all - list->count : 0;
}

/* The folder lists them by number. What lies behind the limit is not even read: the kernel makes an inode for each entry that is. */
static void list_numbers(struct nt_procfs_descriptors *list, DIR *dir)
{
	bool more = false;
	struct dirent *entry;
	while ((entry = readdir(dir))) {
		char *end;
		long fd = strtol(entry->d_name, &end, 10);
		if (end == entry->d_name || *end || fd < 0 || fd > INT32_MAX)
			continue;
		more = list->count == NT_DESCRIPTORS_MOST;
		if (more)
			break;
		list->items = nt_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
		list->items[list->count++] = (struct nt_open_fd){ .fd = (int)fd };
	}
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_fd);
	count_hidden(list, more);
}

int nt_procfs_descriptors_begin(struct nt_procfs_descriptors *list, int dir_fd)
{
	close_dir(list);
	list->count = list->next = list->name_bytes = 0;
	int fd = openat(dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int own = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	DIR *dir = own < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		int error = errno;
		if (fd >= 0)
			close(fd);
		if (own >= 0)
			close(own);
		return error ? error : EIO;
	}
	list->dir_fd = own;
	list_numbers(list, dir);
	closedir(dir);
	return 0;
}

/* ---- what they are ---- */

static void keep_name(struct nt_procfs_descriptors *list, struct nt_open_fd *item, const char *name, size_t length, bool cut)
{
	size_t kept = cut ? nt_utf8_cut(name, length, NT_DESCRIPTOR_NAME - sizeof(dots)) : length;
	list->names = nt_grow(list->names, &list->name_capacity, list->name_bytes + NT_DESCRIPTOR_NAME + sizeof(dots), 1);
	item->offset = (uint32_t)list->name_bytes;
	memcpy(list->names + list->name_bytes, name, kept);
	if (cut)
		memcpy(list->names + list->name_bytes + kept, dots, strlen(dots));
	item->length = (uint32_t)(kept + (cut ? strlen(dots) : 0));
	list->name_bytes += item->length;
}

/* The bits of the link say for what it was opened. False: it is closed by now. */
static bool read_one(struct nt_procfs_descriptors *list, struct nt_open_fd *item)
{
	char number[16], link[NT_DESCRIPTOR_NAME];
	const char *name;
	size_t name_length;
	struct stat stat;
	snprintf(number, sizeof(number), "%d", item->fd);
	ssize_t length = readlinkat(list->dir_fd, number, link, sizeof(link));
	if (length <= 0 || fstatat(list->dir_fd, number, &stat, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	item->ways = (stat.st_mode & S_IRUSR ? NT_IO_READS : 0) | (stat.st_mode & S_IWUSR ? NT_IO_WRITES : 0);
	item->what = nt_hash_bytes(link, (size_t)length);
	item->inode = nt_socket_inode(link, (size_t)length);
	item->kind = (uint32_t)nt_descriptor_kind(link, (size_t)length, &name, &name_length);
	keep_name(list, item, name, name_length, (size_t)length == sizeof(link));
	return true;
}

static void name_sockets(struct nt_procfs_descriptors *list, int dir_fd)
{
	uint64_t inodes[NT_DESCRIPTORS_MOST];
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].inode)
			inodes[count++] = list->items[i].inode;
	nt_socket_names_find(&list->sockets, dir_fd, inodes, count, nt_clock_now(), true);
	for (size_t i = 0; i < list->count; i++) {
		struct nt_open_fd *item = &list->items[i];
		const char *name = item->inode ? nt_socket_names_get(&list->sockets, item->inode) : NULL;
		if (name)
			keep_name(list, item, name, strlen(name), false);
	}
}

bool nt_procfs_descriptors_step(struct nt_procfs_descriptors *list, int dir_fd, nt_time until)
{
	size_t kept = 0;
	do {
		for (int i = 0; i < CLOCK_EVERY && list->next < list->count; i++) {
			struct nt_open_fd *item = &list->items[list->next++];
			if (!read_one(list, item))
				item->fd = -1;
		}
	} while (list->next < list->count && nt_clock_now() < until);
	if (list->next < list->count)
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].fd >= 0)
			list->items[kept++] = list->items[i];
	list->count = list->next = kept;
	name_sockets(list, dir_fd);
	close_dir(list);
	return true;
}

struct nt_open_fd *nt_procfs_descriptors_find(struct nt_procfs_descriptors *list, int fd)
{
	const struct nt_open_fd key = { .fd = fd };
	return list->count ? bsearch(&key, list->items, list->count, sizeof(key), by_fd) : NULL;
}

/* ---- telling ---- */

/* Both lists are sorted by number. In the first look nothing is new, nor is what lay behind the limit of the look before. */
static void compare_with_before(struct nt_procfs_descriptors *list)
{
	int last = list->before_cut ? list->before[list->before_count - 1].fd : INT32_MAX;
	for (size_t i = 0, j = 0; list->has_before && i < list->count; i++) {
		while (j < list->before_count && list->before[j].fd < list->items[i].fd)
			j++;
		bool same =
			j < list->before_count && list->before[j].fd == list->items[i].fd && list->before[j].what == list->items[i].what;
		list->items[i].opened = !same && list->items[i].fd <= last;
	}
	list->before = nt_grow(list->before, &list->before_capacity, list->count + 1, sizeof(*list->before));
	if (list->count)
		memcpy(list->before, list->items, list->count * sizeof(*list->items));
	list->before_count = list->count;
	list->before_cut = list->before_count && (list->hidden_count || !list->hidden_known);
	list->has_before = true;
}

static int compare_names(const struct nt_procfs_descriptors *list, const struct nt_open_fd *x, const struct nt_open_fd *y)
{
	if (x->kind != y->kind || x->length != y->length)
		return x->kind != y->kind ? (x->kind > y->kind ? 1 : -1) : (x->length > y->length ? 1 : -1);
	return memcmp(list->names + x->offset, list->names + y->offset, x->length);
}

static int by_name(const void *a, const void *b, void *list)
{
	return compare_names(list, a, b);
}

static void add(struct nt_ev_descriptor *told, const struct nt_open_fd *item)
{
	told->ways |= item->ways;
	told->open_count++;
	told->opened_count += item->opened;
	told->blocked_count += item->blocked_count;
	if (item->blocked_tid && (!told->blocked_tid || item->blocked_since < told->blocked_since)) {
		told->blocked_tid = item->blocked_tid;
		told->blocked_since = item->blocked_since;
	}
}

void nt_procfs_descriptors_tell(struct nt_procfs_descriptors *list, nt_time now, uint32_t pid, struct nt_outbox *box)
{
	compare_with_before(list);
	if (list->count)
		qsort_r(list->items, list->count, sizeof(*list->items), by_name, list);
	for (size_t i = 0; i < list->count;) {
		const struct nt_open_fd *first = &list->items[i];
		struct nt_event *event = nt_outbox_add(box, NT_EV_DESCRIPTOR, now, pid, 0);
		struct nt_ev_descriptor told = { .kind = first->kind };
		for (; i < list->count && compare_names(list, first, &list->items[i]) == 0; i++)
			add(&told, &list->items[i]);
		told.what = nt_interner_str(box->interner, nt_outbox_batch(box), list->names + first->offset, first->length);
		event->u.descriptor = told;
	}
}
