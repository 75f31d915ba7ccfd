import styles from './steps.module.css';

interface StepsProps {
  readonly steps: readonly { readonly title: string; readonly text: string }[];
}

/** The first, second and third step, numbered. The page provides the list's heading. */
export function Steps({ steps }: StepsProps) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text }) => (
        <li key={title} className={styles.step}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
