import styles from './contents.module.css';
import { contentsHeading } from './legal-copy.ts';

export interface ContentsEntry {
  /** Id of the heading that the entry leads to. */
  readonly id: string;
  readonly text: string;
}

const headingId = 'contents';

/** The table of contents of a legal page: a link for each of its sections. */
export function Contents({ entries }: { readonly entries: readonly ContentsEntry[] }) {
  return (
    <nav className={styles.contents} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        {contentsHeading}
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
