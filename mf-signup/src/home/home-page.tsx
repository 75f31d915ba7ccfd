import { Button, Container, Cover, Introduction, NeedsScript } from '@daybook/ui';
import { type SignupOpener, useSignupModal } from '../signup/use-signup-modal.tsx';
import { Features } from './features.tsx';
import styles from './home-page.module.css';
import { Questions } from './questions.tsx';
import { ReadingList } from './reading-list.tsx';
import { SampleIssue } from './sample-issue.tsx';

/** The home page (docs/product.md, Home). */
export default function HomePage() {
  const { opener, modal } = useSignupModal();
  return (
    <>
      <Hero opener={opener} />
      <ReadingList />
      <Features />
      <Closing opener={opener} />
      <Questions />
      {modal}
    </>
  );
}

/** Introduces Daybook, its benefits and the signup, next to a sample issue. */
function Hero({ opener }: { readonly opener: SignupOpener }) {
  const { headline, lead, benefits, readers } = homeCopy.hero;
  return (
    <Container width="wide" className={styles.hero}>
      <Introduction align="start" heading={headline} lead={lead} picture={<SampleIssue />}>
        <ul className={styles.benefits}>
          {benefits.map(({ term, text }) => (
            <li key={term} className={styles.benefit}>
              <strong>{term}</strong> {text}
            </li>
          ))}
        </ul>
        <div className={styles.action}>
          <Button size="large" {...opener}>
            {homeCopy.subscribe}
          </Button>
          <p className={styles.readers}>{readers}</p>
        </div>
        <NeedsScript>{homeCopy.needsScript}</NeedsScript>
      </Introduction>
    </Container>
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
          <Button size="large" {...opener}>
            {homeCopy.subscribe}
          </Button>
          <NeedsScript>{homeCopy.needsScript}</NeedsScript>
        </div>
        <BlankPage className={styles.page} />
      </Container>
    </Cover>
  );
}

const lines = [76, 124, 172, 220, 268, 316];

/** The empty sheet of the sample issue, cut off at the lower edge. Decoration. */
function BlankPage({ className }: { readonly className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 520 340" aria-hidden="true">
      <path className={styles.sheet} d="M.5 340V.5h519V340" />
      <path className={styles.rule} d={lines.map((line) => `M.5 ${line - 0.5}h519`).join('')} />
      <path className={styles.margin} d="M0 48.5h520M0 51.5h520M104.5 52v288M107.5 52v288" />
      <path className={styles.rule} d="M432.5 52v288" />
    </svg>
  );
}

/** Texts of the home page. Claims and figures are those of docs/product.md (Constants); never promise a gain. */
const homeCopy = {
  subscribe: 'Subscribe for free',
  needsScript: 'Subscribing needs JavaScript. Please turn it on and reload the page.',
  hero: {
    headline: 'The day in money, written up before breakfast.',
    lead: 'Daybook is a free daily newsletter for people who look after their own money: what moved, what it means at home, and what you could do about it.',
    benefits: [
      {
        term: 'Read in five minutes.',
        text: 'Markets, savings, retirement and the news, kept as short as they can be.',
      },
      { term: 'In plain words.', text: 'Every figure comes with what it means for a household, and where it is from.' },
      {
        term: 'Free, every morning.',
        text: 'Sponsors pay for it and are marked as sponsors. Leave whenever you like.',
      },
    ],
    readers: 'Join more than 10,000 readers.',
  },
  closing: {
    heading: 'Tomorrow’s page is still blank.',
    text: 'Leave your address tonight and read it with your coffee. No card, no account, no password.',
  },
} as const;
