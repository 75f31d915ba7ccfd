import { useSiteSettings } from '@daybook/platform';
import styles from './accessible-view.module.css';
import { accessibleViewCopy as copy } from './accessible-view-copy.ts';
import { CurrentYear } from './current-year.tsx';
import { SubscribeForm } from './subscribe-form.tsx';
import { ViewSection } from './view-section.tsx';

const contents = [copy.about, copy.newsletter, copy.features, copy.contact, copy.statement];

/**
 * The whole site on one plain page (product document, section 2). The shell draws nothing around it: this page brings
 * its own skip link, main landmark and footer.
 */
export function AccessibleView() {
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
