import { showToast } from '@daybook/platform';
import { savesData } from '@daybook/platform/saves-data';
import { type ComponentType, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { signupCopy } from './signup-copy.ts';
import type { SignupModalProps } from './signup-modal.tsx';

/** Who is on the page for this many ms is reading it, and may turn to the form next. */
const reading = 1_000;

/** What makes a button open the modal. */
export interface SignupOpener {
  readonly 'aria-haspopup': 'dialog';
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
  /** It was pressed, and the modal is still on its way. */
  readonly busy: boolean;
}

/**
 * The modal of docs/product.md (Pages), loaded ahead of the press, so that the press itself has nothing to wait
 * for: when the page has been read for a second, with the first scroll, or when pointer or focus come to a button that
 * opens it. Of a visitor who saves data only the last counts.
 */
export function useSignupModal(): { readonly opener: SignupOpener; readonly modal: ReactNode } {
  const [Modal, setModal] = useState<ComponentType<SignupModalProps>>();
  const [open, setOpen] = useState(false);
  const loading = useRef<Promise<void>>(undefined);

  const load = useCallback(() => {
    loading.current ??= import('./signup-modal.tsx').then(({ SignupModal }) => setModal(() => SignupModal));
    // A failure is forgotten, so that the next press tries again.
    loading.current.catch(() => {
      loading.current = undefined;
    });
    return loading.current;
  }, []);

  /** A failure ahead of a press is no news: the press tries again, and tells. */
  const loadAhead = useCallback(() => {
    load().catch(() => undefined);
  }, [load]);

  useEffect(() => {
    if (savesData()) return;
    const timer = setTimeout(loadAhead, reading);
    addEventListener('scroll', loadAhead, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', loadAhead);
    };
  }, [loadAhead]);

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
      'aria-haspopup': 'dialog',
      onClick: press,
      onPointerEnter: loadAhead,
      onFocus: loadAhead,
      busy: open && !Modal,
    },
    modal: Modal && <Modal open={open} onClose={() => setOpen(false)} />,
  };
}
