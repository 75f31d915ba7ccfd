import { log } from '@daybook/platform/log';
import { savesData } from '@daybook/platform/saves-data';
import { whenIdle } from '@daybook/platform/when';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Time on the page in ms after which the modal is prefetched. */
const reading = 1_000;

export type SignupOpener = ReturnType<typeof useSignupModal>['opener'];

/**
 * The signup modal, mounted while it is closed, so that a press only opens it. It is prefetched after a second or the first
 * scroll, unless the visitor saves data, and on hover or focus of its buttons.
 */
export function useSignupModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [loaded, setLoaded] = useState<Pick<typeof import('./signup-modal.tsx'), 'SignupModal' | 'showDialog'>>();
  /** It was pressed, and the modal is still loading. */
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly button: string; readonly isLoad: boolean }>();
  const loading = useRef<Promise<void>>(undefined);

  const load = useCallback(() => {
    loading.current ??= import('./signup-modal.tsx').then(({ SignupModal, showDialog }) =>
      startTransition(() => setLoaded({ SignupModal, showDialog })),
    );
    // The next press retries.
    loading.current.catch(() => {
      loading.current = undefined;
    });
    return loading.current;
  }, []);

  const prefetch = useCallback(() => {
    load().catch(() => undefined);
  }, [load]);

  useEffect(() => {
    if (savesData()) return;
    const prefetchIdly = () => whenIdle(prefetch);
    const timer = setTimeout(prefetchIdly, reading);
    addEventListener('scroll', prefetchIdly, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', prefetchIdly);
    };
  }, [prefetch]);

  useEffect(() => {
    if (!loaded || !busy) return;
    setBusy(false);
    loaded.showDialog(dialog.current);
  }, [loaded, busy]);

  /** Takes the id of the pressed button. */
  const press = (button: string) => {
    setFailure(undefined);
    // At once: a state would render the page first.
    if (dialog.current) return loaded?.showDialog(dialog.current);
    setBusy(true);
    load().catch((error: unknown) => {
      log('error', 'The signup form could not be opened:', error);
      setBusy(false);
      setFailure({ button, isLoad: (error as Error | undefined)?.name === 'ChunkLoadError' });
    });
  };

  return {
    opener: { press, prefetch, failure, busy },
    modal: loaded && <loaded.SignupModal dialog={dialog} />,
  };
}
