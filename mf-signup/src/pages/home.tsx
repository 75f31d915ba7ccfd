import { site } from '@daybook/contract/site';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { Button, Container, Cover, ErrorMessage, Introduction, NeedsScript } from '@daybook/ui';
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

/** The home page (docs/product.md, Home). */
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

/** Introduces Daybook and the signup next to a sample issue; its benefits come after both. */
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
  /** Shown beside the button. */
  readonly children?: ReactNode;
}

/** Opens the signup form; if it cannot be opened, says so next to the button, without code that has yet to load. */
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

/** The second signup button, after the features: an empty page of the ledger. */
function Closing({ opener }: { readonly opener: SignupOpener }) {
  const { heading, text } = homeCopy.closing;
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
        <BlankPage />
      </Container>
    </Cover>
  );
}

/** The sample issue's sheet, still empty, cut off at the lower edge. Decoration. */
function BlankPage() {
  return (
    <svg className={styles.page} viewBox="0 0 520 340" aria-hidden="true">
      <path
        className={styles.rule}
        d="M.5 340V.5h519V340M432.5 52v288M.5 75.5h519m0 48H.5m0 48h519m0 48H.5m0 48h519m0 48H.5"
      />
      <path className={styles.margin} d="M0 48.5h520M0 51.5h520M104.5 52v288M107.5 52v288" />
      <g className={styles.masthead}>
        <text x="24" y="32">
          {site.name}
        </text>
        <text x="496" y="32" textAnchor="end">
          {homeCopy.closing.tomorrow}
        </text>
      </g>
    </svg>
  );
}

/** Texts of the home page. Claims and figures are those of docs/product.md (Constants); never promise a gain. */
const homeCopy = {
  subscribe: 'Subscribe for free',
  needsScript: 'Subscribing needs JavaScript. Please turn it on and reload the page.',
  notLoaded: 'The signup form could not be loaded. Please check your connection and try again.',
  notOpened: 'Something went wrong. Please try again.',
  hero: {
    headline: 'The day in money, written up before breakfast.',
    lead: 'A free daily newsletter for people who look after their own money: what moved, what it means at home, and what you could do about it.',
    benefits: [
      {
        term: 'Read in five minutes.',
        text: 'Markets, savings, retirement and the news, kept short.',
      },
      { term: 'In plain words.', text: 'Every figure comes with what it means for a household, and where it is from.' },
      {
        term: 'Free, every morning.',
        text: 'Sponsors pay for it, and are marked. Leave whenever you like.',
      },
    ],
    readers: 'Join more than 10,000 readers.',
  },
  closing: {
    heading: 'Tomorrow’s page is still blank.',
    tomorrow: 'Tomorrow',
    text: 'Leave your address tonight and read it with your coffee. No card, no account, no password.',
  },
} as const;
