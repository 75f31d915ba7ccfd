import styles from './steps.module.css';

interface StepsProps {
  readonly steps: readonly { readonly title: string; readonly text: string }[];
  /** Position of the number: `above` its step in a row of three, `beside` it in a narrower column. */
  readonly numbers: 'above' | 'beside';
}

/** The first, second and third step, numbered. The page provides the list's heading. */
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
