import { accessibilityViolations } from '@daybook/testing/axe';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import * as components from '../index.ts';
import { Gallery } from './gallery.tsx';

test('the gallery shows every component of the design system, accessible', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const { container } = render(<Gallery />);
  const names = Object.keys(components).filter((name) => /^[A-Z]/.test(name) && name !== 'TooltipProvider');
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(screen.getByRole('region', { name })).not.toBeEmptyDOMElement();
  expect(await accessibilityViolations(container)).toEqual([]);
});
