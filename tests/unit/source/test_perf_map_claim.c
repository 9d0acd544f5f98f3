// SPDX-License-Identifier: GPL-2.0-only
/* Who watches: the lock file beside the perf map. Several claims of one process stand for several nettops: each has the file open by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/perf_map_claim.h"

#define DIR_NAME "nettop-maps-%u"

struct fixture {
	struct fake_proc root;
	int folder_fd;
	struct nt_claim_key key;
	char dir[64], file[96];
};

static int setup(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	fake_proc_init(&f->root);
	f->folder_fd = open(f->root.root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	f->key = (struct nt_claim_key){ .ns_pid = 17, .start_ticks = 5, .uid = getuid() };
	snprintf(f->dir, sizeof(f->dir), "%s/" DIR_NAME, f->root.root, getuid());
	snprintf(f->file, sizeof(f->file), "%s/17-5", f->dir);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	close(f->folder_fd);
	fake_proc_fini(&f->root);
	free(f);
	return 0;
}

static enum nt_status claim(struct fixture *f, struct nt_claim *out)
{
	return nt_claim_open(f->folder_fd, &f->key, true, out, NULL);
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
	assert_false(exists(f->dir));
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
	assert_int_equal(nt_claim_open(f->folder_fd, &f->key, false, &one, NULL), NT_END);
	assert_false(exists(f->dir));
	assert_int_equal(mkdir(f->dir, 0700), 0);
	assert_int_equal(nt_claim_open(f->folder_fd, &f->key, false, &one, NULL), NT_END);
}

/* Names in /tmp are anybody's. */
static void test_what_lies_in_the_way(void **state)
{
	struct fixture *f = *state;
	struct nt_claim one;
	struct nt_error err = { 0 };
	char other[96];
	assert_int_equal(mkdir(f->dir, 0755), 0); /* open to others */
	assert_int_equal(nt_claim_open(f->folder_fd, &f->key, true, &one, &err), NT_ERR_FORBIDDEN);
	assert_int_equal(rmdir(f->dir), 0);
	snprintf(other, sizeof(other), "%s/elsewhere", f->root.root);
	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(symlink(other, f->dir), 0);
	assert_true(claim(f, &one) < 0);
	assert_int_equal(unlink(f->dir), 0);
	assert_int_equal(mkdir(f->dir, 0700), 0);
	assert_int_equal(symlink(other, f->file), 0);
	assert_true(claim(f, &one) < 0);
	assert_int_equal(unlink(f->file), 0);
	/* A second name of somebody's file. */
	snprintf(other, sizeof(other), "%s/precious", f->root.root);
	fake_proc_file(&f->root, "precious", "text", 4);
	assert_int_equal(link(other, f->file), 0);
	assert_int_equal(claim(f, &one), NT_ERR_FORBIDDEN);
	/* Another user's folder. */
	assert_int_equal(unlink(f->file), 0);
	f->key.uid++;
	snprintf(other, sizeof(other), "%s/" DIR_NAME, f->root.root, f->key.uid);
	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(claim(f, &one), NT_ERR_FORBIDDEN);
}

/* Whatever stands in it. */
static void test_strange_content(void **state)
{
	struct fixture *f = *state;
	static const char *const contents[] = { "", "on", "on 1", "off 1 2", "on x y", "\n\n" };
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
		cmocka_unit_test_setup_teardown(test_what_lies_in_the_way, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strange_content, setup, teardown),
	};
	return cmocka_run_group_tests_name("target/perf_map_claim", tests, NULL, NULL);
}
