import { site } from '@daybook/contract/site';
import styles from './guide-cover.module.css';
import { guideFacts } from './guide-facts.ts';

const horizon = 608;
const left = 116;

/** The guide's cover, drawn with the dimensions of the PDF's: a US letter sheet in points. */
export function GuideCover() {
  const { title, subtitle, topics } = guideFacts;
  const perColumn = Math.ceil(topics.length / 2);
  const titleLines = breakLines(title, 14);
  const lines = [0, 1, 2, 3, 4].map((row) => `M0 ${horizon + 34 + row * 30}H612`).join('');
  return (
    <svg
      className={styles.cover}
      viewBox="0 0 612 792"
      width="612"
      height="792"
      role="img"
      aria-label={`Cover of ${title}`}
    >
      <path className={styles.boards} d="M0 0h612v792H0z" />
      <path className={styles.day} d={`M328 ${horizon}a118 118 0 0 1 236 0z`} />
      <path className={styles.rule} d={lines} />
      <path className={styles.margin} d={`M0 ${horizon}H612M0 ${horizon + 2.5}H612M94 0V792M97 0V792`} />
      <path className={styles.mark} d={`M${left} 71h2.4v24h-2.4zM${left + 5} 71h2.4v24h-2.4z`} />
      <path className={styles.day} d={`M${left + 10} 71a12 12 0 0 1 0 24z`} />
      <text className={styles.brand} x={left + 40} y="92">
        {site.sisterBrand}
      </text>
      {titleLines.map((line, index) => (
        <text key={line} className={styles.title} x={left - 2} y={218 + index * 66}>
          {line}
        </text>
      ))}
      {breakLines(subtitle, 31).map((line, index) => (
        <text key={line} className={styles.subtitle} x={left} y={222 + titleLines.length * 66 + index * 29}>
          {line}
        </text>
      ))}
      {topics.map((topic, index) => (
        <text
          key={topic}
          className={styles.topic}
          x={index < perColumn ? left : 330}
          y={horizon + 24 + (index % perColumn) * 30}
        >
          {topic}
        </text>
      ))}
    </svg>
  );
}

function breakLines(text: string, letters: number): readonly string[] {
  const line = new RegExp(String.raw`.{1,${letters}}(?:\s|$)`, 'g');
  return text.match(line)?.map((found) => found.trim()) ?? [text];
}
