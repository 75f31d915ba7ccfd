const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** How long ago a moment was, in words: `3 minutes ago`. Both in ms since the epoch. */
export function ageOf(moment: number, now: number): string {
  const age = now - moment;
  const [unit, length] = units.find(([, each]) => age >= each) ?? [];
  if (!unit || !length) return 'just now';
  const count = Math.floor(age / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
