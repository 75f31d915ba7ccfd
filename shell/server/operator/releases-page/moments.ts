import { ageOf } from '@daybook/server';
import { type Html, html } from './html.ts';

/** The exact moment, for people: `2026-11-21 14:05:09 UTC`. In ms since the epoch. */
const exactly = (moment: number) => `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** How long ago a moment was, with the exact moment under the pointer. Both in ms since the epoch. */
export function ageElement(moment: number, now: number): Html {
  return html`<time datetime="${new Date(moment).toISOString()}" title="${exactly(moment)}">${ageOf(moment, now)}</time>`;
}

/** The time of day: `14:05:09 UTC`. */
export function timeElement(moment: number): Html {
  return html`<time datetime="${new Date(moment).toISOString()}">${exactly(moment).slice(11)}</time>`;
}
