export interface SampleEntry {
  readonly section: string;
  readonly title: string;
  /** Reading time, in seconds. */
  readonly seconds: number;
}

/** An issue as it might read. Its figures are invented and say so; the reading times add up to the five minutes of the promise. */
export const sampleIssue = {
  label: 'Sample issue. Its figures are made up.',
  date: { machine: '2025-05-20', words: 'Tuesday, May 20, 2025' },
  columns: { section: 'Section', particulars: 'Particulars', time: 'Time' },
  entries: [
    { section: 'Markets', title: 'Stocks edge up as bond yields ease', seconds: 100 },
    { section: 'Saving', title: 'Where a one-year certificate still beats inflation', seconds: 70 },
    { section: 'Retiring', title: 'What claiming Social Security a year later changes', seconds: 80 },
    { section: 'News', title: 'Three rules on card fees that change in June', seconds: 50 },
  ],
  total: 'Time to read it all',
  chart: {
    caption: 'Ten-year yield, 30 days',
    description: 'Line chart: the yield climbs from 4.2 to 4.6 percent in three weeks and falls back to 4.4 percent.',
    latest: '4.41%',
    high: '4.6',
    low: '4.2',
    /** One value a trading day, in percent. */
    values: [
      4.21, 4.24, 4.22, 4.27, 4.31, 4.29, 4.34, 4.38, 4.36, 4.42, 4.47, 4.45, 4.51, 4.55, 4.53, 4.59, 4.6, 4.56, 4.57,
      4.51, 4.53, 4.47, 4.49, 4.44, 4.46, 4.41,
    ],
  },
} as const satisfies { readonly entries: readonly SampleEntry[]; readonly [part: string]: unknown };

/** Reading time as a ledger writes it: minutes and two digits of seconds. */
export function readingTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
