import { log } from '@daybook/platform/log';
import { savesData } from '@daybook/platform/saves-data';
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import type { SignupModalProps } from './signup-modal.tsx';

/** Time on the page in ms after which the modal is prefetched. */
const reading = 1_000;

/** Whether the code could not be loaded, rather than threw. */
export const isLoadFailure = (error: unknown) => (error as Error | undefined)?.name === 'ChunkLoadError';

/** State and actions of the buttons that open the modal. */
export type SignupOpener = ReturnType<typeof useSignupModal>['opener'];

/**
 * The modal of docs/product.md (Home), prefetched so that the press needs no request: after a second on the page, with
 * the first scroll, or on hover or focus of a button that opens it. For a visitor who saves data only on hover or
 * focus.
 */
export function useSignupModal() {
  const [Modal, setModal] = useState<ComponentType<SignupModalProps>>();
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<{ readonly button: string; readonly isLoad: boolean }>();
  const loading = useRef<Promise<void>>(undefined);

  const load = useCallback(() => {
    loading.current ??= import('./signup-modal.tsx').then(({ SignupModal }) => setModal(() => SignupModal));
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
    const timer = setTimeout(prefetch, reading);
    addEventListener('scroll', prefetch, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', prefetch);
    };
  }, [prefetch]);

  const press = (button: string) => {
    setOpen(true);
    setFailure(undefined);
    load().catch((error: unknown) => {
      log('error', 'The signup form could not be opened:', error);
      setOpen(false);
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
      /** It was pressed, and the modal is still loading. */
      busy: open && !Modal,
    },
    modal: Modal && <Modal open={open} onClose={() => setOpen(false)} />,
  };
}
