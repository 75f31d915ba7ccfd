import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { findBrowser } from '@daybook/runner/browser';
import puppeteer from 'puppeteer-core';
import { expect, test } from '../support/test.ts';

/** Longer than the countdown of /redirect, in ms. */
const unseen = 5_000;

/**
 * Opens a page that makes the browser prerender another of its origin. With Puppeteer: Playwright attaches to the
 * browser in a way in which Chromium prerenders nothing.
 *
 * @returns the page, its calls, and a function that follows the link
 */
async function openPrerendering(started: AsyncDisposableStack, site: string, target: string) {
  const calls: string[] = [];
  const rules = JSON.stringify({ prerender: [{ urls: [target], eagerness: 'immediate' }] });
  const server = createServer(async ({ url = '', method }, response) => {
    if (url === '/from') {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<a href="${target}">Go</a><script type="speculationrules">${rules}</script>`);
    } else if (url.startsWith('/api/')) {
      calls.push(`${method} ${url}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"entry":{"id":7}}');
    } else {
      const answer = await fetch(site + url);
      const headers = Object.fromEntries(answer.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) delete headers[name];
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    }
  }).listen(0, 'localhost');
  started.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await puppeteer.launch({ executablePath: findBrowser(), args });
  started.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/from`);
  await wait(unseen);
  const go = async () => {
    await page.click('a');
    // Puppeteer's own address of the page is the former one.
    await expect.poll(() => page.evaluate(() => location.href)).toContain(target);
    const activation = () =>
      (performance.getEntriesByType('navigation')[0] as { activationStart?: number }).activationStart;
    expect(await page.evaluate(activation), 'time of the prerendered page’s activation').toBeGreaterThan(0);
  };
  return { page, calls, go };
}

test('a prerendered thank-you page completes the entry once it is seen', async ({ started, baseURL }) => {
  const { calls, go } = await openPrerendering(started, String(baseURL), '/thank-you?id=7');
  expect(calls).toEqual([]);
  await go();
  await expect
    .poll(() => calls)
    .toEqual(['PUT /api/waitlist/7/update-client-info', 'POST /api/waitlist/7/notify-complete']);
});

test('a prerendered redirect page counts down once it is seen', async ({ started, baseURL }) => {
  const target = '/redirect?url=https://sponsors.daybook.example/';
  const { page, go } = await openPrerendering(started, String(baseURL), target);
  await go();
  await expect.poll(() => page.$eval('main', (main) => main.textContent)).toMatch(/Opens in [34] seconds/);
});
