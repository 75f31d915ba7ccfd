import styles from './steps.module.css';

interface StepsProps {
  readonly steps: readonly { readonly title: string; readonly text: string }[];
  /** `above` its step where there are three in a row, `beside` it where the column is narrower. */
  readonly numbers: 'above' | 'beside';
}

/** What happens first, second and third, each with its number. The list's heading is the page's. */
export function Steps({ steps, numbers }: StepsProps) {
  return (
    <ol className={`${styles.steps} ${styles[numbers]}`}>
      {steps.map(({ title, text }) => (
        <li key={title} className={styles.step}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
