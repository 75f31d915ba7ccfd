import { useLocation } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { ButtonLink, Container, LedgerPage, PageHeading, Panel } from '@daybook/ui';
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

/** Completes the registration in the background; nothing on the page waits for that. */
export default function ThankYouPage() {
  const parameters = useLiteralParameters();
  const visitor = parameters && readVisitor(parameters);
  const blockedTabs = readBlockedTabs(useLocation()?.state);
  const complete = useCompletion(visitor);
  const isUnknown = visitor && visitor.id === undefined && visitor.email === undefined;
  return (
    <Container width="wide" className={styles.page}>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Subscription visitor={visitor} />
          <NextSteps />
          {/* The server's HTML reserves the place of the bonus offers. */}
          <div className={visitor ? styles.notes : styles.reserved}>
            {visitor ? <VisitorNotes visitor={visitor} blockedTabs={blockedTabs} /> : <Invitation visitor={unknown} />}
          </div>
        </div>
        <div className={styles.aside}>
          <LedgerPage className={styles.tomorrow} heading={thankYouCopy.tomorrow} entry={thankYouCopy.firstIssue} />
          <FinanceTip />
        </div>
        <div className={styles.end}>
          <ButtonLink href="/" variant="secondary">
            {thankYouCopy.returnHome}
          </ButtonLink>
          {/* Always rendered, because screen readers announce only changes in an existing live region. */}
          <p role="status" className={styles.note}>
            {complete ? thankYouCopy.complete : isUnknown && thankYouCopy.detailsMissing}
          </p>
        </div>
      </div>
    </Container>
  );
}

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

const unknown: Visitor = { id: undefined, email: undefined };

function VisitorNotes({ visitor, blockedTabs }: { readonly visitor: Visitor; readonly blockedTabs: BlockedTargets }) {
  const { id } = visitor;
  const answered = blockedTabs.offers !== undefined || id === undefined || wereOffersAnswered(id);
  return (
    <>
      {blockedTabs.areOffersUnsaved && <p className={styles.note}>{thankYouCopy.offersUnsaved}</p>}
      <BlockedTabs tabs={blockedTabs} />
      {!answered && <Invitation visitor={visitor} />}
    </>
  );
}

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

const thankYouCopy = {
  heading: "You're Subscribed!",
  lead: 'Welcome to Daybook. Your first issue arrives tomorrow morning.',
  subscribedAs: 'We’ll send it to',
  tomorrow: 'Tomorrow',
  firstIssue: 'Your first issue',
  detailsMissing:
    'This page can’t see your registration details. That’s usually fine: if you signed up, your first issue is on its way.',
  offersUnsaved:
    'We couldn’t save the offers you picked, so please use the sponsors’ websites. Your subscription is safe.',
  returnHome: 'Return to Home',
  complete: 'Your registration is complete.',
} as const;

const nextSteps = {
  heading: 'What happens next',
  steps: [
    {
      title: 'Check your inbox',
      text: 'Look for a message from Daybook. Not there? Check your spam folder, and mark it “not spam.”',
    },
    {
      title: 'Read your first issue',
      text: 'It arrives tomorrow morning with the markets, one idea for your savings, and the news that matters. Reading it takes about five minutes.',
    },
  ],
} as const;

const invitation = {
  heading: 'Your bonus offers are waiting',
  text: 'As a new reader, you can pick from our sponsors’ offers, such as a free hearing test or $150 off home security.',
  action: 'See my bonus offers',
} as const;

const financeTip = {
  label: 'A tip to get you started',
  heading: 'Pay yourself first',
  text: 'Have a fixed amount moved into savings the day you get paid, before you spend any of it. Even $25 a week adds up to $1,300 a year.',
} as const;
