import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly id: string;
  readonly open: boolean;
  /** Called when the visitor closes it: by Escape, the close button, or a press outside. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * A dialog for a short task. The native element moves the focus into the dialog and back to its opener, closes on
 * Escape, and makes the page behind inert; the page does not scroll meanwhile. The close button is last, so that the
 * focus starts at the task.
 */
export function Dialog({ id, open, onClose, title, children }: DialogProps) {
  const titleId = `${id}-title`;
  const modal = useModal(open, onClose);
  return (
    <dialog {...modal} id={id} className={styles.dialog} aria-labelledby={titleId}>
      {open && (
        <div className={styles.sheet}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
          <button type="button" className={styles.close} onClick={onClose} aria-label="Close">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M4 4l12 12M16 4L4 16" />
            </svg>
          </button>
        </div>
      )}
    </dialog>
  );
}

/**
 * Opens a native dialog as modal; as an ordinary one in browsers without modal dialogs, and if an extension broke them.
 *
 * @returns closes it
 */
function openModal(dialog: HTMLDialogElement): () => void {
  const { dataset } = document.documentElement;
  // Before showModal(), which needs the page's layout to move the focus: one layout instead of two.
  dataset.modal = '';
  try {
    dialog.showModal();
  } catch {}
  dialog.setAttribute('open', '');
  return () => {
    delete dataset.modal;
    try {
      dialog.close();
    } catch {}
    dialog.removeAttribute('open');
  };
}

/** Opens and closes a native dialog with `open`; returns the properties of its element. */
function useModal(open: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  // A layout effect, because its cleanup still finds the element in the page: only then does close() restore the focus
  // and the page behind when the whole page is removed.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    return openModal(dialog);
  }, [open]);

  return {
    ref,
    onClose: () => {
      if (open) onClose();
    },
    // The sheet fills the dialog, so only presses outside hit the dialog element. A press that began inside, to select
    // text for example, and ended outside does not close it.
    onMouseDown: (event: MouseEvent) => {
      pressedBeside.current = event.target === ref.current;
    },
    onClick: (event: MouseEvent) => {
      if (pressedBeside.current && event.target === ref.current) onClose();
    },
  };
}
