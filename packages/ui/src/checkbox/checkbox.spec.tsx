import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { Checkbox } from './checkbox.tsx';

const common = { id: 'health', name: 'categories', label: 'Health Information' };

test('tells the other state when its label is pressed', async () => {
  const change = jest.fn();
  const { rerender } = render(<Checkbox {...common} checked={false} onChange={change} />);
  await userEvent.click(screen.getByText('Health Information'));
  expect(change).toHaveBeenLastCalledWith(true);

  rerender(<Checkbox {...common} checked onChange={change} />);
  expect(screen.getByRole('checkbox', { name: 'Health Information' })).toBeChecked();
  await userEvent.click(screen.getByRole('checkbox'));
  expect(change).toHaveBeenLastCalledWith(false);
});

test('reads its description out after its label', async () => {
  const { container } = render(
    <Checkbox {...common} description="Treatments and diagnoses" checked={false} onChange={() => undefined} />,
  );
  expect(screen.getByRole('checkbox', { name: 'Health Information' })).toHaveAccessibleDescription(
    'Treatments and diagnoses',
  );
  expect((await axe(container)).violations).toEqual([]);
});
