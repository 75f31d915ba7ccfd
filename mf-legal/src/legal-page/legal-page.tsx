import { site } from '@daybook/contract/site';
import { useSiteSettings } from '@daybook/platform';
import { Container, PageHeading, Panel, Prose } from '@daybook/ui';
import { Children, type ComponentProps, isValidElement, type PropsWithChildren, type ReactNode } from 'react';
import styles from './legal-page.module.css';
import { LegalTable } from './legal-table.tsx';

const components = {
  table: LegalTable,
  // Focusable, so that keyboard and screen reader continue where a link leads.
  h2: (properties: ComponentProps<'h2'>) => <h2 {...properties} tabIndex={-1} />,
} as const;

type LegalText = Pick<typeof import('../../content/terms.md'), 'default' | 'frontmatter'>;

/** Returns the page of a Markdown file; throws an Error if the file does not begin with its date. */
export function legalPage(title: string, { default: Text, frontmatter }: LegalText) {
  const date = longDate(frontmatter?.lastUpdated, title);
  return () => {
    // Called, not rendered: the page reads the headings among its elements.
    const text = Text({ components });
    return (
      <Container width="wide" className={styles.page}>
        <PageHeading
          lead={
            <>
              Last Updated: <time dateTime={frontmatter?.lastUpdated}>{date}</time>
            </>
          }
        >
          {title}
        </PageHeading>
        <div className={styles.columns}>
          <Contents text={text} />
          <div className={styles.text}>
            <Prose>{text}</Prose>
            <ContactPanel />
          </div>
        </div>
      </Container>
    );
  };
}

function longDate(date: string | undefined, title: string): string {
  const day = new Date(date ?? '');
  // Some engines read February 30 as March 1.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date)
    throw new Error(
      `“${title}” has ${date ? `“${date}” as its date, which is none` : 'no date'}. Begin its Markdown file with three lines: ---, lastUpdated: 2025-05-20, ---`,
    );
  return day.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

const textOf = (node: ReactNode): string =>
  Children.toArray(node)
    .map((child) => (isValidElement<PropsWithChildren>(child) ? textOf(child.props.children) : String(child)))
    .join('');

/** Links to the headings, by their text: a heading may have a link itself. Folded where it would fill a phone's screen. */
function Contents({ text }: { readonly text: ReturnType<LegalText['default']> }) {
  const headings = Children.toArray(text.props.children)
    .filter((child) => isValidElement<ComponentProps<'h2'>>(child))
    .filter(({ type }) => type === components.h2);
  return (
    <nav className={styles.contents} aria-labelledby="contents">
      <details className={styles.folded}>
        <summary className={styles.summary}>
          <h2 id="contents" className={styles.contentsHeading}>
            Contents
          </h2>
        </summary>
        <ol className={styles.list}>
          {headings.map(({ props: { id, children } }) => (
            <li key={id}>
              <a className={styles.link} href={`#${id}`}>
                {textOf(children)}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

/** Not in the Markdown, because the operator sets the support address. */
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
            <a href={`mailto:${supportAddress}`} translate="no">
              {supportAddress}
            </a>
          </dd>
        </div>
        <div>
          <dt>Post</dt>
          <dd>
            <address className={styles.post} translate="no">
              {site.postalAddress.join('\n')}
            </address>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
