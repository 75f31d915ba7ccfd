/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import remote from '../remote.ts';

test.each(remote.routes)('$path renders without a browser, with no inline style and no generated id', async (route) => {
  const markup = renderToString(createElement((await route.page()).default));
  expect(markup).toContain(`${route.title}</h1>`);
  expect(markup).not.toMatch(/ style=| id="[_:]/);
});
