interface Submission {
  /** Reference number; `undefined` if the request is not stored. */
  readonly reference: string | undefined;
}

/** A visit of a form's page: Back finds a submitted form submitted. Each anchor of the page is a history entry. */
interface Visit {
  /** Resolves to the error message of a failed submission. */
  request?: Promise<string | undefined> | undefined;
  submission?: Submission | undefined;
}

/** By `history.state.key`, which the shell sets. */
const visits = new Map<unknown, Visit>();

/** Returns the visit of the current history entry; a new one on a prerendered page. */
export const visitOfEntry = (): Visit =>
  (typeof history === 'undefined' ? undefined : visits.get(history.state?.key)) ?? {};

/** Stores the visit under the current history entry; its submission also in the entry, for Back from another document. */
export function storeVisit(requestName: string, visit: Visit): void {
  const key: unknown = history.state?.key;
  if (typeof key === 'string') visits.set(key, visit);
  try {
    if (visit.submission)
      history.replaceState({ ...history.state, submitted: { requestName, ...visit.submission } }, '');
  } catch {
    // Browsers limit such changes: Back from another document may show the form again.
  }
}

/** Returns the submission that another document has stored in the current history entry; a reload forgets it. */
export function submissionOfEntry(name: string): Submission | undefined {
  try {
    const { requestName, reference } = history.state.submitted;
    if (requestName !== name) return undefined;
    const [entry] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    if (entry.type !== 'reload' || entry.name !== location.href)
      return { reference: typeof reference === 'string' ? reference : undefined };
    history.replaceState({ ...history.state, submitted: undefined }, '');
  } catch {
    // Other scripts may have stored anything, or have replaced the timeline.
  }
  return undefined;
}
