/**
 * The value below which a share of the values lies, between two of them where it falls between.
 *
 * @param share from 0 to 1; 0.5 is the median
 * @throws RangeError where there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError('There are no values to take a quantile of.');
  return below + (above - below) * (place - Math.floor(place));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The straight line that lies nearest to points, by least squares: how much y grows with each x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const square = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return square === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / square;
}
