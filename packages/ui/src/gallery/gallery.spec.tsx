import { describe, expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { axe } from 'jest-axe';
import * as components from '../index.ts';
import { gallery } from './index.ts';

describe('the gallery', () => {
  test('shows every component of the design system', () => {
    const exported = Object.entries(components)
      // A provider draws nothing itself.
      .filter(([name, value]) => /^[A-Z](?!\w*Provider$)/.test(name) && typeof value === 'function')
      .map(([name]) => name);
    expect(gallery.map(({ component }) => component).sort()).toEqual(exported.sort());
  });

  const states = gallery.flatMap(({ component, states: each }) =>
    Object.entries(each).map(([state, element]) => ({ component, state, element })),
  );

  test.each(states)(
    '$component, $state, has no accessibility problem that can be seen without a browser',
    async ({ element }) => {
      const { container } = render(element);
      expect((await axe(container)).violations).toEqual([]);
    },
  );
});
