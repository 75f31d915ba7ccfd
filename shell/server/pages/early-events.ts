import { createHash } from 'node:crypto';
import { earlyEventsName } from '@daybook/contract';

/**
 * Keeps what visitors press and send before the shell's script is there, for it to repeat: a button that does nothing
 * yet, and a form, which would else be sent by the browser, with what was typed in the address.
 */
export const earlyEventsScript = `{
const kept = new Map(), types = ['click', 'submit'];
const keep = (event) => {
  const { type, target, submitter = null } = event;
  const button = type === 'click' && target.closest('button[type=button]');
  if (type === 'submit') event.preventDefault();
  if (type === 'submit' || button) kept.set(button || target, submitter);
};
for (const type of types) addEventListener(type, keep, true);
globalThis.${earlyEventsName} = () => {
  for (const type of types) removeEventListener(type, keep, true);
  return kept;
};
}`.replaceAll(/\n\s*/g, '');

/** What the security policy of a page names to let an inline script or style pass. */
export const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
