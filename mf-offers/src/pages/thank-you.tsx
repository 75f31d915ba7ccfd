import { useLocation } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { ButtonLink, Container, PageHeading, Panel } from '@daybook/ui';
import { useState } from 'react';
import { LabelledHeading } from '../labelled-heading.tsx';
import { useLiteralParameters } from '../literal-parameters.ts';
import { wereOffersAnswered } from '../offers.ts';
import { Sponsored } from '../sponsored.tsx';
import { Steps } from '../steps.tsx';
import { BlockedTabs, type BlockedTargets, readBlockedTabs } from '../thank-you/blocked-tabs.tsx';
import { useCompletion } from '../thank-you/completion.ts';
import { offerPickerUrl, readVisitor, type Visitor } from '../visitor.ts';
import styles from './thank-you.module.css';

export const route = {
  path: '/thank-you',
  title: 'You’re subscribed',
  description: 'Your subscription to the Daybook newsletter, and what happens next.',
  frame: 'site',
  noIndex: true,
} satisfies PageRouteDefinition;

/**
 * /thank-you (docs/product.md, Thank you and Completion). Completes the registration in the background; nothing on the page
 * waits for that.
 */
export default function ThankYouPage() {
  const parameters = useLiteralParameters();
  const visitor = parameters && readVisitor(parameters);
  const blockedTabs = readBlockedTabs(useLocation()?.state);
  const complete = useCompletion(visitor);
  // Content for the visitor is appended below the rest, so that nothing moves once the visitor is known.
  const [knewVisitor] = useState(visitor !== undefined);
  const notes = visitor && <VisitorNotes visitor={visitor} blockedTabs={blockedTabs} />;
  return (
    <Container className={styles.page}>
      <Subscription visitor={visitor} />
      {knewVisitor && notes}
      <NextSteps />
      <FinanceTip />
      <div className={styles.end}>
        <ButtonLink href="/" variant="secondary">
          {thankYouCopy.returnHome}
        </ButtonLink>
        {/* Always rendered, because screen readers announce only changes in an existing live region. */}
        <p role="status" className={styles.note}>
          {complete && thankYouCopy.complete}
        </p>
      </div>
      {!knewVisitor && notes}
    </Container>
  );
}

/** Confirms the subscription, with the email. */
function Subscription({ visitor }: { readonly visitor: Visitor | undefined }) {
  return (
    <header className={styles.subscription}>
      <PageHeading lead={thankYouCopy.lead}>{thankYouCopy.heading}</PageHeading>
      <p className={styles.destination}>
        {visitor?.email !== undefined && (
          <span>
            {thankYouCopy.subscribedAs} <strong translate="no">{visitor.email}</strong>
          </span>
        )}
      </p>
    </header>
  );
}

/** Content for some visitors: missing details, blocked tabs, the link to the bonus offers. */
function VisitorNotes({ visitor, blockedTabs }: { readonly visitor: Visitor; readonly blockedTabs: BlockedTargets }) {
  const { id, email } = visitor;
  const answered = blockedTabs.offers !== undefined || id === undefined || wereOffersAnswered(id);
  return (
    <>
      {id === undefined && email === undefined && <p className={styles.note}>{thankYouCopy.detailsMissing}</p>}
      {blockedTabs.areOffersUnsaved && <p className={styles.note}>{thankYouCopy.offersUnsaved}</p>}
      <BlockedTabs tabs={blockedTabs} />
      {!answered && <Invitation visitor={visitor} />}
    </>
  );
}

/** The link to the bonus offers, because a signup leads to this page first. */
function Invitation({ visitor }: { readonly visitor: Visitor }) {
  return (
    <Panel aria-labelledby="bonus-offers">
      <div className={styles.invitation}>
        <div>
          <LabelledHeading id="bonus-offers" label={<Sponsored />}>
            {invitation.heading}
          </LabelledHeading>
          <p>{invitation.text}</p>
        </div>
        <ButtonLink href={offerPickerUrl(visitor)} size="large">
          {invitation.action}
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** Inbox, spam folder, and when the first issue arrives (docs/product.md, Thank you). */
function NextSteps() {
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps" className={styles.nextSteps}>
        {nextSteps.heading}
      </h2>
      <Steps steps={nextSteps.steps} />
    </section>
  );
}

/** A first example of the newsletter's subject (docs/product.md, Thank you). */
function FinanceTip() {
  return (
    <aside aria-labelledby="finance-tip" className={styles.tip}>
      <LabelledHeading id="finance-tip" label={financeTip.label} size="small">
        {financeTip.heading}
      </LabelledHeading>
      <p>{financeTip.text}</p>
    </aside>
  );
}

/** Texts of docs/product.md (Thank you), and those that it leaves open. */
const thankYouCopy = {
  heading: "You're Subscribed!",
  lead: 'Welcome to Daybook. Your first issue arrives tomorrow morning.',
  subscribedAs: 'We’ll send it to',
  detailsMissing:
    'We can’t see your registration details on this page. This is usually fine: if you signed up, your first issue is on its way.',
  offersUnsaved:
    'We couldn’t save which offers you picked. Use the tabs that opened for them; your subscription is safe.',
  returnHome: 'Return to Home',
  complete: 'Your registration is complete.',
} as const;

const nextSteps = {
  heading: 'What happens next',
  steps: [
    {
      title: 'Check your inbox',
      text: 'Look for a message from Daybook. If it isn’t there, look in your spam folder and mark it as “not spam”.',
    },
    {
      title: 'Read your first issue',
      text: 'It arrives tomorrow morning with the markets, one idea for your savings, and the news that matters. It takes about five minutes.',
    },
  ],
} as const;

const invitation = {
  heading: 'Your bonus offers are waiting',
  text: 'As a new reader you can pick from the offers of our sponsors, such as a free hearing test or $150 off home security.',
  action: 'See my bonus offers',
} as const;

const financeTip = {
  label: 'A tip to start with',
  heading: 'Pay yourself first',
  text: 'Have a fixed amount moved to savings on the day your income arrives, before you spend any of it. Even $25 a week comes to $1,300 in a year.',
} as const;
