import { sampleIssue } from './sample-issue-copy.ts';
import styles from './yield-chart.module.css';

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
export function YieldChart() {
  const { caption, description, values, latest, high, low } = sampleIssue.chart;
  const points = values.map((value, index) => `${x(index, values.length).toFixed(1)},${y(value).toFixed(1)}`);
  const end = { x: x(values.length - 1, values.length), y: y(values[values.length - 1] ?? range.low) };
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={description}>
        <path
          className={styles.rule}
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
