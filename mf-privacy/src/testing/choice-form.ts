import { screen } from '@testing-library/react';

export const email = () => screen.getByRole('textbox', { name: 'Email address' });
export const button = () => screen.getByRole('button');

/** The response to a stored request. */
export const reference = 'K7QM-3XTA-9VD2';
export const stored = () => Response.json({ reference, dueAt: '2026-11-23T12:00:00.000Z' }, { status: 201 });

let entries = 0;

/** Opens another history entry, like a navigation; returns its state. */
export function openEntry(): unknown {
  entries += 1;
  history.replaceState({ idx: entries, key: `entry-${entries}` }, '', `?entry=${entries}`);
  return history.state;
}
