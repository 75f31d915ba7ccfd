import { Container } from '@daybook/ui';
import styles from './reading-list.module.css';
import { titles } from './titles.ts';

/** The strip of finance media brands: states explicitly that it is only what the editors read. */
export function ReadingList() {
  return (
    <section className={styles.strip} aria-labelledby="reading-list-heading">
      <Container width="wide" className={styles.layout}>
        <div>
          <h2 id="reading-list-heading" className={styles.heading}>
            On our editors’ desks each morning
          </h2>
          <p className={styles.note}>Titles that we read to write Daybook. They neither sponsor nor endorse it.</p>
        </div>
        {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
        <ul role="list" className={styles.titles}>
          {titles.map(({ name, width, outline }) => (
            <li key={name}>
              <svg
                className={styles.wordmark}
                viewBox={`0 -64 ${width} 84`}
                width={width}
                height="84"
                role="img"
                aria-label={name}
              >
                <path d={outline} />
              </svg>
            </li>
          ))}
        </ul>
      </Container>
    </section>
  );
}
