import { Container, PageHeading, Prose } from '@daybook/ui';
import type { ComponentType } from 'react';
import { ContactPanel } from './contact-panel.tsx';
import { Contents, type ContentsEntry } from './contents.tsx';
import { lastUpdated } from './legal-copy.ts';
import styles from './legal-page.module.css';

/** What the build makes of a Markdown file in `content/`. */
export interface LegalDocument {
  readonly Text: ComponentType;
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
            <Text />
          </Prose>
          <ContactPanel />
        </div>
      </div>
    </Container>
  );
}
