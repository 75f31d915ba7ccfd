import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Tooltip, TooltipProvider, tooltipDelays } from './tooltip.tsx';

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

test('a tooltip has the delays of docs/product.md', () => {
  expect(tooltipDelays).toEqual({ hover: 700, skip: 300 });
});

test('a tooltip shows after the pointer has rested for the hover delay', () => {
  show();
  hover('Sponsored');
  pass(tooltipDelays.hover - 1);
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(1);
  expect(screen.getByRole('tooltip')).toHaveTextContent('Paid for by the sponsor');
});

test('a tooltip shows at once on focus and describes its element', async () => {
  const { container } = show();
  await act(async () => fireEvent.focus(sponsored()));
  expect(sponsored()).toHaveAccessibleDescription('Paid for by the sponsor');
  jest.useRealTimers();
  expect((await axe(container)).violations).toEqual([]);
});

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
  [tooltipDelays.skip - 1, 'at once'],
  [tooltipDelays.skip, 'after the hover delay'],
])('%d ms after one tooltip was hidden, the next shows %s', (away, when) => {
  show();
  hover('Sponsored');
  pass(tooltipDelays.hover);
  expect(screen.getByRole('tooltip')).toHaveTextContent('Paid for by the sponsor');
  fireEvent.keyDown(document, { key: 'Escape' });
  fireEvent.pointerLeave(sponsored());
  pass(away);
  hover('Advertisement');
  const shown = screen.queryAllByRole('tooltip').map(({ textContent }) => textContent);
  expect(shown).toEqual(when === 'at once' ? ['Printed in the newsletter'] : []);
});

test.each([
  ['missing', undefined],
  ['something else', () => undefined],
  ['without methods', class {}],
])('a control stays without its tooltip if the observers of the browser are %s', async (_how, observer) => {
  const { ResizeObserver, IntersectionObserver } = globalThis;
  const error = jest.spyOn(console, 'error').mockReturnValue();
  Object.assign(globalThis, { ResizeObserver: observer, IntersectionObserver: observer });
  try {
    show();
    await act(async () => fireEvent.focus(sponsored()));
    expect(sponsored()).toHaveTextContent('Sponsored');
  } finally {
    Object.assign(globalThis, { ResizeObserver, IntersectionObserver });
    error.mockRestore();
  }
});
