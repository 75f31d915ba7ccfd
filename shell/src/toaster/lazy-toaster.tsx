import { toastLimits, toastsAtom, useAtomValue } from '@daybook/platform';
import { type ComponentType, useEffect, useState } from 'react';
import type { ToasterProps } from './toaster.tsx';

/**
 * Loads the toaster when the visitor focuses a form, the usual source of toasts, or presses F8, and at the latest with a
 * toast. A failed load is not fatal: important messages are also shown inline.
 */
export function LazyToaster() {
  const toasts = useAtomValue(toastsAtom);
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>();
  const [reason, setReason] = useState<'form' | 'hotkey'>();

  useEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (target instanceof Element && target.closest('form')) setReason((before) => before ?? 'form');
    };
    const onKey = ({ code }: KeyboardEvent) => {
      if (code === toastLimits.hotkey) setReason('hotkey');
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey);
    };
  }, []);

  const needed = reason !== undefined || toasts.length > 0;
  // After a failure, the next toast triggers a retry.
  useEffect(() => {
    if (!needed || Toaster) return;
    import(/* webpackChunkName: "toaster" */ './toaster.tsx').then(
      (module) => setToaster(() => module.Toaster),
      (error: unknown) => {
        // Ignored before a toast: the toast itself triggers a retry.
        if (toasts.length > 0) console.warn('Notifications could not be loaded:', error);
      },
    );
  }, [needed, toasts, Toaster]);

  return Toaster ? <Toaster takesFocus={reason === 'hotkey'} /> : null;
}
