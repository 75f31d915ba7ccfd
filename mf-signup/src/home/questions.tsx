import { Container } from '@daybook/ui';
import styles from './questions.module.css';

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

const questions = [
  {
    question: 'What is the Daybook newsletter?',
    answer: [
      'One email a day with market trends, saving strategies, investment insights, retirement planning and the financial news that affects your household. Our editors write it, and it takes about five minutes to read.',
      'The name comes from bookkeeping: a daybook is the first journal, where each day’s business gets written down before anyone makes anything of it.',
    ],
  },
  {
    question: 'Is it really free?',
    answer: [
      'Yes. There’s no trial, no credit card and no paid edition. Sponsors pay for it: after you subscribe, we show you four of their bonus offers, which you can skip, and anything sponsored in an issue is labeled.',
    ],
  },
  {
    question: 'Do I need to know about finance?',
    answer: [
      'No. If you can read a bank statement, you can read Daybook. When we need a technical term, we explain it. When we don’t, we leave it out.',
    ],
  },
  {
    question: 'How much money can I make?',
    answer: [
      'We can’t tell you, and you should be wary of anyone who does. What you save or earn depends on your situation, on what you decide, and on markets that fall as well as rise. You can lose money you invest.',
      'Daybook is information, not personal advice, and we don’t promise any gains. We show you the numbers, what could go wrong, and where to read more. The decision is yours.',
    ],
  },
];
