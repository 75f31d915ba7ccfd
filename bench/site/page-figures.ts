import type { Figure } from '../comparison.ts';
import type { Round, Sample } from '../rounds.ts';
import type { PageFigures } from './probe.ts';
import { variantNames } from './variants/variant.ts';

/** What is measured of a page, with the baseline of each. */
export const pageFigures: readonly Figure[] = [
  { key: 'firstPaint', title: 'first contentful paint in ms', digits: 0 },
  { key: 'largestPaint', title: 'largest contentful paint in ms', digits: 0, aim: { atMost: 1.05 } },
  {
    key: 'hydrated',
    title: 'hydrated in ms',
    digits: 0,
    aim: { atMost: 1 },
    baseline: variantNames.singleBundle,
  },
  { key: 'blocking', title: 'blocking in ms', digits: 0 },
  { key: 'layoutShift', title: 'layout shift', digits: 3 },
  { key: 'kilobytes', title: 'kB', digits: 1 },
  { key: 'scriptKilobytes', title: 'kB of script', digits: 1, baseline: variantNames.singleBundle },
  { key: 'requests', title: 'requests', digits: 0 },
];

/** A page's figures as a sample. */
export function pageSample({ bytes, scriptBytes, ...figures }: PageFigures): Sample {
  return { ...figures, kilobytes: bytes / 1000, scriptKilobytes: scriptBytes / 1000 };
}

/** The two loads of a round: a first visit, and one with what that has left in the cache. */
const visits = ['cold', 'warm'] as const;
export type Visit = (typeof visits)[number];

/** Puts samples of both visits into one. */
export const bothVisits = (samples: Readonly<Record<Visit, Sample>>): Sample =>
  Object.fromEntries(
    visits.flatMap((visit) => Object.entries(samples[visit]).map(([key, value]) => [`${visit}.${key}`, value])),
  );

/** The rounds as one of the visits saw them. */
export const roundsOf = (rounds: readonly Round[], visit: Visit): readonly Round[] =>
  rounds.map((round) =>
    Object.fromEntries(
      Object.entries(round).map(([contestant, sample]) => [
        contestant,
        Object.fromEntries(
          Object.entries(sample)
            .filter(([key]) => key.startsWith(`${visit}.`))
            .map(([key, value]) => [key.slice(visit.length + 1), value]),
        ),
      ]),
    ),
  );
