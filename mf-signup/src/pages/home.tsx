import type { PageRouteDefinition } from '@daybook/platform/page';
import { Button, Container, Cover, ErrorMessage, Introduction, LedgerPage, NeedsScript } from '@daybook/ui';
import { type ReactNode, useId } from 'react';
import { Features } from '../home/features.tsx';
import { Questions } from '../home/questions.tsx';
import { ReadingList } from '../home/reading-list.tsx';
import { SampleIssue } from '../home/sample-issue.tsx';
import { type SignupOpener, useSignupModal } from '../signup/use-signup-modal.tsx';
import styles from './home.module.css';

export const route = {
  path: '/',
  title: 'The free daily finance newsletter',
  description:
    'The day in money, written up before breakfast: markets, savings, investing, retirement and the news, in one free five-minute email each morning.',
  frame: 'site',
} satisfies PageRouteDefinition;

// Constant elements, which React does not render again when the dialog opens.
const sampleIssue = <SampleIssue />;
const questions = <Questions />;
const readingListAndFeatures = (
  <>
    <ReadingList />
    <Features />
  </>
);

export default function HomePage() {
  const { opener, modal } = useSignupModal();
  return (
    <>
      <Hero opener={opener} />
      {readingListAndFeatures}
      <Closing opener={opener} />
      {questions}
      {modal}
    </>
  );
}

function Hero({ opener }: { readonly opener: SignupOpener }) {
  const { headline, lead, benefits, readers } = homeCopy.hero;
  return (
    <Container width="wide" className={styles.hero}>
      <Introduction heading={headline} lead={lead} picture={sampleIssue}>
        <SubscribeButton opener={opener}>
          <p className={styles.readers}>{readers}</p>
        </SubscribeButton>
      </Introduction>
      <ul className={styles.benefits}>
        {benefits.map(({ term, text }) => (
          <li key={term} className={styles.benefit}>
            <strong>{term}</strong> {text}
          </li>
        ))}
      </ul>
    </Container>
  );
}

interface SubscribeButtonProps {
  readonly opener: SignupOpener;
  readonly children?: ReactNode;
}

/** Opens the signup form; if that fails, says so without code that has yet to load. */
function SubscribeButton({ opener, children }: SubscribeButtonProps) {
  const id = useId();
  return (
    <>
      <div className={styles.action}>
        <Button
          size="large"
          aria-haspopup="dialog"
          busy={opener.busy}
          onClick={() => opener.press(id)}
          onPointerEnter={opener.prefetch}
          onFocus={opener.prefetch}
        >
          {homeCopy.subscribe}
        </Button>
        {children}
      </div>
      {opener.failure?.button === id && (
        <div className={styles.failure}>
          <ErrorMessage>{opener.failure.isLoad ? homeCopy.notLoaded : homeCopy.notOpened}</ErrorMessage>
        </div>
      )}
      <NeedsScript>{homeCopy.needsScript}</NeedsScript>
    </>
  );
}

function Closing({ opener }: { readonly opener: SignupOpener }) {
  const { heading, tomorrow, text } = homeCopy.closing;
  return (
    <Cover className={styles.band} aria-labelledby="closing-heading">
      <Container width="wide" className={styles.layout}>
        <div className={styles.words}>
          <h2 id="closing-heading" className={styles.heading}>
            {heading}
          </h2>
          <p className={styles.text}>{text}</p>
          <SubscribeButton opener={opener} />
        </div>
        <LedgerPage className={styles.page} heading={tomorrow} />
      </Container>
    </Cover>
  );
}

const homeCopy = {
  subscribe: 'Subscribe for free',
  needsScript: 'Signing up needs JavaScript. Please turn it on and reload the page.',
  notLoaded: 'The signup form didn’t load. Please try again.',
  notOpened: 'Something went wrong. Please try again.',
  hero: {
    headline: 'The day in money, written up before breakfast.',
    lead: 'A free daily newsletter for people who manage their own money: what moved, what it means for your household, and what you can do about it.',
    benefits: [
      { term: 'Read in five minutes.', text: 'Markets, savings, retirement and the news, in brief.' },
      { term: 'In plain English.', text: 'Every number comes with its source and what it means for you.' },
      { term: 'Free, every morning.', text: 'Sponsors pay for it, and we label them. Unsubscribe anytime.' },
    ],
    readers: 'Join more than 10,000 readers.',
  },
  closing: {
    heading: 'Tomorrow’s page is still blank.',
    tomorrow: 'Tomorrow',
    text: 'Sign up tonight, and read it with your coffee. No card, no account, no password.',
  },
} as const;
