// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/procfs_text.h"
#include "fake_proc.h"
#include "source/common/maps_text.h"
#include "target/common/code_maps.h"

#include <errno.h>
#include <sys/mman.h>

static const nt_time long_enough_ns = 60 * NT_NS_PER_S;

/* The next executable mapping of a text, but no [vsyscall]. */
static bool next_code(const struct nt_maps_text *text, size_t *at, struct nt_procfs_map *map)
{
	static const char vsyscall[] = "[vsyscall]";
	bool valid;
	for (size_t used; (used = nt_procfs_map_next(text->text + *at, text->length - *at, map, &valid)) > 0;) {
		*at += used;
		assert_true(valid);
		if (map->exec && !(map->path_length == strlen(vsyscall) && memcmp(map->path, vsyscall, map->path_length) == 0))
			return true;
	}
	return false;
}

static void test_code_is_what_the_text_says(void **state)
{
	(void)state;
	/* Names that the text writes otherwise, of a file that is there and of one that is not, and code without a name. */
	struct fake_proc proc;
	fake_proc_init(&proc);
	char *path = nt_format("%s/two\nlines (deleted)", proc.root), *gone = nt_format("%s/go\\ne\n", proc.root);
	const char *files[] = { path, gone };
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0; i < 2; i++) {
		int fd = open(files[i], O_RDWR | O_CREAT | O_CLOEXEC, 0700);
		assert_true(fd >= 0);
		assert_int_equal(ftruncate(fd, (off_t)(4 * size)), 0);
		if (mmap(NULL, size, PROT_READ | PROT_EXEC, i ? MAP_SHARED : MAP_PRIVATE, fd, (off_t)(2 * size)) == MAP_FAILED)
			print_message("no executable mapping of a file in /tmp: not tested\n");
		close(fd);
	}
	assert_int_equal(unlink(gone), 0);
	assert_ptr_not_equal(mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), MAP_FAILED);

	struct nt_hand *hand = nt_hand_new();
	struct nt_maps_text all, code;
	struct nt_procfs_map map, other;
	assert_int_equal(nt_maps_text_read(hand, "/proc/self/maps", long_enough_ns, &all), NT_OK);
	assert_int_equal(nt_maps_text_read_code(hand, "/proc/self/maps", long_enough_ns, &code), NT_OK);
	size_t at = 0, count = 0;
	for (size_t other_at = 0; next_code(&code, &other_at, &other); count++) {
		assert_true(next_code(&all, &at, &map));
		assert_int_equal(other.start, map.start);
		assert_int_equal(other.end, map.end);
		assert_int_equal(other.read, map.read);
		assert_int_equal(other.write, map.write);
		assert_int_equal(other.shared, map.shared);
		assert_int_equal(other.offset, map.offset);
		assert_int_equal(other.dev_major, map.dev_major);
		assert_int_equal(other.dev_minor, map.dev_minor);
		assert_int_equal(other.inode, map.inode);
		assert_int_equal(other.deleted, map.deleted);
		assert_int_equal(other.path_length, map.path_length);
		assert_memory_equal(other.path, map.path, map.path_length);
	}
	assert_false(next_code(&all, &at, &map));
	assert_true(count > 2); /* this program, libc */
	free(all.text);
	free(code.text);
	nt_hand_free(hand);
	unlink(path);
	rmdir(proc.root);
	free(path);
	free(gone);
}

/* A /proc of files, an older kernel: nobody to ask. */
static void test_a_file_is_read_whole(void **state)
{
	(void)state;
	static const char maps[] = "1000-2000 r--p 00000000 00:00 0 \n2000-3000 r-xp 00001000 08:01 77  /a\n";
	struct fake_proc proc;
	fake_proc_init(&proc);
	char *path = nt_format("%s/maps", proc.root);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(maps, file);
	assert_int_equal(fclose(file), 0);
	struct nt_hand *hand = nt_hand_new();
	struct nt_maps_text text;
	assert_int_equal(nt_maps_text_read_code(hand, path, long_enough_ns, &text), NT_OK);
	assert_int_equal(text.length, strlen(maps));
	assert_memory_equal(text.text, maps, text.length);
	free(text.text);
	nt_hand_free(hand);
	unlink(path);
	rmdir(proc.root);
	free(path);
}

/* By the folder of a process: the same text, and all of it where the kernel cannot be asked. */
static void test_code_by_the_folder(void **state)
{
	(void)state;
	enum { LIMIT_BYTES = 1 << 20 };
	static const char maps[] = "1000-2000 r--p 00000000 00:00 0 \n2000-3000 r-xp 00001000 08:01 77  /a\n";
	char *text;
	size_t length;
	struct nt_hand *hand = nt_hand_new();
	struct nt_maps_text code;
	assert_int_equal(nt_maps_text_read_code(hand, "/proc/self/maps", long_enough_ns, &code), NT_OK);
	assert_int_equal(nt_code_maps_read("/proc/self", LIMIT_BYTES, &text, &length), 0);
	struct nt_procfs_map map, other;
	size_t at = 0, other_at = 0, count = 0;
	for (const struct nt_maps_text read = { .text = text, .length = length }; next_code(&code, &at, &map); count++) {
		assert_true(next_code(&read, &other_at, &other));
		assert_int_equal(other.offset, map.offset);
		assert_int_equal(other.path_length, map.path_length);
		assert_memory_equal(other.path, map.path, map.path_length);
	}
	assert_true(count > 2);
	free(code.text);
	free(text);
	nt_hand_free(hand);

	struct fake_proc proc;
	fake_proc_init(&proc);
	fake_proc_file(&proc, "maps", maps, sizeof(maps) - 1);
	assert_int_equal(nt_code_maps_read(proc.root, LIMIT_BYTES, &text, &length), 0);
	assert_int_equal(length, sizeof(maps) - 1);
	assert_memory_equal(text, maps, length);
	free(text);
	fake_proc_fini(&proc);
	assert_int_equal(nt_code_maps_read(proc.root, LIMIT_BYTES, &text, &length), ENOENT);
	assert_null(text);
	assert_int_equal(length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_is_what_the_text_says),
		cmocka_unit_test(test_a_file_is_read_whole),
		cmocka_unit_test(test_code_by_the_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
