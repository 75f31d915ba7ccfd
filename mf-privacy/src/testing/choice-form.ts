import { jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { axe } from 'jest-axe';

/** The parts of a choice's page that all tests look at. */
export const email = () => screen.getByRole('textbox', { name: 'Email address' });
export const button = () => screen.getByRole('button');
export const confirmation = (heading: string) => screen.queryByRole('heading', { level: 2, name: heading });

/** Moves the fake clock on by so many ms. */
export const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

/** What axe finds. It needs the real clock, so it comes last in a test. */
export async function problemsOf(container: Element): Promise<readonly unknown[]> {
  jest.useRealTimers();
  return (await axe(container)).violations;
}

let entries = 0;

/** Opens another entry of the browser's history, as a navigation does. */
export function openEntry(): void {
  entries += 1;
  history.replaceState({ idx: entries, key: `entry-${entries}` }, '');
}
