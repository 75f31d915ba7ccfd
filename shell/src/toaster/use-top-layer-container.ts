import { toastsAtom, useAtomValue } from '@daybook/platform';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import styles from './toaster.module.css';

function createContainer(): HTMLElement {
  const container = document.createElement('div');
  container.className = styles.container ?? '';
  document.body.append(container);
  return container;
}

/**
 * An element for toasts that is never hidden by a modal dialog: everything outside of an open one is covered
 * and inert, so the element moves into it, and back to the body once it is closed. Moving the element keeps
 * what is rendered in it, timers included.
 */
export function useTopLayerContainer(): HTMLElement {
  const [container] = useState(createContainer);
  const toasts = useAtomValue(toastsAtom);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast or page is a reason to look for the dialog again
  useEffect(() => {
    const move = () => {
      const home = document.querySelector('dialog:modal') ?? document.body;
      if (container.parentElement !== home) home.append(container);
    };
    move();
    // Fires when a dialog opens or closes; it does not bubble, hence the capture.
    document.addEventListener('toggle', move, true);
    return () => document.removeEventListener('toggle', move, true);
  }, [container, toasts, key]);

  return container;
}
