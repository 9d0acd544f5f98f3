// SPDX-License-Identifier: GPL-2.0-only
#include "serve/sender.h"

#include "base/alloc.h"
#include "base/text.h"
#include "serve/sealed_text.h"
#include "serve/sender_process.h"
#include "serve/serve_child.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct nt_sender {
	struct nt_sender_order order;
	struct nt_serve_child process;
	int waiting[NT_SENDER_WAITING_MAX]; /* descriptors, the oldest first; owned */
	size_t waiting_count;
	bool is_under_way;  /* the first of those has been handed over, and is not answered */
	nt_time not_before; /* the next try; 0 = at once */
	nt_time wait_ns;    /* how long after the next failure */
	bool told;          /* that it takes nothing */
	uint64_t sent_count, dropped_count;
};

static enum nt_status take_url(const char *endpoint, char url[NT_SENDER_URL], struct nt_error *err)
{
	static const char *const schemes[] = { "http://", "https://" };
	static const char path[] = "/v1/metrics";
	const char *host = NULL;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strncmp(endpoint, schemes[i], strlen(schemes[i])) == 0)
			host = endpoint + strlen(schemes[i]);
	if (!host || !*host || *host == '/' || nt_text_plain_length(endpoint, strlen(endpoint)) != strlen(endpoint) ||
	    strchr(endpoint, ' '))
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no URL of a collector; say --otlp http://127.0.0.1:4318", endpoint);
	const char *slash = strchr(host, '/');
	size_t length = slash && !slash[1] ? (size_t)(slash - endpoint) : strlen(endpoint);
	int written = snprintf(url, NT_SENDER_URL, "%.*s%s", (int)length, endpoint, slash && slash[1] ? "" : path);
	return written < NT_SENDER_URL ? NT_OK : nt_error_set(err, NT_ERR_USAGE, "the URL of the collector is too long");
}

enum nt_status nt_sender_open(const char *endpoint, struct nt_sender **out, struct nt_error *err)
{
	struct nt_sender *sender = nt_alloc(sizeof(*sender));
	*sender = (struct nt_sender){
		.process = { .word = NT_SENDER_WORD, .does = "sends", .library = "libcurl, which speaks HTTP; apt-get install libcurl4" },
		.wait_ns = NT_SENDER_FIRST_S * NT_NS_PER_S
	};
	enum nt_status status = take_url(endpoint, sender->order.url, err);
	if (status == NT_OK)
		status = nt_serve_child_start(&sender->process, err);
	if (status == NT_OK)
		*out = sender;
	else
		nt_sender_close(sender);
	return status;
}

const char *nt_sender_url(const struct nt_sender *sender)
{
	return sender->order.url;
}

static void forget_first(struct nt_sender *sender)
{
	close(sender->waiting[0]);
	memmove(sender->waiting, sender->waiting + 1, --sender->waiting_count * sizeof(*sender->waiting));
}

void nt_sender_close(struct nt_sender *sender)
{
	if (!sender)
		return;
	nt_serve_child_end(&sender->process);
	while (sender->waiting_count)
		forget_first(sender);
	free(sender);
}

/* The one under way is no longer ours to drop: it may have arrived. */
void nt_sender_put(struct nt_sender *sender, const void *bytes, size_t length)
{
	int fd = nt_sealed_text(bytes, length);
	if (sender->waiting_count == NT_SENDER_WAITING_MAX) {
		size_t oldest = sender->is_under_way;
		close(sender->waiting[oldest]);
		memmove(sender->waiting + oldest, sender->waiting + oldest + 1,
			(--sender->waiting_count - oldest) * sizeof(*sender->waiting));
		sender->dropped_count++;
	}
	if (fd >= 0)
		sender->waiting[sender->waiting_count++] = fd;
	else
		sender->dropped_count++;
}

int nt_sender_fd(const struct nt_sender *sender)
{
	return nt_serve_child_is_there(&sender->process) ? sender->process.child.fd : -1;
}

struct nt_sender_sums nt_sender_sums(const struct nt_sender *sender)
{
	return (struct nt_sender_sums){ .sent_count = sender->sent_count,
					.dropped_count = sender->dropped_count,
					.waiting_count = sender->waiting_count,
					.end_count = sender->process.end_count,
					.cpu_ns = nt_serve_child_cpu_ns(&sender->process) };
}

/* ---- answers ---- */

/* These, and no answer at all, may be otherwise the next time (specification of OTLP, "Failures"); any other refusal is of this request. */
static bool may_be_tried_again(uint32_t status)
{
	return !status || status == 429 || status == 502 || status == 503 || status == 504;
}

static void wait_longer(struct nt_sender *sender, nt_time now, uint32_t retry_after_s)
{
	nt_time longest = NT_SENDER_LONGEST_S * NT_NS_PER_S, asked = retry_after_s * NT_NS_PER_S;
	nt_time wait = asked > sender->wait_ns ? asked : sender->wait_ns;
	sender->not_before = now + (wait < longest ? wait : longest);
	sender->wait_ns = 2 * sender->wait_ns < longest ? 2 * sender->wait_ns : longest;
}

static enum nt_status say_refusal(struct nt_sender *sender, const struct nt_sender_answer *answer, struct nt_error *err)
{
	char why[NT_SENDER_WHY] = "";
	if (sender->told)
		return NT_OK;
	sender->told = true;
	if (answer->status)
		snprintf(why, sizeof(why), "HTTP status %u", answer->status);
	else
		nt_text_escape(answer->why, strnlen(answer->why, sizeof(answer->why)), why, sizeof(why));
	return nt_error_set(err, NT_AGAIN, "%s takes no metrics: %s; nettop %s", sender->order.url, why,
			    may_be_tried_again(answer->status) ? "tries again, and keeps the newest" : "drops them");
}

static enum nt_status take_answer(struct nt_sender *sender, const struct nt_sender_answer *answer, nt_time now, struct nt_error *err)
{
	sender->is_under_way = false;
	if (answer->status >= 200 && answer->status < 300) {
		bool was_told = sender->told;
		forget_first(sender);
		sender->sent_count++;
		sender->told = false;
		sender->wait_ns = NT_SENDER_FIRST_S * NT_NS_PER_S;
		return was_told ? nt_error_set(err, NT_AGAIN, "%s takes metrics again; %llu requests were dropped so far",
					       sender->order.url, (unsigned long long)sender->dropped_count)
				: NT_OK;
	}
	if (may_be_tried_again(answer->status)) {
		wait_longer(sender, now, answer->retry_after_s);
	} else {
		forget_first(sender);
		sender->dropped_count++;
	}
	return say_refusal(sender, answer, err);
}

static void hand_over(struct nt_sender *sender, nt_time now)
{
	if (sender->is_under_way || !sender->waiting_count || now < sender->not_before)
		return;
	sender->is_under_way = nt_decoder_child_say(&sender->process.child, &sender->order, sizeof(sender->order), sender->waiting[0]);
	sender->not_before = 0;
}

/* False: it has ended. *heard: it has answered. */
static bool hear(struct nt_sender *sender, struct nt_sender_answer *answer, bool *heard)
{
	ssize_t got = recv(sender->process.child.fd, answer, sizeof(*answer), MSG_DONTWAIT);
	*heard = got == sizeof(*answer) && sender->is_under_way;
	return *heard || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

enum nt_status nt_sender_pump(struct nt_sender *sender, nt_time now, nt_time *next, struct nt_error *err)
{
	struct nt_sender_answer answer;
	enum nt_status status = NT_OK;
	bool heard = false;
	*next = NT_TIME_UNKNOWN;
	if (nt_serve_child_is_there(&sender->process) && !hear(sender, &answer, &heard)) {
		sender->is_under_way = false; /* what it had is sent again */
		status = nt_serve_child_lost(&sender->process, now, err);
	} else if (!nt_serve_child_is_there(&sender->process) && now >= sender->process.again) {
		status = nt_serve_child_start(&sender->process, err);
	} else if (heard) {
		status = take_answer(sender, &answer, now, err);
	}
	if (status < 0)
		return status;
	if (!nt_serve_child_is_there(&sender->process)) {
		*next = sender->process.again;
		return status;
	}
	hand_over(sender, now);
	if (sender->waiting_count && !sender->is_under_way)
		*next = sender->not_before ? sender->not_before : now + NT_NS_PER_S;
	return status;
}
