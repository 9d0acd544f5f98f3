# SPDX-License-Identifier: GPL-2.0-only
"""
Fifteen things that go wrong in production, as a table: how each begins in the shop (tests/live/shop), what nettop's first screen at 80x24 must say of it, and what the screen must name that
one key opens. The texts are those of doc/INCIDENTS.md.
"""
import contextlib
import dataclasses
import typing

from nt_live import HOG_NAME, Shop, cpu_quota, hogs_beside, memory_group

QUOTA_PCT, HOGS = 5, 6
CONTAINER_BYTES = 160 << 20
# No adaption of the number of heaps, as before .NET 9.
SERVER_GC = {"gcServer": "1", "GCDynamicAdaptationMode": "0"}
GROWTH_S = 420  # two minutes are judged of a process that is older than a minute


@contextlib.contextmanager
def in_a_small_container(env):
    """Its memory is limited before the shop is in it."""
    with memory_group() as group:
        group.limit(CONTAINER_BYTES)
        with Shop(env, under=group.under, dotnet=SERVER_GC) as shop:
            yield shop


def nothing(_pid):
    return contextlib.nullcontext()


@dataclasses.dataclass(frozen=True)
class Incident:
    name: str
    happened: str
    first: str  # patterns: what the first screen must say,
    key: str  # the key from there, "" where that says all,
    there: str  # and what its screen must name
    todo: str
    wrong: str | None = None  # the mistake of the shop's
    world: tuple[str, ...] = ()  # what is said to the world besides
    around: typing.Callable = nothing  # what happens to the process from outside: pid -> context
    shop: typing.Callable = Shop
    warm: int = 200  # requests that are answered before nettop comes, 36 a second
    within_s: float = 60
    lives: bool = True  # nettop may come later
    note: str = ""  # what is worth saying of the screens
    gap: str = ""  # what nettop does not name today, or only sometimes


INCIDENTS = [
    Incident(
        "sync_over_async", "A checkout waits for its payment with `.Result`. The provider takes two seconds on a day on which many buy: each request keeps a worker for that long, and the pool adds them one by one.",
        r"Pool starvation", "8", r"Checkout\.(?:Pay|Handle)\b",
        "Await in place of `.Result` and `.Wait()`, all the way up. Until then a higher `ThreadPool.SetMinThreads` shortens the queue.",
        wrong="sync-over-async", world=("rate checkout 30", "payment 2000"),
        note="The finding's own key, `4`, has the task that each worker waits for, `Task<bool>.GetResultCore`; at 80 columns there is no room for who calls it. `8` has `Checkout.Pay`."),
    Incident(
        "deadlock", "A checkout holds the ledger and wants the shelf; a delivery holds the shelf and wants the ledger. Every request that touches the stock waits behind them, for ever.",
        r"Deadlock: \d+ threads", "7", r"Shop\.Stock\.(?:Deliver|WriteDown|Book|Leave)\b",
        "Restart; then take the locks in one order everywhere, or hold one at a time.", wrong="deadlock", world=("rate checkout 10",),
        note="The finding's own key, `4`, says who waits for whom; at 80 columns the methods are cut to `Shop.St`. `7` has them whole."),
    Incident(
        "exception_flood", "The old price of most products is none. `decimal.Parse` throws for each of them, twenty for a page.",
        r"Exception flood: .*FormatException", "6", r"FormatException +\S*Catalogue\.OldPrice",
        "`TryParse`. An exception costs some 10 to 20 us and a walk of the stack.", wrong="exception-flood"),
    Incident(
        "lock_convoy", "Reserving a piece writes to a slow disk within the lock of the shelf. At forty carts a second there is always somebody who waits for it.",
        r"Lock convoy|Stock\.Reserve", "7", r"Stock\.Reserve\b|Carts\.Add\b", "Write outside of the lock; or have one thread that writes, and a queue.",
        wrong="lock-convoy", world=("rate cart 40",), note="`Stock.Reserve` was inlined into `Carts.Add` by the compiler: that is the frame which waits."),
    Incident(
        "loh_churn", "The cache of thumbnails was lost in a deployment: a photograph of 12 MB is decoded for each picture. Arrays of that size lie on the large object heap, which only collections of all generations clean.",
        r"LOH churn: ", "5", r"byte\[\].*Pictures\.D", "Rent the array (`ArrayPool`), or keep what was made of it.", wrong="loh-churn", world=("rate picture 20",)),
    Incident(
        "static_leak", "What customers have looked at is kept in a static list, and nobody takes it out any more.",
        r"Heap growth", "5", r"Shop\.SeenOffer", "Bound what is kept: by number, by age, or with a cache that does it.", wrong="static-leak", world=("rate page 100",), within_s=GROWTH_S),
    Incident(
        "catastrophic_regex", "`^(\\w+\\s?)+$` on what a customer typed: sixty letters and an exclamation mark can be cut into words in 2^59 ways, and all are tried.",
        r"(?m)Spinning thread: .*Regex|^. +[1-9]\d\.\d .*RegexInterpreter", "y", r"Search\.(?:IsValid|Find)\b", "A pattern without nested quantifiers, `RegexOptions.NonBacktracking`, or at least a timeout.",
        wrong="catastrophic-regex", world=("send odd-search",), within_s=40),
    Incident(
        "compile_per_request", "The rules of prices are expression trees, and are compiled for each price that is shown, not once.",
        r"JIT storm", "y", r"PriceRules\.Compile\b", "Compile once and keep the delegate.", wrong="compile-per-request", world=("rate page 20",), warm=1200,
        note="The finding's own key, `3`, has what is compiled: `lambda_method`, again and again. `y` has who does it."),
    Incident(
        "heavy_serialization", "A report with all orders of a year, 10 MB of JSON, for each who opens it.",
        r"(?m)^. +[\d.]+ +>?[3-9]\d\.\d .*(?:S\.Text\.Json|SalesReport)|Allocation burst|GC storm", "y", r"SalesReport\.Export", "Stream it, in pages, or make it once; `JsonSerializer.SerializeAsync` to the response in place of a string.",
        wrong="heavy-serialization", world=("rate report 5",)),
    Incident(
        "slow_downstream", "The payment provider takes three seconds. The shop awaits it as it should: no thread waits and no CPU is used.",
        r"127\.0\.0\.1:\d+|[Rr]equests? .*slow|/checkout", "R", r"made +POST +\S* +127\.0\.0\.1:\d+", "Timeouts and a circuit breaker for the provider; the peer is in the row that was `made`.",
        world=("payment 3000", "rate checkout 10")),
    Incident(
        "connection_per_request", "An `HttpClient` for each payment, which nobody disposes: a connection each, which stays open for minutes.",
        r"A connection per request", "R", r"made +POST +\S* +127\.0\.0\.1:\d+", "One `HttpClient`, or `IHttpClientFactory`.", wrong="connection-per-request", world=("rate checkout 15",)),
    Incident(
        "cpu_quota", f"The container has {QUOTA_PCT} % of a CPU, and uses it up in the first fifth of each period; then all threads stand still until the next.",
        r"Waits for a CPU.*quota", "", "", "A higher quota, or less to do. The pauses and compilations that are long meanwhile are not the cause.", around=lambda pid: cpu_quota(pid, QUOTA_PCT)),
    Incident(
        "noisy_neighbour", f"{HOGS} processes that only compute share a CPU with the shop.",
        rf"Waits for a CPU.*{HOG_NAME[:8]}", "", "", "Move one of them, or give the shop a share of its own (cgroup `cpu.weight`, `cpuset`).", around=lambda pid: hogs_beside(pid, HOGS)),
    Incident(
        "finalizer_backlog", "Print jobs are not disposed any more. Their finalizer asks the printer and takes 200 ms, so the one finalizer thread falls behind, and what waits for it is kept.",
        r"Finalizers held up", "8", r"Shop\.PrintJob\.Finalize\b", "Dispose; finalizers that do nothing but free a handle.", wrong="finalizer-backlog", world=("rate checkout 20",)),
    Incident(
        "server_gc_in_a_small_container", f"Server GC in a container of {CONTAINER_BYTES >> 20} MB: a heap for each CPU, and collections late, as on a machine with much memory. The reports of a year are made in it, too.",
        r"Memory limit|GC storm|Long GC pause", "2", r"(?m)^. *gen2 ", "`DOTNET_gcServer=0` or `DOTNET_GCConserveMemory`; or a larger limit.", shop=in_a_small_container, wrong="heavy-serialization", world=("rate report 3",)),
    Incident(
        "crash", "A customer without an address: an exception in the callback of a timer, which nobody catches.",
        r"Unhandled System\.InvalidOperationException: the order \d+ has no address", "", "", "Catch what a callback throws, and log it.", wrong="crash", lives=False),
]
