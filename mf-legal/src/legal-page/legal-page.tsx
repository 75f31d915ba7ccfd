import { Container, PageHeading, Prose } from '@daybook/ui';
import type { FunctionComponent } from 'react';
import { ContactPanel } from './contact-panel.tsx';
import { Contents, type ContentsEntry } from './contents.tsx';
import { lastUpdated } from './legal-copy.ts';
import styles from './legal-page.module.css';
import { LegalTable } from './legal-table.tsx';
import { SectionHeading } from './section-heading.tsx';

/** What stands in for elements of the Markdown text. */
const components = { table: LegalTable, h2: SectionHeading } as const;

/** What the build makes of a Markdown file in `content/`. */
export interface LegalDocument {
  readonly Text: FunctionComponent<{ readonly components?: typeof components }>;
  readonly headings: readonly ContentsEntry[];
}

interface LegalPageProperties {
  readonly title: string;
  readonly document: LegalDocument;
}

/** A legal page (product document, section 2): its date, a table of contents, the text, and how to reach support. */
export function LegalPage({ title, document: { Text, headings } }: LegalPageProperties) {
  return (
    <Container className={styles.page}>
      <PageHeading
        lead={
          <>
            {lastUpdated.label} <time dateTime={lastUpdated.machineReadable}>{lastUpdated.text}</time>
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
