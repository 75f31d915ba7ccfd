import { ButtonLink, Container, Introduction, SideBySide } from '@daybook/ui';
import { Steps } from '../steps/steps.tsx';
import { BonusOffer } from './bonus-offer.tsx';
import { DemoForm } from './demo-form.tsx';
import { OfferDrawing } from './offer-drawing.tsx';
import type { OfferLanding } from './offer-landing.ts';
import { landingCopy } from './offer-landing-copy.ts';
import styles from './offer-landing-page.module.css';

/** A sponsor's offer (product document, section 2): marked as one before it is read, with its way back. */
export function OfferLandingPage({ offer }: { readonly offer: OfferLanding }) {
  const { figure, action } = offer;
  return (
    <Container width="wide" className={styles.page}>
      <Introduction
        label={<p className={styles.label}>{landingCopy.label}</p>}
        heading={offer.heading}
        lead={offer.lead}
        picture={
          <div className={styles.sheet}>
            <OfferDrawing of={offer.drawing} />
            <p className={styles.figure}>
              {figure.before !== undefined && <span>{figure.before} </span>}
              <strong className={styles.value}>{figure.value}</strong> <span>{figure.after}</span>
            </p>
          </div>
        }
      >
        {action.kind === 'bonus-offer' && <p className={styles.disclosure}>{landingCopy.disclosure}</p>}
      </Introduction>
      <section aria-labelledby="steps">
        <h2 id="steps" className={styles.sectionHeading}>
          {offer.stepsHeading}
        </h2>
        <Steps steps={offer.steps} numbers="above" />
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
        {action.kind === 'demo-form' ? <DemoForm {...action} /> : <BonusOffer {...action} />}
      </SideBySide>
      <p>
        <ButtonLink href="/thank-you" variant="secondary">
          {landingCopy.back}
        </ButtonLink>
      </p>
    </Container>
  );
}
