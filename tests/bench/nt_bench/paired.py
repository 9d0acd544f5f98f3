# SPDX-License-Identifier: GPL-2.0-only
"""What paired measurements say, without knowing how they scatter."""
import dataclasses
import itertools
import math

CONFIDENCE = 0.95
LEAST = 6  # figures of which anything can be said with this confidence


@dataclasses.dataclass(frozen=True)
class Estimate:
    """With the interval in which the true value lies in 95 % of all cases; it has no bounds when there are too few figures."""
    value: float
    low: float
    high: float
    count: int

    @property
    def interval(self):
        """None when there is none."""
        return (self.low, self.high) if self.count >= LEAST else None

    def is_within(self, limit):
        """None: not decided."""
        return True if self.high <= limit else False if self.low > limit else None

    def text(self, unit="%"):
        return f"{self.value:+.1f} {unit}" + (f" ({self.low:+.1f} to {self.high:+.1f})" if self.interval else "")


def _cut(count):
    """How many of the least and of the largest means of two lie outside of the interval: Wilcoxon's signed rank, exactly."""
    ways = [1]  # how many sets of ranks have this sum
    for rank in range(1, count + 1):
        ways = [(ways[total] if total < len(ways) else 0) + (ways[total - rank] if total >= rank else 0) for total in range(len(ways) + rank)]
    tail, allowed = 0, (1 - CONFIDENCE) / 2 * 2 ** count
    for rank_sum, number in enumerate(ways):
        tail += number
        if tail > allowed:
            return max(rank_sum - 1, 0)
    return 0


def estimate(values):
    """Of figures that scatter about the same value, to both sides alike: the median of the means of any two of them (Hodges and Lehmann)."""
    means = sorted((x + y) / 2 for x, y in itertools.combinations_with_replacement(values, 2))
    middle = (means[(len(means) - 1) // 2] + means[len(means) // 2]) / 2
    if len(values) < LEAST:
        return Estimate(middle, -math.inf, math.inf, len(values))
    cut = _cut(len(values))
    return Estimate(middle, means[cut], means[-1 - cut], len(values))


def pooled(first, second):
    """One interval of those that two runs give of the same value, and the weights of the two: by how narrow they are (inverse variance)."""
    halves = [(high - low) / 2 for low, high in (first, second)]
    total = sum(half ** -2 for half in halves)
    weights = [half ** -2 / total for half in halves]
    middle = sum(weight * (low + high) / 2 for weight, (low, high) in zip(weights, (first, second)))
    return (middle - total ** -0.5, middle + total ** -0.5), weights


def slope(pairs):
    """Of a line through the origin: by how much y changes with x. None of it may be made up, so at most 0 to 1.5, and 0 of fewer than five."""
    over = sum(x * y for x, y in pairs)
    under = sum(x * x for x, _ in pairs)
    return min(max(over / under, 0.0), 1.5) if len(pairs) >= 5 and under else 0.0


def middle(pairs):
    """Of pairs (ours, theirs) that were measured side by side, the one with the median ratio. Of each by itself the least would be of two moments, and the machine is not as fast in both."""
    return sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
