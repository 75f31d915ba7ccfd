import { Container } from '@daybook/ui';
import { homeCopy } from '../home-copy.ts';
import { questions } from './question-copy.ts';
import styles from './questions.module.css';

/** The FAQ. Native disclosure: works before and without scripts, and the browser's find opens the answer it finds. */
export function Questions() {
  return (
    <section className={styles.section} aria-labelledby="questions-heading">
      <Container width="wide" className={styles.layout}>
        <h2 id="questions-heading" className={styles.heading}>
          {homeCopy.questions.heading}
        </h2>
        <div className={styles.list}>
          {questions.map(({ id, question, answer }, index) => (
            <details key={id} className={styles.item} open={index === 0}>
              <summary className={styles.summary}>
                <h3 className={styles.question}>{question}</h3>
                <svg className={styles.sign} viewBox="0 0 20 20" aria-hidden="true">
                  <path d="M2 10h16" />
                  <path className={styles.upright} d="M10 2v16" />
                </svg>
              </summary>
              <div className={styles.answer}>
                {answer.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </details>
          ))}
        </div>
      </Container>
    </section>
  );
}
