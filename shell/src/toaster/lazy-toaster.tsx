import { toastsAtom, useAtomValue } from '@daybook/platform';
import { lazy, Suspense } from 'react';

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }));

/** Loads the toaster with the first toast: until then there is nothing to show, and nothing for F8 to go to. */
export function LazyToaster() {
  const used = useAtomValue(toastsAtom).length > 0;
  return used ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
