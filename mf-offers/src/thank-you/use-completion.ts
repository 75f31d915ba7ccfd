import { useEffect, useRef, useState } from 'react';
import type { Visitor } from '../visitor/visitor.ts';
import { type CompletionOutcome, completeRegistration } from './completion.ts';

/** The completion callback fires this many ms after completion (product document, section 9). */
export const completionCallbackDelay = 3000;

/**
 * Fired on `window` by the completion callback, for the operator's measurements. It carries nothing: a
 * listener learns that a registration was completed, not whose.
 */
export const completionEventName = 'daybook:registration-complete';

interface Run {
  readonly visit: string;
  readonly outcome: Promise<CompletionOutcome>;
}

/**
 * Completes the visitor's registration once for each visit of the page's address, however often effects run;
 * a reload repeats it, which the API takes as one.
 *
 * @param visitor `undefined` while the page's address is not known yet
 * @returns true from the completion callback on
 */
export function useCompletion(visitor: Visitor | undefined): boolean {
  const { id, email } = visitor ?? {};
  const visit = visitor && JSON.stringify([id, email]);
  const run = useRef<Run>(undefined);
  const [completedVisit, setCompletedVisit] = useState<string>();

  useEffect(() => {
    if (visit === undefined) return;
    if (run.current?.visit !== visit) run.current = { visit, outcome: completeRegistration({ id, email }) };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    run.current.outcome.then((outcome) => {
      if (left || outcome === 'incomplete') return;
      timer = setTimeout(() => {
        setCompletedVisit(visit);
        window.dispatchEvent(new CustomEvent(completionEventName));
      }, completionCallbackDelay);
    });
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [visit, id, email]);

  return visit !== undefined && completedVisit === visit;
}
