/** The figures of one contestant in one round, by key. */
export type Sample = Readonly<Record<string, number | undefined>>;

/** A sample of each contestant by name, taken in direct succession. */
export type Round = Readonly<Record<string, Sample>>;

export interface Figure {
  readonly key: string;
  readonly title: string;
  readonly digits: number;
  /** Overrides the comparison's baseline. */
  readonly baseline?: string;
}

/** Contestants side by side, in one or several cases such as routes or numbers of connections. */
export interface Comparison {
  readonly title: string;
  readonly contestants: readonly string[];
  /** The contestant that ratios refer to. */
  readonly baseline?: string;
  readonly figures: readonly Figure[];
  readonly cases: Readonly<Record<string, readonly Round[]>>;
}

export const mediansOf = (rounds: number) => (rounds === 1 ? 'one round' : `medians of ${rounds} rounds`);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2;
}

/** Returns a figure's median over the rounds, and the median of its ratios to the baseline within each round. */
export function summarize(
  rounds: readonly Round[],
  contestant: string,
  { key, baseline = '' }: Pick<Figure, 'key' | 'baseline'>,
) {
  const values = rounds.flatMap((round) => round[contestant]?.[key] ?? []);
  const ratios = rounds.flatMap((round) => {
    const [value, divisor] = [round[contestant]?.[key], round[baseline]?.[key]];
    return value === undefined || !divisor ? [] : value / divisor;
  });
  if (values.length === 0) return undefined;
  if (ratios.length === 0 || contestant === baseline) return { value: median(values) };
  return { value: median(values), ratio: median(ratios) };
}

/** Measures the contestants in turn, each round in another order: other load on the machine affects all of them. */
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

/** Measures each case with its contestants. */
export async function measureCases<Contestant extends { readonly name: string }>(
  cases: Readonly<Record<string, readonly Contestant[]>>,
  { rounds, report }: { readonly rounds: number; readonly report: (line: string) => void },
  measure: (contestant: Contestant, name: string) => Promise<Sample>,
): Promise<Comparison['cases']> {
  const measured: Record<string, readonly Round[]> = {};
  for (const [name, contestants] of Object.entries(cases)) {
    const reportCase = (line: string) => report(`${name}: ${line}`);
    measured[name] = await interleave(contestants, rounds, (each) => measure(each, name), reportCase);
  }
  return measured;
}
