import { Container, PageHeading } from '@daybook/ui';
import { gallery } from '@daybook/ui/gallery';
import styles from './components-page.module.css';

/** The design system, every component in every state; served by `npm run dev` alone. */
export default function ComponentsPage() {
  return (
    <div className={styles.page}>
      <Container width="wide">
        <PageHeading lead="Every component in every state.">Components</PageHeading>
      </Container>
      {gallery.map(({ component, fullWidth, states }) => (
        <section key={component} className={styles.component} aria-labelledby={component}>
          <Container width="wide">
            <h2 id={component}>{component}</h2>
          </Container>
          {Object.entries(states).map(([state, element]) => (
            <div key={state} className={styles.state}>
              <Container width="wide">
                <h3 className={styles.name}>{state}</h3>
              </Container>
              {fullWidth ? element : <Container width="wide">{element}</Container>}
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
