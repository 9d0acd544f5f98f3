// SPDX-License-Identifier: GPL-2.0-only
/* Who watches: the lock file in a folder of ours. Several claims of one process stand for several nettops: each has the file open by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/perfmap/perf_map_claim.h"

struct fixture {
	struct fake_proc root;
	int dir_fd;
	struct nt_claim_key key;
	char file[96];
};

static int setup(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	fake_proc_init(&f->root);
	f->dir_fd = open(f->root.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	f->key = (struct nt_claim_key){ .pid_ns = 4, .ns_pid = 17, .start_ticks = 5, .own_pid_ns = 4, .pid = 17, .uid = getuid() };
	snprintf(f->file, sizeof(f->file), "%s/map-4-17-5", f->root.root);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	close(f->dir_fd);
	fake_proc_fini(&f->root);
	free(f);
	return 0;
}

static enum nt_status claim(struct fixture *f, struct nt_claim *out)
{
	return nt_claim_open(f->dir_fd, &f->key, true, out, NULL);
}

static bool exists(const char *path)
{
	struct stat stat;
	return lstat(path, &stat) == 0;
}

static void test_first_alone_others_together(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one, other, third;
	assert_int_equal(claim(f, &one), NT_OK);
	assert_true(one.alone);
	assert_false(nt_claim_read(&one).caused);
	/* It is just switching: nobody gets in between. */
	assert_int_equal(claim(f, &other), NT_AGAIN);
	const struct nt_claim_content content = { .caused = true, .file = { 42, 4711 } };
	assert_int_equal(nt_claim_write(&one, &content, NULL), NT_OK);
	assert_true(nt_claim_share(&one));
	assert_int_equal(claim(f, &other), NT_OK);
	assert_int_equal(claim(f, &third), NT_OK);
	assert_false(other.alone || third.alone);
	assert_true(nt_claim_read(&third).caused);
	assert_int_equal(nt_claim_read(&third).file.device, 42);
	assert_int_equal(nt_claim_read(&third).file.inode, 4711);
	/* Whoever leaves last is alone. */
	assert_false(nt_claim_alone(&one));
	nt_claim_close(&one);
	nt_claim_close(&third); /* killed */
	assert_true(nt_claim_alone(&other));
	nt_claim_remove(&other);
	nt_claim_close(&other);
	assert_false(exists(f->file));
}

static void test_taken_back_is_forgotten(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one;
	assert_int_equal(claim(f, &one), NT_OK);
	assert_int_equal(nt_claim_write(&one, &(struct nt_claim_content){ .caused = true }, NULL), NT_OK);
	assert_true(nt_claim_read(&one).caused);
	assert_int_equal(nt_claim_read(&one).file.inode, 0);
	assert_int_equal(nt_claim_write(&one, &(struct nt_claim_content){ 0 }, NULL), NT_OK);
	assert_false(nt_claim_read(&one).caused);
	/* Over its limit: nothing to undo, nothing to switch on. */
	assert_int_equal(nt_claim_write(&one, &(struct nt_claim_content){ .full = true }, NULL), NT_OK);
	assert_true(nt_claim_read(&one).full);
	assert_false(nt_claim_read(&one).caused);
	nt_claim_close(&one);
}

/* A nettop and its keeper were killed: what they noted is found by the next, who is alone with it. */
static void test_left_behind(void **state)
{
	struct fixture *f = *state;
	struct nt_claim dead, next;
	assert_int_equal(claim(f, &dead), NT_OK);
	assert_int_equal(nt_claim_write(&dead, &(struct nt_claim_content){ .caused = true }, NULL), NT_OK);
	nt_claim_close(&dead);
	assert_int_equal(claim(f, &next), NT_OK);
	assert_true(next.alone && nt_claim_read(&next).caused);
	nt_claim_close(&next);
}

static void test_removed_meanwhile(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one, other;
	assert_int_equal(claim(f, &one), NT_OK);
	nt_claim_remove(&one);
	/* The name is free: somebody makes it anew, and the old claim is worth nothing. */
	assert_int_equal(claim(f, &other), NT_OK);
	assert_true(other.alone);
	assert_false(nt_claim_share(&one));
	nt_claim_close(&one);
	nt_claim_close(&other);
}

static void test_none_without_create(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one;
	assert_int_equal(nt_claim_open(f->dir_fd, &f->key, false, &one, NULL), NT_END);
	assert_false(exists(f->file));
}

/* The kernel's list of locks tells whether somebody holds it, without opening it. */
static void test_seen_from_outside(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one;
	const char *name = strrchr(f->file, '/') + 1;
	assert_int_equal(nt_lock_state_at(f->dir_fd, getuid(), name), NT_LOCK_FREE);
	assert_int_equal(claim(f, &one), NT_OK);
	assert_int_equal(nt_lock_state_at(f->dir_fd, getuid(), name), NT_LOCK_ALONE);
	assert_true(nt_claim_share(&one));
	assert_int_equal(nt_lock_state_at(f->dir_fd, getuid(), name), NT_LOCK_SHARED);
	assert_int_equal(nt_lock_state_at(f->dir_fd, getuid() + 1, name), NT_LOCK_FREE); /* not this user's file */
	nt_claim_close(&one);
	assert_int_equal(nt_lock_state_at(f->dir_fd, getuid(), name), NT_LOCK_FREE);
	assert_true(exists(f->file));
}

static void age(const char *path)
{
	const struct timespec times[] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_sweep(void **state)
{
	struct fixture *f = *state;
	struct nt_claim dead, used;
	struct stat here;
	char used_file[96];
	assert_int_equal(stat("/proc/self/ns/pid", &here), 0);
	f->key.own_pid_ns = here.st_ino;
	f->key.pid = (uint32_t)getpid(); /* with another start time: it has ended */
	assert_int_equal(claim(f, &dead), NT_OK);
	assert_int_equal(nt_claim_write(&dead, &(struct nt_claim_content){ .caused = true }, NULL), NT_OK);
	nt_claim_close(&dead);
	f->key.ns_pid = 18;
	snprintf(used_file, sizeof(used_file), "%s/map-4-18-5", f->root.root);
	assert_int_equal(claim(f, &used), NT_OK);
	fake_proc_file(&f->root, "something-else", "", 0);
	nt_claim_sweep(f->dir_fd);
	assert_true(exists(f->file)); /* a keeper may be at it */
	age(f->file);
	age(used_file);
	nt_claim_sweep(f->dir_fd);
	assert_false(exists(f->file));
	assert_true(exists(used_file));
	nt_claim_close(&used);
	nt_claim_sweep(f->dir_fd);
	assert_false(exists(used_file));
	snprintf(used_file, sizeof(used_file), "%s/something-else", f->root.root);
	assert_true(exists(used_file));
}

/* A folder that somebody else could write to is not taken. */
static void test_folder(void **state)
{
	struct fixture *f = *state;
	struct nt_error err = { 0 };
	char path[96];
	int fd;
	snprintf(path, sizeof(path), "%s/nettop", f->root.root);
	assert_int_equal(nt_lock_dir_open_at(f->root.root, "nettop", &fd, &err), NT_OK);
	close(fd);
	assert_int_equal(nt_lock_dir_open_at(f->root.root, "nettop", &fd, &err), NT_OK);
	close(fd);
	assert_int_equal(chmod(path, 0777), 0);
	assert_int_equal(nt_lock_dir_open_at(f->root.root, "nettop", &fd, &err), NT_ERR_FORBIDDEN);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(symlink(f->root.root, path), 0);
	assert_true(nt_lock_dir_open_at(f->root.root, "nettop", &fd, &err) < 0);
	assert_int_equal(nt_lock_dir_open_at("/nowhere", "nettop", &fd, &err), NT_ERR_FAILED);
}

/* Whatever stands in it. */
static void test_strange_content(void **state)
{
	struct fixture *f = *state;
	static const char *const contents[] = { "", "on", "of 1 2 on 1", "of 1 2 off 1 2", "of 1 2 on x y", "\n\n" };
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		struct nt_claim one;
		assert_int_equal(claim(f, &one), NT_OK);
		assert_int_equal(ftruncate(one.fd, 0), 0);
		assert_int_equal(pwrite(one.fd, contents[i], strlen(contents[i]), 0), strlen(contents[i]));
		assert_false(nt_claim_read(&one).caused);
		nt_claim_close(&one);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_first_alone_others_together, setup, teardown),
		cmocka_unit_test_setup_teardown(test_taken_back_is_forgotten, setup, teardown),
		cmocka_unit_test_setup_teardown(test_left_behind, setup, teardown),
		cmocka_unit_test_setup_teardown(test_removed_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_none_without_create, setup, teardown),
		cmocka_unit_test_setup_teardown(test_seen_from_outside, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sweep, setup, teardown),
		cmocka_unit_test_setup_teardown(test_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strange_content, setup, teardown),
	};
	return cmocka_run_group_tests_name("target/perf_map_claim", tests, NULL, NULL);
}
