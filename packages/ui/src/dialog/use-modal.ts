import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly onClose: () => void;
  readonly onMouseDown: (event: MouseEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
}

/** Keeps a native dialog in step with `open`; gives the properties that the `dialog` element takes. */
export function useModal(open: boolean, onClose: () => void): Modal {
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
    onMouseDown: (event) => {
      pressedBeside.current = event.target === ref.current;
    },
    onClick: (event) => {
      if (pressedBeside.current && event.target === ref.current) onClose();
    },
  };
}
