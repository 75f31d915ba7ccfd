import styles from './steps.module.css';

export interface TitledText {
  readonly title: string;
  readonly text: string;
}

export function Steps({ steps }: { readonly steps: readonly TitledText[] }) {
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
