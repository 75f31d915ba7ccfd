import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { openReleasesPage, operatorToken } from '../../test/operator.ts';
import { prepareTwoRemotes, startRunningSite } from '../../test/running-site.ts';

const { url } = await startRunningSite({ prepare: prepareTwoRemotes, variables: { OPERATOR_TOKEN: operatorToken } });

test('the page asks for an operator token as a password', async () => {
  const asked = await send(url, '/_releases');
  expect([asked.status, asked.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic realm=/)]);
  expect((await openReleasesPage(url, 'another-token')).status).toBe(401);
  const page = await openReleasesPage(url);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('mf-legal')]);
});

test('no script can read the page', async () => {
  for (const mode of ['cors', 'no-cors', 'same-origin'])
    expect((await openReleasesPage(url, operatorToken, { 'Sec-Fetch-Mode': mode })).status).toBe(403);
  const page = await openReleasesPage(url, operatorToken, { 'Sec-Fetch-Mode': 'navigate' });
  expect(page.headers['content-security-policy']).toMatch(/^sandbox(?!.*allow-(?:same-origin|scripts))/);
});

test('no form changes a release', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = 'action=hold&remote=mf-legal';
  expect((await send(url, '/_releases', { method: 'POST', headers, body })).status).toBe(404);
});
