import { useSiteSettings } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import styles from './accessible-view.module.css';

export const route = {
  path: '/accessible-view',
  title: 'Accessible View',
  description:
    'Daybook on one plain page: high contrast, a simple layout, made for screen readers and keyboards, without animations.',
  frame: 'bare',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

/** Of the sections in the contents list, by their anchors. */
const headings = {
  about: 'About Daybook',
  newsletter: 'The daily newsletter',
  features: 'Features',
  contact: 'Contact',
  'accessibility-statement': 'Accessibility statement',
} as const;

const footerLinks = {
  '/terms': 'Terms of Service',
  '/privacy-policy': 'Privacy Policy',
  '/unsubscribe': 'Unsubscribe',
} as const;

/** Has no frame from the shell, and so its own skip link, main landmark and footer. */
export default function AccessibleView() {
  const year = useCurrentYear();
  return (
    <div className={styles.page}>
      <a className={styles.skip} href="#about">
        Skip to content
      </a>
      <main>
        <header>
          <p className={styles.screenOnly}>
            <a className={styles.alone} href="/">
              Back to Standard View
            </a>
          </p>
          <h1 className={styles.heading} tabIndex={-1}>
            Daybook: Accessible View
          </h1>
          <p className={styles.lead}>
            Everything you need to know about our free daily finance newsletter, on one plain page.
          </p>
        </header>

        <ViewSection id="accessibility-features" heading="Accessibility features of this page">
          <ul>
            <li>
              <strong>High contrast.</strong> Black on white, or white on black if your device is in dark mode.
            </li>
            <li>
              <strong>Simplified layout.</strong> One column, large text, and nothing that moves or covers anything
              else.
            </li>
            <li>
              <strong>Screen reader compatibility.</strong> Headings, lists and labels that a screen reader can
              announce.
            </li>
            <li>
              <strong>Keyboard navigation.</strong> You can reach every link and field with the Tab key, and always see
              where you are.
            </li>
            <li>
              <strong>No animations or autoplay.</strong> Nothing moves, blinks or makes a sound.
            </li>
          </ul>
        </ViewSection>

        <nav className={`${styles.section} ${styles.screenOnly}`} aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol>
            {Object.entries(headings).map(([id, heading]) => (
              <li key={id}>
                <a className={styles.alone} href={`#${id}`}>
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>

        <ViewSection id="about" heading={headings.about}>
          <p>
            Daybook is a free newsletter about personal finance, sent by email every morning. More than 10,000 readers
            use it to follow their money in five minutes a day.
          </p>
          <p>
            All you need is an email address: no account, no password and no credit card. Sponsors pay for the
            newsletter, and we label their offers as sponsored.
          </p>
          <p>What we publish is general information, not personal financial advice.</p>
        </ViewSection>

        <ViewSection id="newsletter" heading={headings.newsletter}>
          <p>Each issue is in plain English and includes:</p>
          <ul>
            <li>market trends, and what they mean for your household;</li>
            <li>saving strategies you can use the same day;</li>
            <li>investment insights, with their risks;</li>
            <li>retirement planning, step by step;</li>
            <li>the financial news that matters.</li>
          </ul>
          <p>
            Your first issue normally arrives the morning after you sign up. You can unsubscribe with the link at the
            bottom of any issue.
          </p>
        </ViewSection>

        <ViewSection id="features" heading={headings.features}>
          <div>
            <h3>Market Updates</h3>
            <p>What moved since yesterday, and why, without jargon.</p>
          </div>
          <div>
            <h3>Saving Strategies</h3>
            <p>How to spend less on what you already buy and earn more on what you put aside.</p>
          </div>
          <div>
            <h3>Investment Insights</h3>
            <p>How common investments work, what they cost, and what can go wrong with them.</p>
          </div>
        </ViewSection>

        <ViewSection id="subscribe" heading="Subscribe">
          <SubscribeForm />
        </ViewSection>

        <ViewSection id="contact" heading={headings.contact}>
          <p>Email us. We answer every message that needs an answer.</p>
          <ul>
            <li>
              Questions about your subscription: <SupportLink subject="My subscription" />
            </li>
            <li>
              Privacy requests: <SupportLink subject="Privacy request" />
            </li>
            <li>
              Accessibility problems, or a page in another format: <SupportLink subject="Accessibility" />
            </li>
          </ul>
        </ViewSection>

        <ViewSection id="accessibility-statement" heading={headings['accessibility-statement']}>
          <p>
            Daybook Publishing Co. wants everyone to be able to read Daybook and use this website. We aim to meet the
            Web Content Accessibility Guidelines (WCAG) 2.1 at Level AA on all of our pages. This page goes further: all
            of its text has a contrast of at least 7 to 1.
          </p>
          <p>
            We test every page with automated tools, in light and dark mode, and with the keyboard alone. Tools don’t
            catch everything, so some barriers may remain. The sponsors’ websites we link to are outside our control.
          </p>
          <p>
            If anything on this website is hard or impossible for you to use, please email us at the address above. Tell
            us which page and what happened. We’ll help you, and we’ll work on a fix.
          </p>
        </ViewSection>
      </main>

      <footer className={styles.footer}>
        <nav aria-label="Legal">
          <ul className={styles.links}>
            {Object.entries(footerLinks).map(([href, label]) => (
              <li key={href}>
                <a className={styles.alone} href={href}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p>© {year} Daybook Publishing Co. All rights reserved.</p>
      </footer>
    </div>
  );
}

/** A long address breaks after the @. */
function SupportLink({ subject }: { readonly subject: string }) {
  const { supportAddress } = useSiteSettings();
  const [mailbox, host] = supportAddress.split('@');
  return (
    <a href={`mailto:${supportAddress}?subject=${encodeURIComponent(subject)}`} translate="no">
      {mailbox}@<wbr />
      {host}
    </a>
  );
}

/** Its heading is focusable, so that screen readers continue where a link leads. */
function ViewSection({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 id={id} tabIndex={-1}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

/** Not connected to any submission. The method `dialog` does nothing outside of a dialog, also before the script has loaded. */
function SubscribeForm() {
  const [isPressed, setIsPressed] = useState(false);
  const showNotice = (event: FormEvent) => {
    event.preventDefault();
    setIsPressed(true);
  };
  return (
    <form className={styles.form} method="dialog" noValidate aria-label="Subscribe Now" onSubmit={showNotice}>
      <p id="form-note">
        This form is not connected, so the button doesn’t send anything. To sign up, please use the form on our home
        page.
      </p>
      <label className={styles.label} htmlFor="email">
        Email address
      </label>
      <input className={styles.input} id="email" type="email" autoComplete="email" aria-describedby="form-note" />
      <button className={styles.button} type="submit">
        Subscribe Now
      </button>
      <p className={styles.notice} role="status">
        {isPressed &&
          'Nothing was sent, and you’re not subscribed yet. What you typed is still in the field. Please sign up on our home page.'}
      </p>
      <p>
        <a href="/">Sign up on the home page</a>
      </p>
    </form>
  );
}

/** Hydration starts with the server's year, which is in the HTML; then the later one counts. */
function useCurrentYear(): string | undefined {
  const { year } = useSiteSettings();
  return useSyncExternalStore(
    () => () => undefined,
    () => String(Math.max(Number(year ?? 0), new Date().getFullYear())),
    () => year,
  );
}
