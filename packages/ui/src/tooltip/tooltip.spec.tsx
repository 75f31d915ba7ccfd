import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Tooltip, TooltipGroup, tooltipDelays } from './tooltip.tsx';

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
    <TooltipGroup>
      <Tooltip content="Paid for by the sponsor">
        <button type="button">Sponsored</button>
      </Tooltip>
    </TooltipGroup>,
  );
  await act(async () => fireEvent.focus(screen.getByRole('button')));
  expect(screen.getByRole('button', { name: 'Sponsored' })).toHaveAccessibleDescription('Paid for by the sponsor');
  jest.useRealTimers();
  expect((await axe(container)).violations).toEqual([]);
});
