import { site } from '@daybook/contract/site';
import { useSiteSettings } from '@daybook/platform';
import { Container, PageHeading, Panel, Prose } from '@daybook/ui';
import type { ComponentProps, FunctionComponent } from 'react';
import styles from './legal-page.module.css';
import { LegalTable } from './legal-table.tsx';

/** Components that replace elements of the Markdown text. */
const components = { table: LegalTable, h2: SectionHeading } as const;

interface LegalText {
  readonly default: FunctionComponent<{ readonly components?: typeof components }>;
  /** The sections, each with the id of its heading. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** A legal page (docs/product.md, Legal pages): its date, a table of contents, the text, and how to reach support. */
export function LegalPage({
  title,
  text: { default: Text, headings },
}: {
  readonly title: string;
  readonly text: LegalText;
}) {
  return (
    <Container className={styles.page}>
      <PageHeading
        lead={
          <>
            Last Updated: <time dateTime="2025-05-20">May 20, 2025</time>
          </>
        }
      >
        {title}
      </PageHeading>
      <div className={styles.columns}>
        <Contents entries={headings} />
        <div className={styles.text}>
          <Prose>
            <Text components={components} />
          </Prose>
          <ContactPanel />
        </div>
      </div>
    </Container>
  );
}

/** Returns the component of a legal page, for the default export of its module. */
export const legalPage = (title: string, text: LegalText) => () => <LegalPage title={title} text={text} />;

function Contents({ entries }: { readonly entries: LegalText['headings'] }) {
  return (
    <nav className={styles.contents} aria-labelledby="contents">
      <h2 id="contents" className={styles.contentsHeading}>
        Contents
      </h2>
      <ol className={styles.list}>
        {entries.map(({ id, text }) => (
          <li key={id}>
            <a className={styles.link} href={`#${id}`}>
              {text}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * A section's heading takes the focus when a link leads to it, so that keyboard and screen reader continue from there.
 */
function SectionHeading({ children, ...properties }: ComponentProps<'h2'>) {
  return (
    <h2 {...properties} tabIndex={-1}>
      {children}
    </h2>
  );
}

/** The publisher's contact details. Separate from the Markdown text, because the operator sets the support address. */
function ContactPanel() {
  const { supportAddress } = useSiteSettings();
  return (
    <Panel aria-labelledby="contact">
      <h2 id="contact" className={styles.heading}>
        Contact
      </h2>
      <dl className={styles.ways}>
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${supportAddress}`}>{supportAddress}</a>
          </dd>
        </div>
        <div>
          <dt>Post</dt>
          <dd>
            <address className={styles.post}>{site.postalAddress.join('\n')}</address>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
