import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { useModal } from './use-modal.ts';

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
