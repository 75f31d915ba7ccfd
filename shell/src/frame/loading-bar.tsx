import { VisuallyHidden } from '@daybook/ui';
import { useEffect, useState } from 'react';
import styles from './loading-bar.module.css';

/** A page that is there within this many ms needs no sign of life. */
const patience = 300;

/** Tells, to eye and ear, that the page behind a click is still on its way. */
export function LoadingBar({ isLoading }: { readonly isLoading: boolean }) {
  const [late, setLate] = useState(false);

  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setLate(true), patience);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isLoading]);

  return (
    <div aria-live="polite">
      {late && (
        <div className={styles.bar}>
          <VisuallyHidden>Loading the page</VisuallyHidden>
        </div>
      )}
    </div>
  );
}
