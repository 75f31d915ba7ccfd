/** A line that a start printed, and when, in s since its beginning. */
export interface PrintedLine {
  readonly text: string;
  readonly at: number;
}

/** The lines that a start's steps end with, in their order. */
const ends = [
  { step: 'dependencies installed', line: /^Installed in / },
  { step: 'parts built', line: /^Starting the database/ },
  { step: 'database started and migrated', line: /^Starting backend and shell server/ },
  { step: 'backend and shell server started', line: /Daybook runs at / },
] as const;

/** The names of the steps, in their order. */
export const startSteps = ends.map(({ step }) => step);

/** How long each step of a start took, in s, by its name; a step that there was no need for took 0. */
export function timeSteps(lines: readonly PrintedLine[]): ReadonlyMap<string, number> {
  let begun = 0;
  return new Map(
    ends.map(({ step, line }) => {
      const end = lines.find(({ text }) => line.test(text.trim()))?.at ?? begun;
      const seconds = end - begun;
      begun = end;
      return [step, seconds];
    }),
  );
}
