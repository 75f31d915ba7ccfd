import { toastsAtom, useAtomValue } from '@daybook/platform';
import { type ComponentType, useEffect, useState } from 'react';

/**
 * Loads the toaster as soon as the visitor turns to a form, since that is where toasts come from, and at the latest
 * with a toast. Where it can't be loaded the site goes on without it: what matters also stands inline.
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
  // After a failure, the next toast is a reason to try again.
  useEffect(() => {
    if (!needed || Toaster) return;
    import(/* webpackChunkName: "toaster" */ './toaster.tsx').then(
      (module) => setToaster(() => module.Toaster),
      (error: unknown) => {
        // Ahead of a toast that is no news yet: the toast itself tries again.
        if (toasts.length > 0) console.warn('Notifications could not be loaded:', error);
      },
    );
  }, [needed, toasts, Toaster]);

  return Toaster ? <Toaster /> : null;
}
