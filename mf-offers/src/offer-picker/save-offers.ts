import { type OfferId, pathOf, waitlistCalls } from '@daybook/contract';
import { apiRequest } from '@daybook/platform';

/**
 * How long, in ms, the way to the thank-you page waits for the selection to be saved. Going there does not
 * abort the request; waiting a moment lets the completion notice that the thank-you page sends come after
 * the selection that it completes.
 */
export const saveWaitLimit = 2000;

/**
 * Saves the chosen offers. Settles when they are saved, when that failed, which is only logged (product
 * document, section 4), or after `saveWaitLimit`, whichever is first; never rejects.
 */
export async function saveOffers(id: number, selectedOffers: readonly OfferId[]): Promise<void> {
  const { method } = waitlistCalls.selectOffers;
  const saved = apiRequest(method, pathOf(waitlistCalls.selectOffers, { id }), { selectedOffers }).catch(
    (error: unknown) => {
      console.error('The chosen offers could not be saved:', error);
    },
  );
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, saveWaitLimit);
  await Promise.race([saved, limit.promise]);
  clearTimeout(timer);
}
