import { site } from '@daybook/contract/site';
import styles from './sample-issue.module.css';

/** Its reading times add up to the promised five minutes. */
const sampleIssue = {
  label: 'Sample issue. The figures are made up.',
  date: 'A Tuesday in May',
  columns: { section: 'Section', particulars: 'Story', time: 'Time' },
  entries: [
    { section: 'Markets', title: 'Stocks edge up as bond yields ease', time: '1:40' },
    { section: 'Saving', title: 'Where a one-year CD still beats inflation', time: '1:10' },
    { section: 'Retiring', title: 'What changes if you claim Social Security a year later', time: '1:20' },
    { section: 'News', title: 'Three rules on card fees that change in June', time: '0:50' },
  ],
  total: { label: 'Time to read it all', time: '5:00' },
  chart: {
    caption: 'Ten-year yield, 30 days',
    description: 'Line chart: the yield climbs from 4.2 to 4.6 percent in three weeks, then falls back to 4.4 percent.',
    latest: '4.41%',
    high: '4.6',
    low: '4.2',
  },
} as const;

export function SampleIssue() {
  const { label, date, columns, entries, total } = sampleIssue;
  return (
    <figure className={styles.figure}>
      <div className={styles.sheet}>
        <p className={styles.masthead}>
          <span className={styles.title} translate="no">
            {site.name}
          </span>{' '}
          <span>{date}</span>
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
            {entries.map(({ section, title, time }, index) => (
              <tr key={section}>
                <th scope="row">{section}</th>
                <td className={styles.particulars}>
                  {title}
                  {index === 0 && <YieldChart />}
                </td>
                <td className={styles.time}>{time}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <th scope="row">{total.label}</th>
              <td className={styles.total}>{total.time}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <figcaption className={styles.label}>{label}</figcaption>
    </figure>
  );
}

function YieldChart() {
  const { caption, description, latest, high, low } = sampleIssue.chart;
  return (
    <figure className={styles.chartFigure}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      <svg className={styles.chart} viewBox="0 0 320 84" role="img" aria-label={description}>
        <path className={styles.chartRule} d="M30 10H268M30 42H268" />
        <path className={styles.axis} d="M30 74H268" />
        <text className={styles.scale} x="24" y="14" textAnchor="end">
          {high}
        </text>
        <text className={styles.scale} x="24" y="78" textAnchor="end">
          {low}
        </text>
        <path
          className={styles.line}
          d="M30 72l10-4 9 3 10-8 9-7 10 4 9-8 10-7 9 3 10-9 9-8 10 3 9-10 10-6 9 3 10-9 9-2 10 6 9-1 10 9 9-3 10 10 9-3 10 8 9-4 10 8"
        />
        <circle className={styles.dot} cx="268" cy="40.4" r="3.5" />
        <text className={styles.latest} x="277" y="44.9">
          {latest}
        </text>
      </svg>
    </figure>
  );
}
