import { jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { axe } from 'jest-axe';

/** The elements of a choice's page that all tests use. */
export const email = () => screen.getByRole('textbox', { name: 'Email address' });
export const button = () => screen.getByRole('button');
export const confirmation = (heading: string) => screen.queryByRole('heading', { level: 2, name: heading });

/** Advances the fake clock by a number of ms. */
export const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

/** Returns axe's findings. Requires the real clock, so call it last in a test. */
export async function accessibilityErrorsOf(container: Element): Promise<readonly unknown[]> {
  jest.useRealTimers();
  return (await axe(container)).violations;
}

let entries = 0;

/** Opens another history entry, like a navigation; returns its state. */
export function openEntry(): unknown {
  entries += 1;
  history.replaceState({ idx: entries, key: `entry-${entries}` }, '', `?entry=${entries}`);
  return history.state;
}
