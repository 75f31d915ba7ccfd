import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly id: string;
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * A dialog for a short task, closed until `showDialog`. Its content is rendered before that, so that opening renders nothing.
 * The close button is last, so that the focus starts at the task.
 */
export function Dialog({ id, ref, title, children }: DialogProps) {
  const titleId = `${id}-title`;
  const pressedBeside = useRef(false);
  // The cleanup of a layout effect still finds the element in the page: only then does close() restore the focus.
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
      // The sheet fills the dialog, so that only presses beside it hit the element. One that began inside does not close it.
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

/** Opens a dialog as modal; as an ordinary one if an extension broke modal dialogs. */
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
