import { Container } from '@daybook/ui';
import { FeatureDrawing } from './feature-drawing.tsx';
import styles from './features.module.css';

/** The benefits of an issue for its reader, in four columns. */
export function Features() {
  return (
    <section id="features" className={styles.section} aria-labelledby="features-heading">
      <Container width="wide">
        <div className={styles.head}>
          <h2 id="features-heading" className={styles.heading}>
            What five minutes are good for
          </h2>
          <p className={styles.lead}>Four things we look for each day, so that you don’t have to.</p>
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

/** The four features of docs/product.md (Home). */
const features = [
  {
    id: 'opportunities',
    title: 'Hidden opportunities',
    text: 'The account that quietly pays more, the fee you could stop paying, the tax relief that few people claim. We read the small print for you.',
  },
  {
    id: 'analysis',
    title: 'Rapid analysis',
    text: 'What moved since yesterday, why it did, and whether that matters to anyone who isn’t a trader. A few paragraphs and one chart.',
  },
  {
    id: 'wisdom',
    title: 'Portfolio wisdom',
    text: 'How costs, time and spread work on savings and retirement money, with worked examples that you can check yourself.',
  },
  {
    id: 'risk',
    title: 'Risk management',
    text: 'Every idea comes with what could go wrong and what that would cost, so that you see both columns before you decide.',
  },
] as const;
