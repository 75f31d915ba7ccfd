import type { Answer, Field } from './fields/field.tsx';

/** Processing is simulated and takes this many ms (product document, section 9). */
export const processingDelay = 1000;

export interface ChoiceRequest {
  readonly requestName: string;
  /** The mailbox that the request is meant for. */
  readonly supportAddress: string;
  /** With the visitor's answers in them. */
  readonly fields: readonly Field[];
}

const tidy = (answer: Answer) => (typeof answer === 'string' ? answer.trim() : answer);

/**
 * Stands in for the processing of a request: waits, then writes the details to the console, as one text that
 * can be copied whole. Nothing is sent anywhere (product document, section 4, "Privacy-choice forms").
 */
export async function processRequest({ requestName, supportAddress, fields }: ChoiceRequest): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, processingDelay));
  const details = Object.fromEntries(fields.map(({ name, answer }) => [name, tidy(answer)]));
  console.log(`${requestName}, intended for ${supportAddress}: ${JSON.stringify(details)}`);
}
