import { describe, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Introduction, SideBySide } from './columns.tsx';
import { Container, Cover, PageHeading, Panel } from './layout.tsx';

describe('Container', () => {
  test.each(['narrow', 'regular', 'wide'] as const)('renders its content with width %s', async (width) => {
    const { container } = render(
      <Container width={width} className="page">
        Content
      </Container>,
    );
    expect(screen.getByText('Content')).toHaveClass(width, 'page');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('Cover', () => {
  test('marks the surface for light-on-dark colours', async () => {
    const { container } = render(
      <Cover aria-label="Subscribe">
        <p>Tomorrow’s page is still blank.</p>
      </Cover>,
    );
    expect(screen.getByRole('region', { name: 'Subscribe' })).toHaveAttribute('data-surface', 'cover');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('Panel', () => {
  test.each(['plain', 'success', 'notice'] as const)(
    'renders its content as a named region, in tone %s',
    async (tone) => {
      const { container } = render(
        <Panel tone={tone} aria-labelledby="heading">
          <h2 id="heading">Request Submitted</h2>
          <p>Allow up to 48 hours.</p>
        </Panel>,
      );
      expect(screen.getByRole('region', { name: 'Request Submitted' })).toHaveTextContent('Allow up to 48 hours.');
      expect((await axe(container)).violations).toEqual([]);
    },
  );
});

describe('SideBySide', () => {
  test('renders its columns in reading order', async () => {
    const { container } = render(
      <SideBySide align="start">
        <p>First</p>
        <p>Second</p>
      </SideBySide>,
    );
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['First', 'Second']);
    expect(container.firstElementChild).toHaveClass('columns', 'start');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('PageHeading', () => {
  test('is the h1, and takes the focus from the shell after a navigation', async () => {
    const { container } = render(<PageHeading lead="Allow up to 48 hours.">Unsubscribe</PageHeading>);
    const heading = screen.getByRole('heading', { level: 1, name: 'Unsubscribe' });
    heading.focus();
    expect(heading).toHaveFocus();
    expect(screen.getByText('Allow up to 48 hours.')).toBeInTheDocument();
    expect((await axe(container)).violations).toEqual([]);
  });

  test('renders without a lead', () => {
    const { container } = render(<PageHeading>Unsubscribe</PageHeading>);
    expect(container.querySelector('p')).toBeNull();
  });
});

describe('Introduction', () => {
  test('states the subject of the page before its picture, with a heading that takes the focus of a navigation', async () => {
    const { container } = render(
      <Introduction
        label={<p>Sponsored</p>}
        heading="Pay less at the dentist"
        lead="A membership, not insurance."
        picture={<img src="data:," alt="A tooth" />}
      >
        <p>Plans from $9.95 a month</p>
      </Introduction>,
    );
    const heading = screen.getByRole('heading', { level: 1, name: 'Pay less at the dentist' });
    expect(heading).toHaveAttribute('tabindex', '-1');
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
      'Sponsored',
      'A membership, not insurance.',
      'Plans from $9.95 a month',
    ]);
    const picture = screen.getByRole('img', { name: 'A tooth' });
    expect(heading.compareDocumentPosition(picture)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect((await axe(container)).violations).toEqual([]);
  });
});
