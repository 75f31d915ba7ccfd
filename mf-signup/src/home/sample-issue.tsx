import { site } from '@daybook/contract';
import styles from './sample-issue.module.css';

interface SampleEntry {
  readonly section: string;
  readonly title: string;
  /** Reading time, in seconds. */
  readonly seconds: number;
}

/** An issue as it might read. Its figures are invented and say so; the reading times add up to the five minutes of the promise. */
const sampleIssue = {
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
function readingTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const totalSeconds = sampleIssue.entries.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * The product itself as the picture of the page: one morning's issue, kept like a ledger, with the reading
 * times added up over a double rule.
 */
export function SampleIssue() {
  const { label, date, columns, entries, total } = sampleIssue;
  return (
    <figure className={styles.figure}>
      <div className={styles.sheet}>
        <p className={styles.masthead}>
          <span className={styles.title}>{site.name}</span> <time dateTime={date.machine}>{date.words}</time>
        </p>
        <table className={styles.ledger}>
          <thead>
            <tr>
              <th scope="col">{columns.section}</th>
              <th scope="col">{columns.particulars}</th>
              <th scope="col">{columns.time}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ section, title, seconds }, index) => (
              <tr key={section}>
                <th scope="row">{section}</th>
                <td className={styles.particulars}>
                  {title}
                  {index === 0 && <YieldChart />}
                </td>
                <td className={styles.time}>{readingTime(seconds)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <th scope="row">{total}</th>
              <td className={styles.total}>{readingTime(totalSeconds)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <figcaption className={styles.label}>{label}</figcaption>
    </figure>
  );
}

const width = 320;
const height = 84;
const plot = { left: 30, right: 268, top: 10, bottom: 74 } as const;
const range = { low: 4.2, high: 4.6 } as const;

function x(index: number, count: number): number {
  return plot.left + ((plot.right - plot.left) * index) / (count - 1);
}

function y(value: number): number {
  return plot.bottom - ((plot.bottom - plot.top) * (value - range.low)) / (range.high - range.low);
}

/** The one chart of the sample issue: two ruled lines, one curve, and the latest value. */
function YieldChart() {
  const { caption, description, values, latest, high, low } = sampleIssue.chart;
  const points = values.map((value, index) => `${x(index, values.length).toFixed(1)},${y(value).toFixed(1)}`);
  const end = { x: x(values.length - 1, values.length), y: y(values[values.length - 1] ?? range.low) };
  return (
    <figure className={styles.chartFigure}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={description}>
        <path
          className={styles.chartRule}
          d={`M${plot.left} ${plot.top}H${plot.right}M${plot.left} ${(plot.top + plot.bottom) / 2}H${plot.right}`}
        />
        <path className={styles.axis} d={`M${plot.left} ${plot.bottom}H${plot.right}`} />
        <text className={styles.scale} x={plot.left - 6} y={plot.top + 4} textAnchor="end">
          {high}
        </text>
        <text className={styles.scale} x={plot.left - 6} y={plot.bottom + 4} textAnchor="end">
          {low}
        </text>
        <polyline className={styles.line} points={points.join(' ')} />
        <circle className={styles.dot} cx={end.x} cy={end.y} r="3.5" />
        <text className={styles.latest} x={end.x + 9} y={end.y + 4.5}>
          {latest}
        </text>
      </svg>
    </figure>
  );
}
