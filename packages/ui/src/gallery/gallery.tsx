import { TooltipProvider } from '../tooltip.tsx';
import styles from './gallery.module.css';
import { states } from './states.tsx';

/** `/_components` of the development server. */
export function Gallery() {
  return (
    <TooltipProvider>
      <main className={styles.gallery}>
        <h1>Components</h1>
        {Object.entries(states).map(([component, shown]) => (
          <section key={component} id={component} className={styles.component} aria-labelledby={`${component}-name`}>
            <h2 id={`${component}-name`}>{component}</h2>
            {Object.entries(shown).map(([state, element]) => (
              <figure key={state} className={styles.state}>
                <figcaption className={styles.caption}>{state}</figcaption>
                {element}
              </figure>
            ))}
          </section>
        ))}
      </main>
    </TooltipProvider>
  );
}
