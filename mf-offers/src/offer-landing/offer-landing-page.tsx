import { ButtonLink, Container, Introduction, SideBySide } from '@daybook/ui';
import type { ReactNode } from 'react';
import { Sponsored } from '../sponsored.tsx';
import { Steps, type TitledText } from '../steps.tsx';
import drawingStyles from './offer-drawing.module.css';
import styles from './offer-landing-page.module.css';

/** Returns the page of a sponsor's offer (docs/product.md, Sponsor offers). */
export const offerLandingPage =
  ({ figure, ...offer }: OfferLanding) =>
  () => (
    <Container width="wide" className={styles.page}>
      <Introduction
        label={
          <p className={styles.label}>
            <Sponsored />
          </p>
        }
        heading={offer.heading}
        lead={offer.lead}
        picture={
          <div className={styles.sheet}>
            <svg className={drawingStyles.drawing} viewBox="0 0 480 300" width="480" height="300" aria-hidden="true">
              <path className={drawingStyles.rule} d="M0 50.5h480M0 100.5h480M0 150.5h480M0 200.5h480M0 250.5h480" />
              <path className={drawingStyles.margin} d="M60.5 0v300M64.5 0v300" />
              {offer.drawing}
            </svg>
            <p className={styles.figure}>
              {figure.before !== undefined && <span>{figure.before} </span>}
              <strong className={styles.value}>{figure.value}</strong> <span>{figure.after}</span>
            </p>
          </div>
        }
      >
        {offer.disclosure !== undefined && <p className={styles.disclosure}>{offer.disclosure}</p>}
      </Introduction>
      <section aria-labelledby="steps">
        <h2 id="steps" className={styles.sectionHeading}>
          {offer.stepsHeading}
        </h2>
        <Steps steps={offer.steps} />
      </section>
      <SideBySide align="start">
        <section aria-labelledby="questions">
          <h2 id="questions" className={styles.sectionHeading}>
            {landingCopy.questionsHeading}
          </h2>
          <dl className={styles.questions}>
            {offer.questions.map(({ title, text }) => (
              <div key={title} className={styles.question}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
        {offer.action}
      </SideBySide>
      <p>
        <ButtonLink href="/thank-you" variant="secondary">
          {landingCopy.back}
        </ButtonLink>
      </p>
    </Container>
  );

interface OfferLanding {
  /** Lines on a ledger's page, 480 by 300. */
  readonly drawing: ReactNode;
  readonly heading: string;
  readonly lead: string;
  /** `from`, `$9.95`, `a month`. */
  readonly figure: { readonly before?: string; readonly value: string; readonly after: string };
  readonly stepsHeading: string;
  readonly steps: readonly TitledText[];
  readonly questions: readonly TitledText[];
  readonly disclosure?: string;
  readonly action: ReactNode;
}

const landingCopy = {
  questionsHeading: 'Ask before you say yes',
  back: 'Back to your subscription',
} as const;
