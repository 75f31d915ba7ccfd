import { log } from '@daybook/platform/log';
import { savesData } from '@daybook/platform/saves-data';
import { whenIdle } from '@daybook/platform/when';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Time on the page in ms after which the modal is prefetched. */
const reading = 1_000;

/** Whether the code could not be loaded, rather than threw. */
export const isLoadFailure = (error: unknown) => (error as Error | undefined)?.name === 'ChunkLoadError';

/** State and actions of the buttons that open the modal. */
export type SignupOpener = ReturnType<typeof useSignupModal>['opener'];

/**
 * The modal of docs/product.md (Home), mounted while it is closed, so that the press only opens it: after a second on the
 * page or with the first scroll, when the browser is idle, or on hover or focus of a button that opens it. For a visitor
 * who saves data only on hover or focus.
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
    // Drops a failure, so that the next press retries.
    loading.current.catch(() => {
      loading.current = undefined;
    });
    return loading.current;
  }, []);

  /** Ignores failures: the press retries and reports them. */
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

  const press = (button: string) => {
    setFailure(undefined);
    // At once: a state would render the page first.
    if (dialog.current) return loaded?.showDialog(dialog.current);
    setBusy(true);
    load().catch((error: unknown) => {
      log('error', 'The signup form could not be opened:', error);
      setBusy(false);
      setFailure({ button, isLoad: isLoadFailure(error) });
    });
  };

  return {
    opener: {
      /** Called with the id of the pressed button. */
      press,
      prefetch,
      /** Of the press that failed: the id of its button, and whether the modal's code could not be loaded. */
      failure,
      busy,
    },
    modal: loaded && <loaded.SignupModal dialog={dialog} />,
  };
}
