import { useSiteSettings } from '@daybook/platform';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import styles from './accessible-view.module.css';
import { accessibleViewCopy as copy } from './accessible-view-copy.ts';

const contents = [copy.about, copy.newsletter, copy.features, copy.contact, copy.statement];

/**
 * The whole site on one plain page (product document, section 2). The shell draws nothing around it: this page brings
 * its own skip link, main landmark and footer.
 */
export default function AccessibleView() {
  const { supportAddress } = useSiteSettings();
  return (
    <div className={styles.page}>
      <a className={styles.skip} href={`#${copy.about.id}`}>
        {copy.skip}
      </a>
      <main>
        <header>
          <p className={styles.screenOnly}>
            <a className={styles.alone} href="/">
              {copy.back}
            </a>
          </p>
          <h1 className={styles.heading} tabIndex={-1}>
            {copy.heading}
          </h1>
          <p className={styles.lead}>{copy.lead}</p>
        </header>

        <ViewSection id="accessibility-features" heading={copy.accessibilityFeatures.heading}>
          <ul>
            {copy.accessibilityFeatures.items.map(({ name, text }) => (
              <li key={name}>
                <strong>{name}.</strong> {text}
              </li>
            ))}
          </ul>
        </ViewSection>

        <nav className={`${styles.section} ${styles.screenOnly}`} aria-labelledby="contents">
          <h2 id="contents">{copy.contents}</h2>
          <ol>
            {contents.map(({ id, heading }) => (
              <li key={id}>
                <a className={styles.alone} href={`#${id}`}>
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>

        <ViewSection id={copy.about.id} heading={copy.about.heading}>
          {copy.about.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </ViewSection>

        <ViewSection id={copy.newsletter.id} heading={copy.newsletter.heading}>
          <p>{copy.newsletter.lead}</p>
          <ul>
            {copy.newsletter.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
          <p>{copy.newsletter.end}</p>
        </ViewSection>

        <ViewSection id={copy.features.id} heading={copy.features.heading}>
          {copy.features.items.map(({ name, text }) => (
            <div key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </div>
          ))}
        </ViewSection>

        <ViewSection id="subscribe" heading={copy.subscribe.heading}>
          <SubscribeForm />
        </ViewSection>

        <ViewSection id={copy.contact.id} heading={copy.contact.heading}>
          <p>{copy.contact.lead}</p>
          <ul>
            {copy.contact.ways.map(({ about, subject }) => (
              <li key={subject}>
                {about}:{' '}
                <a href={`mailto:${supportAddress}?subject=${encodeURIComponent(subject)}`}>
                  {breakable(supportAddress)}
                </a>
              </li>
            ))}
          </ul>
        </ViewSection>

        <ViewSection id={copy.statement.id} heading={copy.statement.heading}>
          {copy.statement.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </ViewSection>
      </main>

      <footer className={styles.footer}>
        <nav aria-label={copy.footer.label}>
          <ul className={styles.links}>
            {copy.footer.links.map(({ href, label }) => (
              <li key={href}>
                <a className={styles.alone} href={href}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p>
          © <CurrentYear /> {copy.footer.rights}
        </p>
      </footer>
    </div>
  );
}

/** An address that is too long for its line is divided after its @, not within a word. */
function breakable(address: string) {
  const [mailbox, host] = address.split('@');
  return (
    <>
      {mailbox}@<wbr />
      {host}
    </>
  );
}

interface ViewSectionProperties {
  /** The anchor that the contents lead to. */
  readonly id: string;
  readonly heading: string;
  readonly children: ReactNode;
}

/** A part of the accessible view. Its heading takes the focus when a link leads to it, so that screen readers read on from there. */
function ViewSection({ id, heading, children }: ViewSectionProperties) {
  return (
    <section className={styles.section}>
      <h2 id={id} tabIndex={-1}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

/**
 * A form that is not connected to any submission (product document, section 2), and says so before and after
 * the press. Its method `dialog` does nothing outside of a dialog: a press goes nowhere even before the
 * script has loaded.
 */
function SubscribeForm() {
  const [state, setState] = useState<'untouched' | 'pressed'>('untouched');
  const answer = (event: FormEvent) => {
    event.preventDefault();
    setState('pressed');
  };
  return (
    <form className={styles.form} method="dialog" noValidate aria-label={copy.subscribe.button} onSubmit={answer}>
      <p id="subscribe-note">{copy.subscribe.note}</p>
      <label className={styles.label} htmlFor="subscribe-email">
        {copy.subscribe.label}
      </label>
      <input
        className={styles.input}
        id="subscribe-email"
        type="email"
        autoComplete="email"
        aria-describedby="subscribe-note"
      />
      <button className={styles.button} type="submit">
        {copy.subscribe.button}
      </button>
      <p className={styles.answer} role="status">
        {state === 'pressed' && copy.subscribe.answer}
      </p>
      <p>
        <a href="/">{copy.subscribe.link}</a>
      </p>
    </form>
  );
}

/**
 * The year it is for the visitor. The page is rendered long before it is read, so at first its place is kept
 * empty, as wide as four digits, and nothing moves when the year arrives.
 */
function CurrentYear() {
  const year = useSyncExternalStore(
    () => () => undefined,
    () => new Date().getFullYear(),
    () => undefined,
  );
  return <span className={styles.year}>{year}</span>;
}
