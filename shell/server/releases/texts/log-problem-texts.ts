import type { LogProblem } from '../log/log-problems.ts';

/** So many are told at once: one line that is lost makes all later ones of its remote void. */
const shown = 10;

/** The first problems of the log, and how many more there are; the same on the command line and on the page. */
export function logProblemTexts(problems: readonly LogProblem[]): readonly string[] {
  const more = problems.length - shown;
  if (more <= 0) return problems;
  return [...problems.slice(0, shown), `The release log has ${more} more such ${more === 1 ? 'line' : 'lines'}.`];
}
