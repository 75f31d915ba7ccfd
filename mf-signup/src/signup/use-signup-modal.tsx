import { showToast } from '@daybook/platform';
import { savesData } from '@daybook/platform/saves-data';
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { signupCopy } from './signup-copy.ts';
import type { SignupModalProps } from './signup-modal.tsx';

/** Time on the page in ms after which the modal is prefetched. */
const reading = 1_000;

/** Properties of a button that opens the modal. */
export type SignupOpener = ReturnType<typeof useSignupModal>['opener'];

/**
 * The modal of docs/product.md (Pages), prefetched so that the press needs no request: after a second on the page, with
 * the first scroll, or on hover or focus of a button that opens it. For a visitor who saves data only on hover or
 * focus.
 */
export function useSignupModal() {
  const [Modal, setModal] = useState<ComponentType<SignupModalProps>>();
  const [open, setOpen] = useState(false);
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

  const press = () => {
    setOpen(true);
    load().catch((error: unknown) => {
      console.error('The signup form could not be loaded:', error);
      setOpen(false);
      const { failureTitle } = signupCopy.toasts;
      showToast({ title: failureTitle, description: signupCopy.unexpectedFailure, variant: 'destructive' });
    });
  };

  return {
    opener: {
      'aria-haspopup': 'dialog' as const,
      onClick: press,
      onPointerEnter: prefetch,
      onFocus: prefetch,
      /** It was pressed, and the modal is still loading. */
      busy: open && !Modal,
    },
    modal: Modal && <Modal open={open} onClose={() => setOpen(false)} />,
  };
}
