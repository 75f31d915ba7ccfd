import { site } from '@daybook/contract/site';
import { useSiteSettings } from '@daybook/platform';
import { Container, PageHeading, Panel, Prose } from '@daybook/ui';
import type { ComponentProps } from 'react';
import styles from './legal-page.module.css';
import { LegalTable } from './legal-table.tsx';

/** Components that replace elements of the Markdown text. */
const components = {
  table: LegalTable,
  // Takes the focus when a link leads to it, so that keyboard and screen reader continue from there.
  h2: (properties: ComponentProps<'h2'>) => <h2 {...properties} tabIndex={-1} />,
} as const;

type LegalText = typeof import('../../content/terms.md');

/**
 * Returns the component of a legal page (docs/product.md, Legal pages), for the default export of its module: its date,
 * a table of contents, the text, and how to reach support.
 */
export const legalPage =
  (title: string, { default: Text, headings }: LegalText) =>
  () => (
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
