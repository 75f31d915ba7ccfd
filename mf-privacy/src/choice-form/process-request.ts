import type { PrivacyRequestKind, SiteSettings } from '@daybook/contract';
import type { Answer, Field } from './fields/field.tsx';
import { recordRequest } from './record-request.ts';

/** Processing takes at least this many ms (product document, section 9). */
export const processingDelay = 1000;

export interface ChoiceRequest {
  readonly kind: PrivacyRequestKind;
  readonly requestName: string;
  /** With the visitor's answers in them. */
  readonly fields: readonly Field[];
  readonly settings: Pick<SiteSettings, 'supportAddress' | 'privacyRequests'>;
}

/** What became of a request. */
export interface ProcessedRequest {
  /** The number under which it is stored; there is none where processing is simulated. */
  readonly reference?: string | undefined;
}

const tidy = (answer: Answer) => (typeof answer === 'string' ? answer.trim() : answer);

/**
 * Processes a request: has it stored, where the operator records requests, and waits; then writes the details to the
 * console, as one text that can be copied whole. Where the operator does not, nothing is sent anywhere (product
 * document, section 4, "Privacy-choice forms").
 *
 * @throws what `recordRequest` throws, after the wait
 */
export async function processRequest({
  kind,
  requestName,
  fields,
  settings,
}: ChoiceRequest): Promise<ProcessedRequest> {
  const details = Object.fromEntries(fields.map(({ name, answer }) => [name, tidy(answer)]));
  const recorded = settings.privacyRequests === 'record' ? recordRequest(kind, details) : undefined;
  const [result] = await Promise.allSettled([recorded, new Promise((resolve) => setTimeout(resolve, processingDelay))]);
  if (result.status === 'rejected') throw result.reason;
  console.log(`${requestName}, intended for ${settings.supportAddress}: ${JSON.stringify(details)}`);
  return { reference: result.value };
}
