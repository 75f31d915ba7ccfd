import { describe, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { ErrorMessage, NeedsScript, Spinner, VisuallyHidden } from './status.tsx';

describe('VisuallyHidden', () => {
  test('adds its text to the name of its parent', async () => {
    const { container } = render(
      <a href="/terms">
        Terms <VisuallyHidden>of Service</VisuallyHidden>
      </a>,
    );
    expect(screen.getByRole('link', { name: 'Terms of Service' })).toBeInTheDocument();
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('Spinner', () => {
  test('names the operation', async () => {
    const { container } = render(<Spinner label="Loading your offers..." />);
    expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
    expect((await axe(container)).violations).toEqual([]);
  });

  test('is decoration without a label', () => {
    const { container } = render(<Spinner />);
    expect(screen.queryByRole('status')).toBeNull();
    expect(container.firstChild).toHaveAttribute('aria-hidden', 'true');
  });
});

describe('ErrorMessage', () => {
  test('is announced', async () => {
    const { container } = render(<ErrorMessage>Something went wrong. Please try again.</ErrorMessage>);
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('NeedsScript', () => {
  test('renders nothing for visitors with JavaScript', async () => {
    const { container } = render(<NeedsScript>Subscribing needs JavaScript.</NeedsScript>);
    expect(container).toHaveTextContent('');
    expect((await axe(container)).violations).toEqual([]);
  });
});
