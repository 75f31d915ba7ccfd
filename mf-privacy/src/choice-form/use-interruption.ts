import { useEffect, useState } from 'react';

export interface Interruption {
  /** Text of a native alert. */
  readonly alert?: string | undefined;
  /** Id of the element that has the focus afterwards; without one it stays where it is. */
  readonly focusId?: string | undefined;
}

/**
 * Gives a function that interrupts the visitor once the page shows what it is about. A native alert stops
 * everything, rendering included, and browsers may suppress it: the text on the page comes first.
 */
export function useInterruption(): (interruption: Interruption) => void {
  const [interruption, setInterruption] = useState<Interruption>();
  useEffect(() => {
    if (interruption?.alert !== undefined) alert(interruption.alert);
    if (interruption?.focusId !== undefined) document.getElementById(interruption.focusId)?.focus();
  }, [interruption]);
  return setInterruption;
}
