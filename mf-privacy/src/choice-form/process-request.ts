/** Processing is simulated and takes this many ms (product document, section 9). */
export const processingDelay = 1000;

export interface ChoiceRequest {
  readonly requestName: string;
  /** The mailbox that the request is meant for. */
  readonly supportAddress: string;
  /** The visitor's answers by field name. */
  readonly details: Readonly<Record<string, string>>;
}

/**
 * Stands in for the processing of a request: waits, then writes the details to the console. Nothing is sent
 * anywhere (product document, section 4, "Privacy-choice forms").
 */
export async function processRequest({ requestName, supportAddress, details }: ChoiceRequest): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, processingDelay));
  console.log(`${requestName}, intended for ${supportAddress}:`, details);
}
