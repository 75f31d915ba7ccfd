import { describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { Button, ButtonLink } from './button.tsx';

const button = () => screen.getByRole('button');

test('a Button calls its handler once when pressed', async () => {
  const press = jest.fn();
  render(<Button onClick={press}>Unsubscribe</Button>);
  await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
  expect(press).toHaveBeenCalledTimes(1);
  expect(button()).toHaveAttribute('type', 'button');
  expect(button()).not.toHaveAttribute('aria-disabled');
});

describe('a busy Button', () => {
  test('shows its busy label and a spinner, and retains the focus', () => {
    const { rerender } = render(<Button busyLabel="Processing...">Submit Request</Button>);
    button().focus();
    rerender(
      <Button busy busyLabel="Processing...">
        Submit Request
      </Button>,
    );
    expect(screen.getByRole('button', { name: 'Processing...' })).toHaveFocus();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toBeEnabled();
    expect(button().querySelector('.ring')).toBeInTheDocument();
  });

  test('retains its label without a busy label', () => {
    render(<Button busy>Try again</Button>);
    expect(button()).toHaveAccessibleName('Try again');
  });

  test('ignores a second press, including Enter in a field of its form', async () => {
    const press = jest.fn();
    const submit = jest.fn();
    render(
      <form onSubmit={submit}>
        <input aria-label="Email" />
        <Button type="submit" busy onClick={press}>
          Send
        </Button>
      </form>,
    );
    await userEvent.click(button());
    await userEvent.type(screen.getByRole('textbox'), 'a{Enter}');
    expect(press).not.toHaveBeenCalled();
    expect(submit).not.toHaveBeenCalled();
  });
});

test.each(['primary', 'secondary'] as const)('a Button is accessible as %s, idle and busy', async (variant) => {
  const { container } = render(
    <>
      <Button variant={variant}>Idle</Button>
      <Button variant={variant} size="large" busy busyLabel="Working...">
        Busy
      </Button>
    </>,
  );
  expect((await axe(container)).violations).toEqual([]);
});

test('a ButtonLink is a link to its address in every variant', async () => {
  const { container } = render(
    <ButtonLink href="/" variant="secondary">
      Return to Home
    </ButtonLink>,
  );
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  expect((await axe(container)).violations).toEqual([]);
});
