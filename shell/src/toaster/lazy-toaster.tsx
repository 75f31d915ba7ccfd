import { toastLimits, toastsAtom, useAtomValue } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { ToasterProps } from './toaster.tsx';

/**
 * Loads the toaster when the visitor focuses a form, the usual source of toasts, or presses F8, and at the latest with a
 * toast. A failed load is not fatal: important messages are also shown inline.
 */
export function LazyToaster() {
  const toasts = useAtomValue(toastsAtom);
  const [loaded, setLoaded] = useState<ToasterProps & { readonly Toaster: ComponentType<ToasterProps> }>();
  const [formUsed, setFormUsed] = useState(false);
  const [presses, setPresses] = useState(0);
  /** True while a load that a press has caused goes on: only then do the notifications take the focus. */
  const pressed = useRef(false);

  useEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (target instanceof Element && target.closest('form')) setFormUsed(true);
    };
    const onKey = ({ code }: KeyboardEvent) => {
      if (code !== toastLimits.hotkey) return;
      pressed.current = true;
      setPresses((before) => before + 1);
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey);
    };
  }, []);

  const needed = formUsed || presses > 0 || toasts.length > 0;
  // After a failure, the next toast or press triggers a retry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!needed || loaded) return;
    import(/* webpackChunkName: "toaster" */ './toaster.tsx').then(
      ({ Toaster }) => setLoaded((before) => before ?? { Toaster, takesFocus: pressed.current }),
      (error: unknown) => {
        pressed.current = false;
        // Ignored before a toast: the toast itself triggers a retry.
        if (toasts.length > 0) log('warn', 'Notifications could not be loaded:', error);
      },
    );
  }, [needed, presses, toasts, loaded]);

  return loaded ? <loaded.Toaster takesFocus={loaded.takesFocus} /> : null;
}
