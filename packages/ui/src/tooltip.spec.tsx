import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

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

const show = () =>
  render(
    <TooltipProvider>
      <Tooltip content="Paid for by the sponsor">
        <button type="button">Sponsored</button>
      </Tooltip>
      <Tooltip content="Printed in the newsletter">
        <button type="button">Advertisement</button>
      </Tooltip>
    </TooltipProvider>,
  );
const sponsored = () => screen.getByRole('button', { name: 'Sponsored' });
const hover = (name: string) => fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' });
/** Simulates a browser's events of a tap: focus comes after the finger has left. */
const tap = (button: HTMLElement) => {
  fireEvent.pointerDown(button, { pointerType: 'touch' });
  fireEvent.pointerUp(button, { pointerType: 'touch' });
  if (document.activeElement !== button) fireEvent.focus(button);
  fireEvent.click(button);
};
const pass = (time: number) => act(() => jest.advanceTimersByTime(time));

test('a tooltip shows on a tap, hides on a second one', () => {
  show();
  const button = sponsored();
  act(() => tap(button));
  expect(screen.getByRole('tooltip')).toBeVisible();
  act(() => button.focus());
  act(() => tap(button));
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test.each([
  [299, ['Printed in the newsletter']],
  [300, []],
])('a tooltip shows after 700 ms, and %d ms after one was hidden the next at once: %j', (away, next) => {
  show();
  const shown = () => screen.queryAllByRole('tooltip').map(({ textContent }) => textContent);
  hover('Sponsored');
  pass(699);
  expect(shown()).toEqual([]);
  pass(1);
  expect(shown()).toEqual(['Paid for by the sponsor']);
  fireEvent.keyDown(document, { key: 'Escape' });
  fireEvent.pointerLeave(sponsored());
  pass(away);
  hover('Advertisement');
  expect(shown()).toEqual(next);
});
