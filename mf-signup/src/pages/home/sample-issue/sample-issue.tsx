import { site } from '@daybook/contract';
import styles from './sample-issue.module.css';
import { readingTime, sampleIssue } from './sample-issue-copy.ts';
import { YieldChart } from './yield-chart.tsx';

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
