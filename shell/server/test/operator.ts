import { type Answer, send } from './send.ts';

/** What a running site of a test is given as its `OPERATOR_TOKEN`. */
export const operatorToken = 'operator-token-of-a-test';

export const bearer = { Authorization: `Bearer ${operatorToken}` };

/** Makes a change on the operator's page, as a script would. */
export function changeRelease(address: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  return send(address, '/_releases', {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { ...bearer, 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}
