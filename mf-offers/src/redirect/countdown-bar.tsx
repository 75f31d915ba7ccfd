import styles from './countdown-bar.module.css';
import { countdownDuration, redirectCopy } from './redirect-copy.ts';

interface CountdownBarProperties {
  /** In ms. */
  readonly passed: number;
  readonly stopped: boolean;
}

/** How much of the wait is over, as a bar and in seconds. */
export function CountdownBar({ passed, stopped }: CountdownBarProperties) {
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
      <p className={styles.text}>{stopped ? redirectCopy.stopped : redirectCopy.opensIn(secondsLeft)}</p>
    </div>
  );
}
