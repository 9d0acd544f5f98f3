// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder.h"

#include "base/alloc.h"
#include "source/decoder/decoder_broker.h"
#include "source/decoder/decoder_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LOOK_MS = 50,     /* how often its clock is looked at while it works */
	OPENED_MAX = 256, /* files that one question may want: those of a composite image's components */
	STARVED = 10,     /* timeouts without a word that one is left which only wants a CPU */
	TRIES = 5,        /* of a question whose decoder somebody kills */
	BAD_MAX = 128,    /* images that are not asked about again; of more the oldest are */
	LEFT_MAX = 8,     /* killed processes that the kernel keeps */
};

/* What begins a reason: of what is asked, and where nothing more is known than that it takes too long. */
static const struct {
	const char *what, *hangs;
} wording[NT_DECODE_VERB_COUNT] = {
	[NT_DECODE_NAME] = { "image not read", "image unreadable" },
	[NT_DECODE_STUB] = { "its code cannot be read", "its code cannot be read" },
	[NT_DECODE_INSTRUCTIONS] = { "its code cannot be read", "its code cannot be read" },
	[NT_DECODE_SOURCE] = { "its lines cannot be read", "its lines cannot be read" },
	[NT_DECODE_IL] = { "image not read", "image unreadable" },
	[NT_DECODE_FRAME] = { "image not read", "image unreadable" },
	[NT_DECODE_METHODS] = { "image not read", "image unreadable" },
	[NT_DECODE_STATE] = { "image not read", "image unreadable" },
	[NT_DECODE_FUNCTION] = { "image not read", "image unreadable" },
	[NT_DECODE_EXECUTABLE] = { "its executable is not read", "its executable is not read" },
};

/* An image, or machine code at an address, that the decoder does not bear to be asked so. */
struct bad_image {
	enum nt_decoder_verb verb;
	char *path;
	uint64_t inode, place;
	char reason[NT_DECODER_REASON];
};

struct nt_decoder {
	const struct nt_files_target *target;
	struct nt_hand *hand;
	const char *word; /* static */
	struct nt_decoder_child child;
	pid_t left[LEFT_MAX]; /* 0 = none */
	struct bad_image bad[BAD_MAX];
	size_t bad_count;   /* ever */
	nt_time none_until; /* one could not be started: not tried before */
	int wake_fd;        /* readable when cancelled */
	atomic_bool cancelled;
	uint64_t ended_cpu_ns; /* of processes that have ended */
	_Atomic uint64_t cpu_ns;
	pthread_mutex_t lock; /* for the next one, which every thread reads */
	int statm_fd;         /* /proc/PID/statm of the present process; -1 = none, or not readable */
	char packet[NT_DECODER_PACKET];
	struct nt_decoder_answer answer;
	struct nt_decoder_table table; /* of the answer in hand */
	struct nt_decoder_debug debug; /* the same */
};

/* Between two trials of starting one. */
static const nt_time pause_ns = NT_NS_PER_S;

/* How an exchange ended. */
enum outcome {
	ANSWERED,
	CANCELLED,
	KILLED,   /* by somebody */
	NONE,     /* there is no decoder to be had */
	TOO_MUCH, /* killed by us, or by what it read: `reason` says why */
};

struct exchange {
	const struct nt_decoder_request *requests;
	size_t count, done;
	nt_decoder_answered *answered;
	void *context;
	char reason[NT_DECODER_REASON];
	bool one_image; /* at a time, because one among several does harm and it cannot be said which */
};

struct nt_decoder *nt_decoder_new(const struct nt_files_target *target, struct nt_hand *hand, const char *word)
{
	struct nt_decoder *decoder = nt_alloc(sizeof(*decoder));
	decoder->word = word;
	decoder->target = target;
	decoder->hand = hand;
	decoder->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&decoder->lock, NULL);
	decoder->statm_fd = -1;
	return decoder;
}

void nt_decoder_cancel(struct nt_decoder *decoder)
{
	atomic_store(&decoder->cancelled, true);
	eventfd_write(decoder->wake_fd, 1);
}

uint64_t nt_decoder_cpu_ns(const struct nt_decoder *decoder)
{
	return atomic_load_explicit(&decoder->cpu_ns, memory_order_relaxed);
}

/* ---- its process ---- */

static void collect_left(struct nt_decoder *decoder)
{
	for (int i = 0; i < LEFT_MAX; i++)
		if (decoder->left[i] && waitpid(decoder->left[i], NULL, WNOHANG) != 0)
			decoder->left[i] = 0;
}

static pid_t *room_for_left(struct nt_decoder *decoder)
{
	for (int i = 0; i < LEFT_MAX; i++)
		if (!decoder->left[i])
			return &decoder->left[i];
	return NULL;
}

static void note_cpu(struct nt_decoder *decoder)
{
	uint64_t now = decoder->child.pid ? nt_decoder_child_cpu_ns(&decoder->child) : 0;
	atomic_store_explicit(&decoder->cpu_ns, decoder->ended_cpu_ns + now, memory_order_relaxed);
}

static void look_at_memory_of(struct nt_decoder *decoder, int statm_fd)
{
	pthread_mutex_lock(&decoder->lock);
	if (decoder->statm_fd >= 0)
		close(decoder->statm_fd);
	decoder->statm_fd = statm_fd;
	pthread_mutex_unlock(&decoder->lock);
}

uint64_t nt_decoder_bytes(struct nt_decoder *decoder)
{
	char text[128] = "";
	unsigned long resident = 0, shared = 0;
	pthread_mutex_lock(&decoder->lock);
	ssize_t length = decoder->statm_fd < 0 ? -1 : pread(decoder->statm_fd, text, sizeof(text) - 1, 0);
	pthread_mutex_unlock(&decoder->lock);
	if (length <= 0 || sscanf(text, "%*u %lu %lu", &resident, &shared) != 2 || shared > resident)
		return 0;
	return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* False: there cannot be one. */
static bool have_child(struct nt_decoder *decoder)
{
	if (decoder->child.pid)
		return true;
	collect_left(decoder);
	if (nt_clock_now() < decoder->none_until || decoder->wake_fd < 0 || !room_for_left(decoder) ||
	    nt_decoder_child_start(&decoder->child, decoder->word) != 0)
		return false;
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/statm", (int)decoder->child.pid);
	look_at_memory_of(decoder, open(path, O_RDONLY | O_CLOEXEC));
	return true;
}

static int end_child(struct nt_decoder *decoder)
{
	if (!decoder->child.pid)
		return -1;
	look_at_memory_of(decoder, -1);
	decoder->ended_cpu_ns += nt_decoder_child_cpu_ns(&decoder->child);
	return nt_decoder_child_end(&decoder->child, room_for_left(decoder));
}

static const struct nt_decoder_request *in_hand(const struct exchange *exchange)
{
	return &exchange->requests[exchange->done];
}

__attribute__((format(printf, 2, 3))) static enum outcome too_much(struct exchange *exchange, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int used = snprintf(exchange->reason, sizeof(exchange->reason), "%s: ", wording[in_hand(exchange)->verb].what);
	vsnprintf(exchange->reason + used, sizeof(exchange->reason) - (size_t)used, format, arguments);
	va_end(arguments);
	return TOO_MUCH;
}

/* It ended by itself, or was killed: is the question to blame? */
static enum outcome judge_end(struct nt_decoder *decoder, struct exchange *exchange)
{
	int status = end_child(decoder);
	if (status == -1 || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM)))
		return KILLED;
	if (WIFEXITED(status))
		return NONE; /* it could not be confined, or not be executed */
	const char *name = sigabbrev_np(WTERMSIG(status));
	return too_much(exchange, "its decoder ended with SIG%s", name ? name : "NAL");
}

static enum outcome makes_no_sense(struct nt_decoder *decoder, struct exchange *exchange)
{
	end_child(decoder);
	return too_much(exchange, "its decoder makes no sense");
}

void nt_decoder_rest(struct nt_decoder *decoder)
{
	end_child(decoder);
	note_cpu(decoder);
	nt_decoder_table_fini(&decoder->table);
}

void nt_decoder_free(struct nt_decoder *decoder)
{
	if (!decoder)
		return;
	end_child(decoder);
	collect_left(decoder);
	for (size_t i = 0; i < BAD_MAX; i++)
		free(decoder->bad[i].path);
	nt_decoder_table_fini(&decoder->table);
	if (decoder->wake_fd >= 0)
		close(decoder->wake_fd);
	pthread_mutex_destroy(&decoder->lock);
	free(decoder);
}

/* ---- images that it does not bear ---- */

/* What of an image: where the bytes are the question's, those at that address. */
static uint64_t place_of(const struct nt_decoder_request *request)
{
	return request->of.inode ? 0 : request->of.offset;
}

static const struct bad_image *find_bad(const struct nt_decoder *decoder, const struct nt_decoder_request *request)
{
	for (size_t i = 0; i < BAD_MAX; i++) {
		const struct bad_image *bad = &decoder->bad[i];
		if (bad->path && bad->verb == request->verb && bad->inode == request->of.inode && bad->place == place_of(request) &&
		    strcmp(bad->path, request->of.image) == 0)
			return bad;
	}
	return NULL;
}

static void note_bad(struct nt_decoder *decoder, const struct nt_decoder_request *request, const char *reason)
{
	struct bad_image *bad = &decoder->bad[decoder->bad_count++ % BAD_MAX];
	free(bad->path);
	*bad = (struct bad_image){
		.verb = request->verb, .path = nt_strdup(request->of.image), .inode = request->of.inode, .place = place_of(request)
	};
	snprintf(bad->reason, sizeof(bad->reason), "%s", reason);
}

static void give_reason(struct nt_decoder *decoder, struct exchange *exchange, uint64_t start, uint64_t end, struct nt_decoder_reply *reply,
			const char *reason)
{
	decoder->answer =
		(struct nt_decoder_answer){ .start = start, .end = end, .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_IMAGE_UNREADABLE };
	snprintf(decoder->answer.text, sizeof(decoder->answer.text), "%s", reason);
	nt_decoder_table_empty(&decoder->table);
	reply->answer = &decoder->answer;
	reply->table = &decoder->table;
	decoder->debug.path[0] = '\0';
	reply->debug = &decoder->debug;
	exchange->answered(exchange->context, &exchange->requests[exchange->done++], reply);
}

/* Of the whole image. */
static void give_bad(struct nt_decoder *decoder, struct exchange *exchange, const char *reason)
{
	give_reason(decoder, exchange, 0, UINT64_MAX, &(struct nt_decoder_reply){ 0 }, reason);
}

/* Of this place only: it will have its answer when there is a decoder again. */
static void give_no_decoder(struct nt_decoder *decoder, struct exchange *exchange, bool killed)
{
	uint64_t place = in_hand(exchange)->of.offset;
	too_much(exchange, killed ? "the process for it is killed all the time" : "the process for it cannot be started");
	give_reason(decoder, exchange, place, place + 1, &(struct nt_decoder_reply){ .for_now = true, .killed = killed }, exchange->reason);
}

/* ---- talk ---- */

/* What a question has taken. */
struct effort {
	uint64_t cpu_before;
	nt_time heard; /* its last word */
	unsigned opened;
};

static struct effort begin_effort(const struct nt_decoder *decoder)
{
	return (struct effort){ .cpu_before = nt_decoder_child_cpu_ns(&decoder->child), .heard = nt_clock_now() };
}

/* Is it not waited for any longer? *exchange has the reason. One that works, or would if it had a CPU, is not one that hangs. */
static bool is_too_much(const struct nt_decoder *decoder, const struct effort *effort, struct exchange *exchange)
{
	uint64_t cpu = nt_decoder_child_cpu_ns(&decoder->child), used = cpu > effort->cpu_before ? cpu - effort->cpu_before : 0;
	nt_time waited = nt_clock_now() - effort->heard;
	if (used > NT_DECODER_CPU_NS) {
		too_much(exchange, "it takes more than 2 s of CPU");
		return true;
	}
	bool hangs = waited > NT_FILES_TIMEOUT_NS + used && !nt_decoder_child_is_running(&decoder->child);
	if (!hangs && waited <= STARVED * NT_FILES_TIMEOUT_NS)
		return false;
	snprintf(exchange->reason, sizeof(exchange->reason), "%s: timed out", wording[in_hand(exchange)->verb].hangs);
	return true;
}

static enum outcome wait_for_word(struct nt_decoder *decoder, struct exchange *exchange, const struct effort *effort)
{
	for (;;) {
		struct pollfd waited[] = { { .fd = decoder->child.fd, .events = POLLIN }, { .fd = decoder->wake_fd, .events = POLLIN } };
		poll(waited, 2, LOOK_MS);
		if (atomic_load(&decoder->cancelled))
			return CANCELLED;
		if (waited[0].revents)
			return ANSWERED;
		if (is_too_much(decoder, effort, exchange)) {
			end_child(decoder);
			return TOO_MUCH;
		}
	}
}

static enum outcome open_for(struct nt_decoder *decoder, struct exchange *exchange, const struct nt_decoder_open *wanted,
			     struct effort *effort)
{
	struct nt_decoder_opened opened;
	int fd;
	if (++effort->opened > OPENED_MAX) {
		end_child(decoder);
		return too_much(exchange, "it wants more than %d other files", OPENED_MAX);
	}
	if (nt_decoder_broker_open(decoder->target, decoder->hand, in_hand(exchange), wanted, &opened, &fd, &decoder->debug) == NT_END)
		return CANCELLED;
	bool said = nt_decoder_child_say(&decoder->child, &opened, sizeof(opened), fd), full = !said && errno == EAGAIN;
	if (fd >= 0)
		close(fd);
	effort->heard = nt_clock_now();
	if (full)
		return makes_no_sense(decoder, exchange);
	return said ? ANSWERED : judge_end(decoder, exchange);
}

/* The answers of a packet of `length` bytes; what is said after the last question is not heard. The table that has come is the first one's. False: it has something else in it. */
static bool take_answers(struct nt_decoder *decoder, struct exchange *exchange, size_t first, size_t end, size_t length)
{
	for (size_t at = 0, used; at < length && exchange->done < end; at += used) {
		const struct nt_decoder_request *request = in_hand(exchange);
		used = nt_decoder_take_answer(decoder->packet + at, length - at, (uint32_t)(exchange->done - first), request->of.offset,
					      &decoder->answer);
		if (!used || !nt_decoder_table_holds(&decoder->table, request->verb))
			return false;
		const struct nt_decoder_reply reply = { .answer = &decoder->answer, .table = &decoder->table, .debug = &decoder->debug };
		exchange->answered(exchange->context, request, &reply);
		nt_decoder_table_empty(&decoder->table);
		decoder->debug.path[0] = '\0';
		exchange->done++;
	}
	return true;
}

/*
 * One packet of its. `first`, `end`: the numbers of the batch's first question, and of the one behind its last. A part of a table is no sign of life: it may send them one by one, for
 * ever.
 */
static enum outcome hear(struct nt_decoder *decoder, struct exchange *exchange, size_t first, size_t end, struct effort *effort)
{
	uint32_t number = (uint32_t)(exchange->done - first);
	struct nt_decoder_open wanted;
	/* Longer ones are cut, which is a lie like any other; descriptors, which it has none of to send, are not taken. */
	ssize_t got = recv(decoder->child.fd, decoder->packet, sizeof(decoder->packet), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return ANSWERED;
	if (got <= 0)
		return judge_end(decoder, exchange);
	if (nt_decoder_take_part(decoder->packet, (size_t)got, number, in_hand(exchange)->verb, &decoder->table))
		return is_too_much(decoder, effort, exchange) ? (end_child(decoder), TOO_MUCH) : ANSWERED;
	if (nt_decoder_take_open(decoder->packet, (size_t)got, number, &wanted))
		return open_for(decoder, exchange, &wanted, effort);
	if (!take_answers(decoder, exchange, first, end, (size_t)got))
		return makes_no_sense(decoder, exchange);
	*effort = begin_effort(decoder);
	return ANSWERED;
}

static struct nt_decoder_question question_of(const struct nt_decoder_request *request)
{
	return (struct nt_decoder_question){ .verb = request->verb,
					     .inode = request->of.inode,
					     .offset = request->of.offset,
					     .base = request->base,
					     .path = request->of.image,
					     .bytes = request->bytes,
					     .length = request->length };
}

/* Code comes with its bytes, all else is in a file. */
static bool is_askable(const struct nt_decoder *decoder, const struct nt_decoder_request *request)
{
	const struct nt_decoder_question question = question_of(request);
	bool has_file = request->verb != NT_DECODE_STUB && request->verb != NT_DECODE_INSTRUCTIONS;
	return (request->of.inode || !has_file) && strlen(request->of.image) < NT_DECODER_PATH &&
	       nt_decoder_question_size(&question) <= NT_DECODER_QUESTIONS_MAX && !find_bad(decoder, request);
}

/* Will there be another batch, of what comes from `end` on? */
static bool more_follow(const struct nt_decoder *decoder, const struct exchange *exchange, size_t end)
{
	while (end < exchange->count && !is_askable(decoder, &exchange->requests[end]))
		end++;
	return end < exchange->count;
}

/* Ask the next questions, up to `end`. ANSWERED: all of them are. */
static enum outcome ask_until(struct nt_decoder *decoder, struct exchange *exchange, size_t end)
{
	struct nt_decoder_question batch[NT_DECODER_BATCH];
	size_t first = exchange->done;
	if (atomic_load(&decoder->cancelled))
		return CANCELLED;
	if (!have_child(decoder))
		return NONE;
	for (size_t i = first; i < end; i++)
		batch[i - first] = question_of(&exchange->requests[i]);
	size_t length = nt_decoder_put_questions(batch, end - first, more_follow(decoder, exchange, end), decoder->packet);
	struct effort effort = begin_effort(decoder);
	nt_decoder_table_empty(&decoder->table);
	decoder->debug.path[0] = '\0';
	if (!nt_decoder_child_say(&decoder->child, decoder->packet, length, -1))
		return judge_end(decoder, exchange);
	enum outcome outcome = ANSWERED;
	while (outcome == ANSWERED && exchange->done < end) {
		outcome = wait_for_word(decoder, exchange, &effort);
		if (outcome == ANSWERED)
			outcome = hear(decoder, exchange, first, end, &effort);
	}
	note_cpu(decoder);
	return outcome;
}

bool nt_decoder_of_one_image(const struct nt_decoder_request *a, const struct nt_decoder_request *b)
{
	return a->of.inode == b->of.inode && strcmp(a->of.image, b->of.image) == 0;
}

/* As many as are for the decoder and fit, from the next one on. */
static size_t batch_end(const struct nt_decoder *decoder, const struct exchange *exchange)
{
	size_t end = exchange->done, bytes = 0;
	for (; end < exchange->count && end - exchange->done < NT_DECODER_BATCH; end++) {
		const struct nt_decoder_request *request = &exchange->requests[end];
		if (!is_askable(decoder, request) || (exchange->one_image && !nt_decoder_of_one_image(request, in_hand(exchange))))
			break;
		const struct nt_decoder_question question = question_of(request);
		bytes += nt_decoder_question_size(&question);
		if (bytes > NT_DECODER_QUESTIONS_MAX)
			break;
	}
	return end;
}

/* Answers come together, so when it ends in the middle they may be lost, and the question in hand is not the one that it ended of. */
static bool may_be_another(const struct exchange *exchange, size_t end)
{
	size_t next = exchange->done;
	while (next < end && nt_decoder_of_one_image(&exchange->requests[next], in_hand(exchange)))
		next++;
	return next < end;
}

/* Without a decoder, or known not to be for it. */
static void answer_alone(struct nt_decoder *decoder, struct exchange *exchange)
{
	const struct bad_image *bad = find_bad(decoder, in_hand(exchange));
	if (!bad)
		too_much(exchange, "its path makes no sense");
	give_bad(decoder, exchange, bad ? bad->reason : exchange->reason);
}

void nt_decoder_ask(struct nt_decoder *decoder, const struct nt_decoder_request *requests, size_t count, nt_decoder_answered *answered,
		    void *context)
{
	struct exchange exchange = { .requests = requests, .count = count, .answered = answered, .context = context };
	unsigned tries = 0;
	while (exchange.done < count) {
		size_t before = exchange.done, end = batch_end(decoder, &exchange);
		if (end == before) {
			answer_alone(decoder, &exchange);
			continue;
		}
		enum outcome outcome = ask_until(decoder, &exchange, end);
		tries = exchange.done > before ? 0 : tries + 1;
		if (outcome == CANCELLED)
			return;
		if (outcome == TOO_MUCH && may_be_another(&exchange, end)) {
			exchange.one_image = true;
		} else if (outcome == TOO_MUCH) {
			note_bad(decoder, in_hand(&exchange), exchange.reason);
			give_bad(decoder, &exchange, exchange.reason);
		} else if (outcome == NONE) {
			if (nt_clock_now() >= decoder->none_until)
				decoder->none_until = nt_clock_now() + pause_ns;
			give_no_decoder(decoder, &exchange, false);
		} else if (outcome == KILLED && tries >= TRIES) {
			give_no_decoder(decoder, &exchange, true);
			tries = 0;
		}
	}
}
