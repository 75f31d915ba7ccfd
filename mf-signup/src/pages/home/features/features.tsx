import { Container } from '@daybook/ui';
import { homeCopy } from '../home-copy.ts';
import { features } from './feature-copy.ts';
import { FeatureDrawing } from './feature-drawing.tsx';
import styles from './features.module.css';

/** What an issue does for its reader, in four columns. */
export function Features() {
  const { heading, lead } = homeCopy.features;
  return (
    <section id="features" className={styles.section} aria-labelledby="features-heading">
      <Container width="wide">
        <div className={styles.head}>
          <h2 id="features-heading" className={styles.heading}>
            {heading}
          </h2>
          <p className={styles.lead}>{lead}</p>
        </div>
        {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
        <ul role="list" className={styles.cards}>
          {features.map(({ id, title, text }) => (
            <li key={id} className={styles.card}>
              <FeatureDrawing of={id} />
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ul>
      </Container>
    </section>
  );
}
