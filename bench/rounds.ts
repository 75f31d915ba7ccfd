/** What was measured once: a number for each figure, by the figure's key. */
export type Sample = Readonly<Record<string, number>>;

/** A sample of each contestant, by name, taken one right after the other. */
export type Round = Readonly<Record<string, Sample>>;

/**
 * Measures the contestants in turn, again and again, so that what else happens on the machine meets all of them. Each
 * round begins with the next one: none always comes after the same other.
 *
 * @param measure gives what one contestant shows now
 * @param report gets the number of rounds that are over
 */
export async function interleave<Contestant extends { readonly name: string }>(
  contestants: readonly Contestant[],
  count: number,
  measure: (contestant: Contestant) => Promise<Sample>,
  report: (done: number) => void = () => undefined,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 0; number < count; number++) {
    const first = number % contestants.length;
    const round: Record<string, Sample> = {};
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      round[contestant.name] = await measure(contestant);
    }
    rounds.push(round);
    report(rounds.length);
  }
  return rounds;
}
