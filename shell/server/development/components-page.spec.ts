import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { startRunningSite } from '../test/running-site.ts';

const page = '<!doctype html><title>Components</title>';

test('the page of all components is served in development', async () => {
  const { url, site } = await startRunningSite({ variables: { DEVELOPMENT: 'true' } });
  expect((await send(url, '/_components')).status).toBe(404);
  site.write('shell/components.html', page);
  const { status, headers, body } = await send(url, '/_components');
  expect([status, headers['content-type'], String(body)]).toEqual([200, 'text/html', page]);
});

test('a site in production has no page of components', async () => {
  const { url } = await startRunningSite({ prepare: ({ write }) => write('shell/components.html', page) });
  const { status, body } = await send(url, '/_components');
  expect(status).toBeGreaterThanOrEqual(400);
  expect(String(body)).not.toContain('<title>Components');
});
