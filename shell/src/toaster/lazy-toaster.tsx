import { toastsAtom, useAtomValue } from '@daybook/platform';
import { type ComponentType, useEffect, useState } from 'react';

/**
 * Loads the toaster when the visitor focuses a form, the usual source of toasts, and at the latest with a toast. A
 * failed load is not fatal: important messages are also shown inline.
 */
export function LazyToaster() {
  const toasts = useAtomValue(toastsAtom);
  const [Toaster, setToaster] = useState<ComponentType>();
  const [wanted, setWanted] = useState(false);

  useEffect(() => {
    const want = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('form')) setWanted(true);
    };
    document.addEventListener('focusin', want);
    return () => document.removeEventListener('focusin', want);
  }, []);

  const needed = wanted || toasts.length > 0;
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

  return Toaster ? <Toaster /> : null;
}
