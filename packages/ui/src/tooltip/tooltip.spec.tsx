import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Tooltip, tooltipDelays } from './tooltip.tsx';

beforeEach(() => {
  jest.useFakeTimers();
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
afterEach(() => {
  jest.useRealTimers();
});

const hover = (name: string) => fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' });
/** What a browser makes of a finger that taps: focus comes after the finger has left. */
const tap = (button: HTMLElement) => {
  fireEvent.pointerDown(button, { pointerType: 'touch' });
  fireEvent.pointerUp(button, { pointerType: 'touch' });
  if (document.activeElement !== button) fireEvent.focus(button);
  fireEvent.click(button);
};
const pass = (time: number) => act(() => jest.advanceTimersByTime(time));

test('has the delays of the product document', () => {
  expect(tooltipDelays).toEqual({ hover: 700, skip: 300 });
});

test('shows when the pointer has rested for the hover delay', () => {
  render(
    <Tooltip content="Paid for by the sponsor">
      <button type="button">Sponsored</button>
    </Tooltip>,
  );
  hover('Sponsored');
  pass(tooltipDelays.hover - 1);
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(1);
  expect(screen.getByRole('tooltip')).toHaveTextContent('Paid for by the sponsor');
});

test('shows at once on focus and describes what it is about', async () => {
  const { container } = render(
    <Tooltip content="Paid for by the sponsor">
      <button type="button">Sponsored</button>
    </Tooltip>,
  );
  await act(async () => fireEvent.focus(screen.getByRole('button')));
  expect(screen.getByRole('button', { name: 'Sponsored' })).toHaveAccessibleDescription('Paid for by the sponsor');
  jest.useRealTimers();
  expect((await axe(container)).violations).toEqual([]);
});

test('a tap shows it, a second one hides it', () => {
  render(
    <Tooltip content="Paid for by the sponsor">
      <button type="button">Sponsored</button>
    </Tooltip>,
  );
  const button = screen.getByRole('button');
  act(() => tap(button));
  expect(screen.getByRole('tooltip')).toBeVisible();
  act(() => button.focus());
  act(() => tap(button));
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test.each([
  [tooltipDelays.skip - 1, 'at once'],
  [tooltipDelays.skip, 'after the hover delay'],
])('%d ms after it went, it shows %s', (away, when) => {
  render(
    <Tooltip content="Paid for by the sponsor">
      <button type="button">Sponsored</button>
    </Tooltip>,
  );
  hover('Sponsored');
  pass(tooltipDelays.hover);
  fireEvent.keyDown(document, { key: 'Escape' });
  fireEvent.pointerLeave(screen.getByRole('button'));
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(away);
  hover('Sponsored');
  expect(screen.queryAllByRole('tooltip')).toHaveLength(when === 'at once' ? 1 : 0);
});
