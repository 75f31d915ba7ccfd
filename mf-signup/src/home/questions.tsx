import { Container } from '@daybook/ui';
import styles from './questions.module.css';

/** The FAQ. Native disclosure: works without scripts, and the browser's search opens a matching answer. */
export function Questions() {
  return (
    <section className={styles.section} aria-labelledby="questions-heading">
      <Container width="wide" className={styles.layout}>
        <h2 id="questions-heading" className={styles.heading}>
          Questions, answered plainly
        </h2>
        <div className={styles.list}>
          {questions.map(({ question, answer }, index) => (
            <details key={question} className={styles.item} open={index === 0}>
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

/** The four questions of docs/product.md (Home). The last answer is meant literally. */
const questions = [
  {
    question: 'What is the Daybook newsletter?',
    answer: [
      'One email each day with market trends, saving strategies, investment insights, retirement planning and the financial news that matters at home. Our editors write it, and it takes about five minutes to read.',
      'The name is a bookkeeper’s: the daybook is the first journal, where each day’s business is written down before anything is made of it.',
    ],
  },
  {
    question: 'Is it really free?',
    answer: [
      'Yes. There is no trial, no card and no paid edition. Sponsors pay for it: after you subscribe we show you four bonus offers from them, which you can skip, and sponsored lines in an issue are marked.',
    ],
  },
  {
    question: 'Do I need to know about finance?',
    answer: [
      'No. If you can read a bank statement, you can read Daybook. We explain a term where we use it, and leave it out where we don’t need it.',
    ],
  },
  {
    question: 'How much money can I make?',
    answer: [
      'We can’t tell you, and would be wary of anyone who does. What you save or earn depends on your own situation, on what you decide, and on markets that fall as well as rise. Money that you invest can be lost.',
      'Daybook is information, not personal advice, and we promise no gain. We show the figures, what could go wrong, and where to read more. The decision stays yours.',
    ],
  },
];
