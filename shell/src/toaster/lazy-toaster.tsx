import { toastLimits, toastsAtom, toastsExpectedAtom, useAtomValue } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { whenIdle } from '@daybook/platform/when';
import { type ComponentType, startTransition, useEffect, useRef, useState } from 'react';
import type { ToasterProps } from './toaster.tsx';

/**
 * Loads the toaster when a page expects toasts and the browser is idle, when the visitor presses F8, and at the latest with
 * a toast. A failed load is not fatal: important messages are also shown inline.
 */
export function LazyToaster() {
  const toasts = useAtomValue(toastsAtom);
  const expected = useAtomValue(toastsExpectedAtom);
  const [loaded, setLoaded] = useState<ToasterProps & { readonly Toaster: ComponentType<ToasterProps> }>();
  const [presses, setPresses] = useState(0);
  /** True while a load that a press has caused goes on: only then do the notifications take the focus. */
  const pressed = useRef(false);

  useEffect(() => {
    const onKey = ({ code }: KeyboardEvent) => {
      if (code !== toastLimits.hotkey) return;
      pressed.current = true;
      setPresses((before) => before + 1);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  // After a failure, the next toast or press triggers a retry.
  useEffect(() => {
    if (loaded) return;
    const load = () =>
      import(/* webpackChunkName: "toaster" */ './toaster.tsx').then(
        ({ Toaster }) =>
          startTransition(() => setLoaded((before) => before ?? { Toaster, takesFocus: pressed.current })),
        (error: unknown) => {
          pressed.current = false;
          // Ignored before a toast: the toast itself triggers a retry.
          if (toasts.length > 0) log('warn', 'Notifications could not be loaded:', error);
        },
      );
    if (presses > 0 || toasts.length > 0) void load();
    else if (expected) whenIdle(load);
  }, [expected, presses, toasts, loaded]);

  return loaded ? <loaded.Toaster takesFocus={loaded.takesFocus} /> : null;
}
