interface Submission {
  /** Reference number; `undefined` if processing is simulated. */
  readonly reference: string | undefined;
}

/**
 * A visit of a form's page, which a submitted form belongs to: the visitor who returns to it through the browser's history
 * finds it submitted. Several entries of the history may belong to a visit, one for each query or anchor.
 */
interface Visit {
  /** Resolves to the error message of a failed submission; `undefined` without a submission, and after a failed one. */
  request?: Promise<string | undefined> | undefined;
  submission?: Submission | undefined;
}

/** By history entry; in memory, for what a history entry cannot store. */
const visits = new Map<string, Visit>();

/**
 * Returns the names of a request in the current history entry: by the router's key, and by the URL for entries
 * without a key, such as a document's first. Other scripts may replace the state, which can be anything.
 */
function entryNames(requestName: string): readonly string[] {
  const key: unknown = history.state?.key;
  const names = typeof key === 'string' ? [key, location.href] : [location.href];
  return names.map((name) => `${name} ${requestName}`);
}

/** Returns the visit of the current history entry; a new one on a prerendered page. */
export function visitOfEntry(requestName: string): Visit {
  const [name = ''] = typeof history === 'undefined' ? [] : entryNames(requestName);
  return visits.get(name) ?? {};
}

/** Stores the visit under the current history entry; its submission also in the entry, for Back from another document. */
export function storeVisit(requestName: string, visit: Visit): void {
  const [name = '', nameByUrl] = entryNames(requestName);
  visits.set(name, visit);
  if (nameByUrl !== undefined && !visits.has(nameByUrl)) visits.set(nameByUrl, visit);
  try {
    if (visit.submission)
      history.replaceState({ ...history.state, submitted: { requestName, ...visit.submission } }, '');
  } catch {
    // Browsers limit such changes: Back from another document may show the form again.
  }
}

/**
 * Returns the submission that another document has stored in the current history entry, where the browser comes back to
 * it. A reload of the entry forgets it.
 */
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
