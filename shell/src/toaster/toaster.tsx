import { dismissToast, toastLimits, toastsAtom, useAtomValue } from '@daybook/platform';
import * as RadixToast from '@radix-ui/react-toast';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import styles from './toaster.module.css';

/** Escape in a toast dismisses only the toast, not the dialog around it as well. */
function keepDialogOpen(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.preventDefault();
}

/** A constant: for a new array Radix subscribes anew, and misses a press. */
const hotkey = [toastLimits.hotkey];

export interface ToasterProps {
  /** True if the hotkey was pressed before this was loaded: the notifications take the focus at once. */
  readonly takesFocus: boolean;
}

/** Shows the platform's toasts, with the constants of docs/product.md (Constants). */
export function Toaster({ takesFocus }: ToasterProps) {
  const toasts = useAtomValue(toastsAtom);
  const container = useTopLayerContainer();
  const viewport = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later presses are handled by the viewport
  useEffect(() => {
    if (takesFocus) viewport.current?.focus();
  }, []);
  return createPortal(
    <RadixToast.Provider
      duration={toastLimits.duration}
      swipeDirection="right"
      swipeThreshold={toastLimits.swipeThreshold}
      announcerContainer={container}
    >
      {toasts.map(({ id, open, title, description, variant = 'default' }) => (
        <RadixToast.Root
          key={id}
          className={styles[variant]}
          open={open}
          onOpenChange={(nowOpen) => {
            if (!nowOpen) dismissToast(id);
          }}
        >
          <RadixToast.Title className={styles.title}>{title}</RadixToast.Title>
          {description && <RadixToast.Description className={styles.description}>{description}</RadixToast.Description>}
          <RadixToast.Close className={styles.close} aria-label="Dismiss this notification">
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.5" />
            </svg>
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport ref={viewport} className={styles.viewport} data-empty="No notifications" hotkey={hotkey} />
    </RadixToast.Provider>,
    container,
  );
}

function createContainer(): HTMLElement {
  const container = document.createElement('div');
  container.className = styles.container ?? '';
  // Not as a property of React's: Radix renders toasts as portals, whose events do not reach the viewport.
  container.addEventListener('keydown', keepDialogOpen);
  document.body.append(container);
  return container;
}

/** Fire when a dialog opens or closes; not all browsers have `toggle` for dialogs, and an opening one takes the focus. */
const dialogEvents = ['toggle', 'close', 'focusin'] as const;

/** Returns an element for toasts, which moves into an open modal dialog: everything outside is covered and inert. */
function useTopLayerContainer(): HTMLElement {
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
    for (const type of dialogEvents) document.addEventListener(type, move, true);
    return () => {
      for (const type of dialogEvents) document.removeEventListener(type, move, true);
    };
  }, [container, toasts, key]);

  return container;
}
