import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { findBrowser } from '@daybook/testing/browser';
import { connect, startDebugged } from '../support/debugged-browser.ts';
import { expect, test } from '../support/test.ts';

/** Longer than the countdown of /redirect. */
const unseen = 5_000;

/**
 * Opens a page that makes the browser prerender another of its origin. Without
 * Playwright, which attaches to the browser in a way in which Chromium prerenders nothing.
 *
 * @returns the page's calls; `go` follows the link, `read` runs an expression in the page
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
      delete headers['content-encoding'];
      delete headers['content-length'];
      delete headers['transfer-encoding'];
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    }
  }).listen(0, 'localhost');
  started.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const page = `http://localhost:${(server.address() as AddressInfo).port}/from`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
  const browser = await startDebugged(
    findBrowser(),
    (profile) => [...flags, `--user-data-dir=${profile}`, page],
    started,
  );
  const read = (expression: string) => evaluate(browser, expression);
  await wait(unseen);
  return {
    read,
    calls,
    async go() {
      await read("document.querySelector('a').click()");
      await expect.poll(() => read('location.href')).toContain(target);
      const activation = "performance.getEntriesByType('navigation')[0].activationStart";
      expect(await read(activation), 'time of the prerendered page’s activation').toBeGreaterThan(0);
    },
  };
}

/** Runs an expression in the browser's page. A page that was prerendered is another one to the debugger. */
async function evaluate(browser: string, expression: string): Promise<unknown> {
  const targets = await (await fetch(`http://${new URL(browser).host}/json/list`)).json();
  const { webSocketDebuggerUrl } = targets.find(({ type }: { readonly type: string }) => type === 'page');
  const { send, close } = await connect(webSocketDebuggerUrl);
  const { result } = await send<{ result: { value: unknown } }>('Runtime.evaluate', {
    expression,
    returnByValue: true,
  });
  close();
  return result.value;
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
  const { read, go } = await openPrerendering(
    started,
    String(baseURL),
    '/redirect?url=https://sponsors.daybook.example/',
  );
  await go();
  await expect.poll(() => read("document.querySelector('main').textContent")).toMatch(/Opens in [34] seconds/);
});
