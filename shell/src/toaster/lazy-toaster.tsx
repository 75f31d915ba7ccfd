import { toastLimits, toastsAtom, toastsExpectedAtom, useAtomValue } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { whenIdle } from '@daybook/platform/when';
import { type ComponentType, startTransition, useEffect, useRef, useState } from 'react';
import type { ToasterProps } from './toaster.tsx';

/** Loads the toaster when a page expects toasts and the browser is idle, on F8, or with a toast, and again after a failure. */
export function LazyToaster() {
  const toasts = useAtomValue(toastsAtom);
  const expected = useAtomValue(toastsExpectedAtom);
  const [loaded, setLoaded] = useState<ToasterProps & { readonly Toaster: ComponentType<ToasterProps> }>();
  const [presses, setPresses] = useState(0);
  /** The notifications take the focus if a press has loaded them. */
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

  useEffect(() => {
    if (loaded) return;
    const load = () =>
      import(/* webpackChunkName: "toaster" */ './toaster.tsx').then(
        ({ Toaster }) =>
          startTransition(() => setLoaded((before) => before ?? { Toaster, takesFocus: pressed.current })),
        (error: unknown) => {
          pressed.current = false;
          if (toasts.length > 0) log('warn', 'Notifications could not be loaded:', error);
        },
      );
    if (presses > 0 || toasts.length > 0) void load();
    else if (expected) whenIdle(load);
  }, [expected, presses, toasts, loaded]);

  return loaded ? <loaded.Toaster takesFocus={loaded.takesFocus} /> : null;
}
