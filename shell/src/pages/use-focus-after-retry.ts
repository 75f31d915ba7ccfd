import { useEffect } from 'react';
import { focusPage } from '../frame/focus-page.ts';

let retried = false;

/** Says that a retry is under way (or is over): the page that it brings takes the focus of the button that is gone. */
export function setRetried(value: boolean): void {
  retried = value;
}

/** For a page that has arrived: takes the focus where a retry brought it. */
export function useFocusAfterRetry(): void {
  useEffect(() => {
    if (retried) focusPage();
    retried = false;
  }, []);
}
