import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly id: string;
  readonly open: boolean;
  /** The visitor wants it closed: Escape, the close button, or a press beside it. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * A short task on top of the page. The native dialog does what matters: focus goes in and comes back to
 * what opened it, Escape closes, the page behind can't be reached, and it does not scroll meanwhile.
 * The close button is last, so that focus starts at the task and not at the way out.
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

/** Opens and closes a native dialog with `open`; returns the properties of its element. */
function useModal(open: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  // A layout effect, since its cleanup still finds the element in the page: only then does close() give
  // the focus back and free the page behind when the whole page is taken away.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    dialog.showModal();
    return () => dialog.close();
  }, [open]);

  return {
    ref,
    onClose: () => {
      if (open) onClose();
    },
    // The sheet fills the dialog, so the dialog itself is only hit beside it. A press that began inside,
    // to select text for example, and slipped out does not close.
    onMouseDown: (event: MouseEvent) => {
      pressedBeside.current = event.target === ref.current;
    },
    onClick: (event: MouseEvent) => {
      if (pressedBeside.current && event.target === ref.current) onClose();
    },
  };
}
