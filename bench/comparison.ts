/** The figures of one contestant in one round, by the figure's key; undefined where it has none. */
export type Sample = Readonly<Record<string, number | undefined>>;

/** A sample of each contestant by its name, taken one right after the other. */
export type Round = Readonly<Record<string, Sample>>;

export interface Figure {
  readonly key: string;
  /** Its name in tables, with the unit. */
  readonly title: string;
  /** Decimal places in tables. */
  readonly digits: number;
  /** The contestant that the others are divided by, where it is not the comparison's. */
  readonly baseline?: string;
}

/** Contestants side by side, in one or several cases such as routes or numbers of connections. */
export interface Comparison {
  readonly title: string;
  readonly contestants: readonly string[];
  /** The contestant that the others are divided by. */
  readonly baseline?: string;
  readonly figures: readonly Figure[];
  readonly cases: Readonly<Record<string, readonly Round[]>>;
}

/** Medians over the rounds. */
export interface Summary {
  readonly value: number;
  /** To the baseline within each round; missing for the baseline itself. */
  readonly ratio?: { readonly median: number; readonly lowest: number; readonly highest: number };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2;
}

/** Summarizes a figure of a contestant; undefined where it was not measured. */
export function summarize(
  rounds: readonly Round[],
  contestant: string,
  { key, baseline = '' }: Pick<Figure, 'key' | 'baseline'>,
): Summary | undefined {
  const values = rounds.flatMap((round) => round[contestant]?.[key] ?? []);
  const ratios = rounds.flatMap((round) => {
    const [value, divisor] = [round[contestant]?.[key], round[baseline]?.[key]];
    return value === undefined || !divisor ? [] : value / divisor;
  });
  if (values.length === 0) return undefined;
  if (ratios.length === 0 || contestant === baseline) return { value: median(values) };
  const range = { lowest: Math.min(...ratios), highest: Math.max(...ratios) };
  return { value: median(values), ratio: { median: median(ratios), ...range } };
}

/**
 * Measures the contestants in turn, so that other load on the machine affects all of them. Each round begins with the
 * next one: none always comes after the same other.
 */
export async function interleave<Contestant extends { readonly name: string }>(
  contestants: readonly Contestant[],
  count: number,
  measure: (contestant: Contestant) => Promise<Sample>,
  report: (line: string) => void,
): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  while (rounds.length < count) {
    const first = rounds.length % contestants.length;
    const round: Record<string, Sample> = {};
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)])
      round[contestant.name] = await measure(contestant);
    rounds.push(round);
    report(`round ${rounds.length} of ${count}`);
  }
  return rounds;
}
