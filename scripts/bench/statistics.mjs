// Medians, paired ratios and the straight line through a few points: all the arithmetic of the bench.

/** The middle value; the mean of the two middle ones of an even number; `undefined` of none. */
export function median(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median of a[i] / b[i]. Both were measured in turn in round i, so that what slowed the machine in that round slowed both: the median
 * of the ratios holds where the ratio of the medians does not. `undefined` when no round has both.
 */
export function pairedRatio(a, b) {
  const rounds = Math.min(a.length, b.length);
  return median(Array.from({ length: rounds }, (_, round) => a[round] / b[round]));
}

/**
 * The straight line y = intercept + slope * x nearest to the points (least squares), and how far the farthest point lies from it as a
 * share of what the line says there. `undefined` for fewer than two different x.
 */
export function linearFit(points) {
  const count = points.length;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (count < 2 || spread === 0) return undefined;
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const intercept = meanY - slope * meanX;
  const farthest = Math.max(...points.map(({ x, y }) => Math.abs(y / (intercept + slope * x) - 1)));
  return { slope, intercept, farthest };
}

/**
 * How y grows with x at the far end: 1 is in proportion, 2 is by the square, below 1 has a fixed part in it. From the last two points;
 * `undefined` when there are fewer or the values have no logarithm.
 */
export function lastExponent(points) {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return undefined;
  const exponent = Math.log(last.y / before.y) / Math.log(last.x / before.x);
  return Number.isFinite(exponent) ? exponent : undefined;
}
