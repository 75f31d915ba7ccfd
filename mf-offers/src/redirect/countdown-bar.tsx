import { VisuallyHidden } from '@daybook/ui';
import styles from './countdown-bar.module.css';
import { countdownDuration, redirectCopy } from './redirect-copy.ts';

interface CountdownBarProperties {
  /** In ms. */
  readonly passed: number;
  readonly stopped: boolean;
  /** Said aloud, for who can't see the bar. A stop is said by the words that everybody sees. */
  readonly announcement: string;
}

/** How much of the wait is over, as a bar and in seconds. */
export function CountdownBar({ passed, stopped, announcement }: CountdownBarProperties) {
  const secondsLeft = Math.ceil((countdownDuration - passed) / 1000);
  return (
    <div>
      <div className={styles.track}>
        <progress
          className={styles.smooth}
          aria-label={redirectCopy.progressLabel}
          max={countdownDuration}
          value={passed}
        />
        {/* For who asked for less motion: four steps instead of a moving bar. */}
        <progress
          className={styles.stepped}
          aria-label={redirectCopy.progressLabel}
          max={countdownDuration}
          value={Math.floor(passed / 1000) * 1000}
        />
      </div>
      {!stopped && <p className={styles.text}>{redirectCopy.opensIn(secondsLeft)}</p>}
      <p role="status" className={stopped ? styles.text : undefined}>
        {stopped ? redirectCopy.stopped : <VisuallyHidden>{announcement}</VisuallyHidden>}
      </p>
    </div>
  );
}
