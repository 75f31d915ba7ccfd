import styles from './background.module.css';
import type { Passage, Point } from './choice.ts';

/** What a choice means, passage by passage. */
export function Background({ passages }: { readonly passages: readonly Passage[] }) {
  return (
    <div className={styles.background}>
      {passages.map(({ heading, paragraphs = [], points = [] }) => (
        <section key={heading} className={styles.passage}>
          <h2 className={styles.heading}>{heading}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {points.length > 0 && <Points points={points} />}
        </section>
      ))}
    </div>
  );
}

function Points({ points }: { readonly points: readonly Point[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given
    <ul role="list" className={styles.points}>
      {points.map(({ subject, text, link }) => (
        <li key={subject}>
          <strong className={styles.subject}>{subject}</strong> {text}
          {link && (
            <>
              {' '}
              <a href={link.href}>{link.label}</a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
