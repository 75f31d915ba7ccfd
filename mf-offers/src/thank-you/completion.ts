import { callUrls, entryIdIn, pathOf } from '@daybook/contract/calls';
import { ApiError, apiRequest } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useEffect, useRef, useState } from 'react';
import type { Visitor } from '../visitor.ts';

/** Operators distinguish the notices by their `source`. */
export const completionSources = {
  regular: 'thank-you-page',
  fallback: 'thank-you-page-fallback',
  emergency: 'thank-you-page-emergency',
  entryNotFound: 'thank-you-page-entry-not-found',
} as const;

/**
 * Completes a registration (docs/product.md, Completion). Failures are logged, without the email; never rejects.
 *
 * @returns whether a notice for an entry was acknowledged
 */
export async function completeRegistration({ id, email }: Visitor): Promise<boolean> {
  if (id !== undefined) return completeEntry(id);
  if (email === undefined) return false;
  const found = await findEntryId(email);
  if (found !== undefined) return completeEntry(found);
  await sendEmergencyNotice(email);
  return false;
}

async function completeEntry(id: number): Promise<boolean> {
  try {
    await apiRequest(callUrls.updateClientInfo.method, pathOf(callUrls.updateClientInfo, { id }));
    const response = await notifyComplete(id, completionSources.regular);
    return isAccepted(response) || isAccepted(await notifyComplete(id, completionSources.fallback));
  } catch (error) {
    logFailure('The completion notice', error);
    try {
      return isAccepted(await notifyComplete(id, completionSources.emergency));
    } catch (emergencyError) {
      logFailure('The emergency completion notice', emergencyError);
      return false;
    }
  }
}

function notifyComplete(id: number, source: string): Promise<unknown> {
  const { method } = callUrls.notifyComplete;
  const body = { source, timestamp: now(), forceSend: true };
  return apiRequest(method, pathOf(callUrls.notifyComplete, { id }), body);
}

async function sendEmergencyNotice(email: string): Promise<void> {
  const { method, path } = callUrls.sendEmergencyNotice;
  const body = { email, source: completionSources.entryNotFound, timestamp: now() };
  await apiRequest(method, path, body).catch((error: unknown) => logFailure('The emergency notice', error));
}

/** An empty response acknowledges no notice, nor does one with an `error` field. */
function isAccepted(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return Boolean(response);
  return Object.keys(response).length > 0 && !Object.hasOwn(response, 'error');
}

/** Any failure counts as “not found”; a 404 is expected and not logged. */
async function findEntryId(email: string): Promise<number | undefined> {
  const url = `${callUrls.findByEmail.path}?email=${encodeURIComponent(email)}`;
  try {
    const { query } = await import('@daybook/platform/queries');
    return entryIdIn(await query([url]));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) logFailure('The lookup of the registration', error);
    return undefined;
  }
}

/** Logs only the status of an error response: its text may contain the email. */
function logFailure(what: string, error: unknown): void {
  log('error', `${what} failed:`, error instanceof ApiError ? `status ${error.status}` : error);
}

const now = () => new Date().toISOString();

/** In ms. */
const completionCallbackDelay = 3000;

/** Fired on `window` for the operator's analytics; without data, so that a listener doesn't learn whose registration it is. */
export const completionEventName = 'daybook:registration-complete';

/** Completes the visitor's registration once, however often effects run; returns `true` from the callback on. */
export function useCompletion(visitor: Visitor | undefined): boolean {
  const isKnown = visitor !== undefined;
  const { id, email } = visitor ?? {};
  const run = useRef<Promise<boolean>>(undefined);
  const [isComplete, setIsComplete] = useState(false);

  useEffect(() => {
    if (!isKnown) return;
    run.current ??= completeRegistration({ id, email });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    run.current.then((acknowledged) => {
      if (left || !acknowledged) return;
      timer = setTimeout(() => {
        setIsComplete(true);
        window.dispatchEvent(new CustomEvent(completionEventName));
      }, completionCallbackDelay);
    });
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [isKnown, id, email]);

  return isComplete;
}
