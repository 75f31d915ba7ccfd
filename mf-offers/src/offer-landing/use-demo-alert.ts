import { useEffect, useState } from 'react';

/**
 * Says something in a native alert and, to stay, on the page. The page is first: an alert stops everything,
 * rendering included, and browsers may suppress it.
 *
 * @returns `text`, to be shown in a status, empty until `show` is called
 */
export function useDemoAlert(message: string): { readonly text: string; readonly show: () => void } {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (shown > 0) alert(message);
  }, [shown, message]);
  return { text: shown > 0 ? message : '', show: () => setShown((before) => before + 1) };
}
