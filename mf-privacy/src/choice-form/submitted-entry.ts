import type { ProcessedRequest } from './process-request.ts';

/** Another with each page load: what an earlier one wrote counts no more, so that reloading brings the form back. */
const pageLoad = Math.random();

interface Mark extends ProcessedRequest {
  readonly pageLoad: number;
  readonly requestName: string;
}

/** Beside the router's own values in the state of a history entry. */
const key = 'submittedChoice';

/** Notes in the current history entry that this request was submitted from it; nothing else in the entry changes. */
export function markSubmitted(requestName: string, { reference }: ProcessedRequest): void {
  const mark: Mark = { pageLoad, requestName, reference };
  history.replaceState({ ...history.state, [key]: mark }, '');
}

/**
 * What became of this request, where it was submitted from the current history entry since the page was loaded. Where
 * there is no history, that is while a release's fragment is made, nothing was.
 */
export function submittedRequest(requestName: string): ProcessedRequest | undefined {
  if (typeof history === 'undefined') return undefined;
  const mark: Mark | undefined = history.state?.[key];
  return mark?.pageLoad === pageLoad && mark.requestName === requestName ? mark : undefined;
}
