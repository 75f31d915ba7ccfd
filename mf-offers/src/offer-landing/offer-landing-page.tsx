import { ButtonLink, Container } from '@daybook/ui';
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
      <div className={styles.top}>
        <div className={styles.words}>
          <p className={styles.label}>{landingCopy.label}</p>
          <h1 className={styles.heading} tabIndex={-1}>
            {offer.heading}
          </h1>
          <p className={styles.lead}>{offer.lead}</p>
          {action.kind === 'bonus-offer' && <p className={styles.disclosure}>{landingCopy.disclosure}</p>}
        </div>
        <div className={styles.sheet}>
          <OfferDrawing of={offer.drawing} />
          <p className={styles.figure}>
            {figure.before !== undefined && <span>{figure.before} </span>}
            <strong className={styles.value}>{figure.value}</strong> <span>{figure.after}</span>
          </p>
        </div>
      </div>
      <section aria-labelledby="steps">
        <h2 id="steps" className={styles.sectionHeading}>
          {offer.stepsHeading}
        </h2>
        <ol className={styles.steps}>
          {offer.steps.map(({ title, text }) => (
            <li key={title} className={styles.step}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <div className={styles.decision}>
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
      </div>
      <p>
        <ButtonLink href="/thank-you" variant="secondary">
          {landingCopy.back}
        </ButtonLink>
      </p>
    </Container>
  );
}
