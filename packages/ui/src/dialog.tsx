import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly id: string;
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * A dialog for a short task, closed until `showDialog`. Its content is rendered also while it is closed, so that opening it
 * renders nothing. The native element moves the focus into the dialog and back to its opener, closes on Escape, and makes
 * the page behind inert; the page does not scroll meanwhile. The close button is last, so that the focus starts at the task.
 */
export function Dialog({ id, ref, title, children }: DialogProps) {
  const titleId = `${id}-title`;
  const pressedBeside = useRef(false);
  // A layout effect, because its cleanup still finds the element in the page: only then does close() restore the focus
  // and the page behind when the whole page is removed.
  useLayoutEffect(() => () => closeDialog(ref.current), [ref]);
  const close = () => closeDialog(ref.current);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      id={id}
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      // It may be open again by the time of the event.
      onClose={({ currentTarget }) => currentTarget.open || unlockPage()}
      // The sheet fills the dialog, so only presses outside hit the dialog element. A press that began inside, to select
      // text for example, and ended outside does not close it.
      onMouseDown={({ target }: MouseEvent) => {
        pressedBeside.current = target === ref.current;
      }}
      onClick={({ target }: MouseEvent) => {
        if (pressedBeside.current && target === ref.current) close();
      }}
    >
      <div className={styles.sheet}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {children}
        <button type="button" className={styles.close} onClick={close} aria-label="Close">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M4 4l12 12M16 4L4 16" />
          </svg>
        </button>
      </div>
    </dialog>
  );
}

function unlockPage(): void {
  delete document.documentElement.dataset.modal;
}

/** Opens a dialog as modal; as an ordinary one in browsers without modal dialogs, and if an extension broke them. */
export function showDialog(dialog: HTMLDialogElement | null): void {
  if (!dialog) return;
  // Before showModal(), which needs the page's layout to move the focus: one layout instead of two.
  document.documentElement.dataset.modal = '';
  try {
    dialog.showModal();
  } catch {}
  dialog.setAttribute('open', '');
}

export function closeDialog(dialog: HTMLDialogElement | null): void {
  if (!dialog?.open) return;
  unlockPage();
  try {
    dialog.close();
  } catch {}
  dialog.removeAttribute('open');
}
