import type { Round } from './rounds.ts';
import { median } from './statistics.ts';

/** Something that is measured. */
export interface Figure {
  /** Its name in samples. */
  readonly key: string;
  /** Its name for people, with the unit: `p99 in ms`. */
  readonly title: string;
  /** Decimal places that say something. */
  readonly digits: number;
  /** What the first contestant shall reach, as a ratio to the baseline; is a high or a low ratio good? */
  readonly aim?: { readonly atLeast: number } | { readonly atMost: number };
  /** The contestant that the others are a ratio of, where it is another one than the comparison's. */
  readonly baseline?: string;
}

/** Contestants side by side, under one or several conditions. */
export interface Comparison {
  readonly title: string;
  /** Names; the first is what this is about. */
  readonly contestants: readonly string[];
  /** The contestant that the others are a ratio of. */
  readonly baseline: string;
  readonly figures: readonly Figure[];
  /** Conditions, such as `8 connections`, and what was measured under them. */
  readonly cases: readonly { readonly name: string; readonly rounds: readonly Round[] }[];
}

/** What all rounds of a case say about one figure of one contestant. */
export interface Summary {
  /** Median, in the figure's unit. */
  readonly value: number;
  /** Ratios to the baseline; missing where the baseline was not measured, or is 0. */
  readonly ratios?: Ratios;
}

/** Median of the ratios within each round, and the lowest and highest of them. */
export interface Ratios {
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

function ratiosOf(values: readonly number[], baselines: readonly (number | undefined)[]): Ratios | undefined {
  const ratios = values.map((value, number) => value / (baselines[number] || Number.NaN));
  if (ratios.some(Number.isNaN)) return undefined;
  return { ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** Summarises a figure; undefined where it could not be measured in every round. */
export function summarise(
  rounds: readonly Round[],
  contestant: string,
  key: string,
  baseline: string,
): Summary | undefined {
  const values = rounds.map((round) => round[contestant]?.[key]).filter((value) => value !== undefined);
  if (values.length === 0 || values.length < rounds.length) return undefined;
  const ratios = ratiosOf(
    values,
    rounds.map((round) => round[baseline]?.[key]),
  );
  return { value: median(values), ...(ratios ? { ratios } : {}) };
}
