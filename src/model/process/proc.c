// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/proc.h"

/* A rate is shown until its reading is this old: intervals may be shorter than the distance of two readings. */
static const nt_time fresh_ns = 3 * NT_NS_PER_S;
/* An interval is closed so long after its end, and read then. */
static const nt_time late_ns = 600 * NT_NS_PER_MS;

void nt_cpu_rate_read(struct nt_cpu_rate *rate, nt_time time, uint64_t user_ns, uint64_t kernel_ns)
{
	struct nt_cpu_reading reading = { .time = time, .user_ns = user_ns, .kernel_ns = kernel_ns, .known = true };
	const struct nt_cpu_reading *newest = &rate->newest;
	if (newest->known && (time < newest->time || user_ns < newest->user_ns || kernel_ns < newest->kernel_ns))
		*rate = (struct nt_cpu_rate){ 0 };
	if (!rate->first.known)
		rate->first = rate->closed = reading;
	rate->newest = reading;
}

static void percentages(const struct nt_cpu_reading *from, const struct nt_cpu_reading *to, struct nt_f64 *user, struct nt_f64 *kernel)
{
	if (!from->known || !to->known || to->time <= from->time)
		return;
	double length = (double)(to->time - from->time);
	*user = nt_f64_of(100.0 * (double)(to->user_ns - from->user_ns) / length);
	*kernel = nt_f64_of(100.0 * (double)(to->kernel_ns - from->kernel_ns) / length);
}

static struct nt_u64 time_between(const struct nt_cpu_reading *from, const struct nt_cpu_reading *to)
{
	if (!from->known || !to->known)
		return (struct nt_u64){ 0 };
	return nt_u64_of(to->user_ns - from->user_ns + to->kernel_ns - from->kernel_ns);
}

/* As long as the interval, when that is what it is meant to be; else as far as the readings are apart. */
static nt_time covered_by(nt_time distance, nt_time length)
{
	bool same = distance > length - length / 10 && distance < length + length / 10;
	return same ? length : distance;
}

void nt_cpu_rate_close(struct nt_cpu_rate *rate, const struct nt_span *span)
{
	const struct nt_cpu_reading *from = &rate->closed, *to = &rate->newest;
	nt_time length = nt_span_length(span), distance = to->time - from->time;
	bool gap = distance > length + fresh_ns;
	bool later = from->known && from->time > span->t1 + late_ns; /* of an interval that is closed long after its end */
	bool fresh = to->known && to->time + fresh_ns >= span->t1 && !gap && !later;
	percentages(from, to, &rate->user_pct, &rate->kernel_pct);
	rate->used_ns = time_between(from, to);
	rate->used_ns.known &= fresh && distance;
	rate->covered_ns = (struct nt_u64){ .known = rate->used_ns.known, .v = rate->used_ns.known ? covered_by(distance, length) : 0 };
	nt_time since = rate->first.time > span->t0 && rate->first.time < span->t1 ? rate->first.time : span->t0;
	rate->seen_ns = (struct nt_u64){ .known = fresh, .v = fresh ? span->t1 - since : 0 };
	bool apart = from->known && distance && !rate->used_ns.known;
	rate->gap_used_ns = (struct nt_u64){ .known = apart, .v = apart ? rate->used_ns.v : 0 };
	rate->gap_ns = (struct nt_u64){ .known = apart, .v = apart ? distance : 0 };
	rate->gaps_used_ns += rate->gap_used_ns.v;
	rate->gaps_ns += rate->gap_ns.v;
	if (!fresh)
		rate->user_pct.known = rate->kernel_pct.known = false;
	rate->closed = rate->newest;
}

static struct nt_f64 sum(struct nt_f64 a, struct nt_f64 b)
{
	return (struct nt_f64){ .v = a.v + b.v, .known = a.known && b.known };
}

static struct nt_f64 total_of(const struct nt_cpu_rate *rate)
{
	struct nt_f64 user = { 0 }, kernel = { 0 };
	percentages(&rate->first, &rate->newest, &user, &kernel);
	return sum(user, kernel);
}

void nt_proc_init(struct nt_proc *proc, uint32_t pid)
{
	*proc = (struct nt_proc){ .target = { .pid = pid, .ended_at = NT_TIME_UNKNOWN } };
}

void nt_proc_read(struct nt_proc *proc, nt_time time, const struct nt_ev_proc *reading)
{
	nt_cpu_rate_read(&proc->cpu, time, reading->user_ns, reading->kernel_ns);
	if (reading->waited_known)
		nt_cpu_rate_read(&proc->waited, time, reading->waited_ns, 0);
	proc->newest = *reading;
	proc->known = true;
}

void nt_proc_read_self(struct nt_proc *proc, nt_time time, const struct nt_ev_self *reading)
{
	nt_cpu_rate_read(&proc->self, time, reading->self_ns, 0);
	if (reading->daemons_known)
		nt_cpu_rate_read(&proc->daemons, time, reading->daemons_ns, 0);
	if (reading->target_known)
		nt_cpu_rate_read(&proc->cost, time, reading->target_ns, 0);
	proc->self_rss_bytes = reading->rss_bytes;
}

void nt_proc_ended_in(struct nt_proc *proc, uint32_t tid, nt_site_ref stack)
{
	proc->end_tid = tid;
	proc->end_stack = stack;
}

void nt_proc_target(struct nt_proc *proc, nt_time time, const struct nt_ev_target *target, const struct nt_target_texts *texts)
{
	struct nt_target_info *info = &proc->target;
	if (target->start_ticks)
		info->start_ticks = target->start_ticks;
	if (texts->name)
		info->name = texts->name;
	if (texts->runtime)
		info->runtime = texts->runtime;
	if (texts->command)
		info->command = texts->command;
	if (target->ended) {
		info->ended = true;
		info->ended_at = time;
		info->end_text = texts->end;
		proc->end_unproven = target->end_how == NT_END_SIGNALED;
		proc->end_overflowed = target->end_how == NT_END_OVERFLOWED;
		proc->end_frames = target->end_frames;
		info->end = (struct nt_target_end){ .failed_fast = target->end_how == NT_END_FAILED_FAST,
						    .exception = texts->exception,
						    .message = texts->message,
						    .stack = texts->stack,
						    .reason = texts->end_reason };
		if (target->end_how == NT_END_EXITED)
			info->end.exit_code = nt_u64_of(target->end_number);
		else if (target->end_how != NT_END_UNKNOWN)
			info->end.signal = nt_u64_of(target->end_number);
	} else {
		proc->left_out = (struct nt_left_out){
			.known = true,
			.jit = texts->no_jit,
			.locks = texts->no_locks,
			.pool = texts->no_pool,
			.allocations = texts->no_allocations,
		};
	}
	if (target->mode != NT_MODE_UNKNOWN && target->mode <= NT_MODE_ALL)
		info->mode = target->mode;
	if (target->kind <= NT_DEPLOYED_NATIVE_AOT)
		info->kind = target->kind;
	if (target->cpu_count)
		info->cpu_count = nt_u64_of(target->cpu_count);
	if (target->server_gc <= 1 && !target->ended)
		info->server_gc = nt_u64_of(target->server_gc);
	if (target->uptime_ns) {
		info->uptime_ns = nt_u64_of(target->uptime_ns);
		proc->target_time = time;
	}
}

/* Of an idle program there is nothing to compare a cost with. */
static struct nt_f64 share(struct nt_f64 cost_pct, struct nt_f64 usage_pct)
{
	const double least_pct = 0.5;
	if (!cost_pct.known || !usage_pct.known || usage_pct.v < least_pct)
		return (struct nt_f64){ 0 };
	return nt_f64_of(100 * cost_pct.v / usage_pct.v);
}

static void fill_target(const struct nt_proc *proc, const struct nt_span *span, struct nt_target_info *out)
{
	*out = proc->target;
	nt_time now = out->ended && out->ended_at < span->t1 ? out->ended_at : span->t1;
	if (out->uptime_ns.known && now > proc->target_time)
		out->uptime_ns.v += now - proc->target_time;
	const struct nt_cpu_reading *newest = &proc->cpu.newest;
	if (newest->known)
		out->cpu_ns = nt_u64_of(newest->user_ns + newest->kernel_ns);
}

static nt_time without(nt_time covered_ns, nt_time gaps_ns)
{
	return covered_ns > gaps_ns ? covered_ns - gaps_ns : 0;
}

static void fill_memory(const struct nt_ev_proc *reading, struct nt_memory_figures *out)
{
	out->rss_bytes = nt_u64_of(reading->rss_bytes);
	if (!reading->split_known)
		return;
	out->anon_bytes = nt_u64_of(reading->anon_bytes);
	out->file_bytes = nt_u64_of(reading->file_bytes);
	out->shared_bytes = nt_u64_of(reading->shared_bytes);
	out->swap_bytes = nt_u64_of(reading->swap_bytes);
}

static void fill_threads(const struct nt_proc *proc, struct nt_u64 covered_ns, struct nt_figures *out)
{
	out->threads.covered_ns = out->memory.covered_ns = covered_ns;
	out->threads.count = nt_u64_of(proc->newest.thread_count);
	out->threads.running_count = nt_u64_of(proc->newest.running_count);
	fill_memory(&proc->newest, &out->memory);
}

void nt_proc_close(struct nt_proc *proc, const struct nt_span *span, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	nt_cpu_rate_close(&proc->cpu, span);
	nt_cpu_rate_close(&proc->waited, span);
	nt_cpu_rate_close(&proc->self, span);
	nt_cpu_rate_close(&proc->daemons, span);
	nt_cpu_rate_close(&proc->cost, span);
	fill_target(proc, span, &process->target);

	struct nt_cpu_figures *cpu = &process->interval.cpu;
	cpu->user_pct = proc->cpu.user_pct;
	cpu->kernel_pct = proc->cpu.kernel_pct;
	cpu->usage_pct = sum(cpu->user_pct, cpu->kernel_pct);
	cpu->time_ns = proc->cpu.used_ns;
	cpu->waited_ns = proc->waited.used_ns;
	cpu->covered_ns = proc->cpu.covered_ns;
	cpu->gap_time_ns = proc->cpu.gap_used_ns;
	cpu->gap_ns = proc->cpu.gap_ns;
	cpu = &process->total.cpu;
	cpu->waited_ns = time_between(&proc->waited.first, &proc->waited.newest);
	cpu->time_ns = time_between(&proc->cpu.first, &proc->cpu.newest);
	cpu->gap_time_ns = (struct nt_u64){ .known = cpu->time_ns.known, .v = proc->cpu.gaps_used_ns };
	cpu->gap_ns = (struct nt_u64){ .known = cpu->time_ns.known, .v = proc->cpu.gaps_ns };
	nt_time covered_ns = proc->cpu.newest.time - proc->cpu.first.time, most_ns = span->t1 - span->start;
	cpu->covered_ns = (struct nt_u64){ .known = cpu->time_ns.known, .v = covered_ns < most_ns ? covered_ns : most_ns };
	percentages(&proc->cpu.first, &proc->cpu.newest, &cpu->user_pct, &cpu->kernel_pct);
	cpu->usage_pct = sum(cpu->user_pct, cpu->kernel_pct);
	if (proc->known && proc->cpu.seen_ns.known)
		fill_threads(proc, proc->cpu.seen_ns, &process->interval);
	if (proc->known)
		fill_threads(proc, nt_u64_of(without(cpu->covered_ns.v, proc->cpu.gaps_ns)), &process->total);
	snapshot->self_pct = proc->self.user_pct;
	snapshot->daemons_pct = proc->daemons.user_pct;
	snapshot->self_total_pct = total_of(&proc->self);
	snapshot->daemons_total_pct = total_of(&proc->daemons);
	snapshot->target_cost_pct = share(proc->cost.user_pct, process->interval.cpu.usage_pct);
	snapshot->target_cost_total_pct = share(total_of(&proc->cost), process->total.cpu.usage_pct);
	if (proc->self.newest.known)
		snapshot->self_rss_bytes = nt_u64_of(proc->self_rss_bytes);
}

void nt_proc_each_text(const struct nt_proc *proc, nt_text_visit *visit, void *context)
{
	const struct nt_target_info *target = &proc->target;
	const struct nt_left_out *left_out = &proc->left_out;
	const char *const texts[] = { target->name,          target->runtime,     target->command,   target->end_text,
				      target->end.exception, target->end.message, target->end.stack, target->end.reason };
	const struct nt_why whys[] = { left_out->jit, left_out->locks, left_out->pool, left_out->allocations };
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		visit(texts[i], context);
	for (size_t i = 0; i < sizeof(whys) / sizeof(*whys); i++) {
		visit(whys[i].reason, context);
		visit(whys[i].fix, context);
	}
}
