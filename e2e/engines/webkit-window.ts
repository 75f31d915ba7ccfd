import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WebKit } from '@daybook/runner/browser';
import { findFreePort } from '@daybook/runner/ports';
import { expect } from '@playwright/test';
import { type BrowserWindow, elementTimeout, type Role, type WindowSize } from './browser-window.ts';

/** Elements that can have a role, since W3C WebDriver does not search by role. */
const candidates: Readonly<Record<Role, string>> = {
  button: 'button',
  checkbox: 'input[type="checkbox"]',
  link: 'a[href]',
  textbox: 'input, textarea',
};

/** Starts a program; it is stopped when `started` is disposed. */
function startProgram(started: AsyncDisposableStack, program: string, parameters: readonly string[], display = '') {
  // A pipe for the display's number, after input, output and errors.
  const child = spawn(program, parameters, {
    env: { ...process.env, DISPLAY: display },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.defer(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  return child;
}

/** Runs in the page, again and again: records messages from its first run on, since W3C WebDriver has no console. */
function recordMessages(): readonly string[] {
  const store = window as unknown as { messagesOfTest?: string[] };
  if (store.messagesOfTest) return store.messagesOfTest;
  const messages: string[] = [];
  store.messagesOfTest = messages;
  for (const level of ['error', 'warn'] as const) {
    const write = console[level];
    console[level] = (...parts) => {
      messages.push(parts.map(String).join(' '));
      write.apply(console, parts);
    };
  }
  // In the capture phase, also for scripts, styles and images that cannot be loaded.
  addEventListener(
    'error',
    ({ message, target }) => messages.push(message ?? `Cannot load ${(target as HTMLElement).outerHTML}`),
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => messages.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    messages.push(`${violatedDirective} blocks ${blockedURI}`),
  );
  return messages;
}

/** Opens WebKitGTK's MiniBrowser with one tab, by W3C WebDriver: https://www.w3.org/TR/webdriver2/. */
export async function openWebKitWindow(
  webkit: WebKit,
  size: WindowSize,
  started: AsyncDisposableStack,
): Promise<BrowserWindow> {
  // As large as the window, so that the pointer is in the window and gives it the focus without a window manager.
  const screen = `${size.width}x${size.height}x24`;
  const x = startProgram(started, webkit.display, ['-displayfd', '3', '-screen', '0', screen]);
  const [display] = await once(x.stdio[3] as NodeJS.ReadableStream, 'data');
  const port = await findFreePort();
  startProgram(started, webkit.driver, [`--port=${port}`], `:${String(display).trim()}`);

  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}) => {
    const options = method === 'POST' ? { method, body: JSON.stringify(body) } : { method };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, options);
    const { value } = await response.json();
    if (!response.ok) throw Object.assign(new Error(`${path}: ${value.message || value.error}`), { code: value.error });
    return value;
  };
  await expect(() => send('GET', '/status')).toPass({ timeout: 60_000, intervals: [25] });
  const alwaysMatch = {
    // The load event ends a navigation: a script that runs while the document is replaced never returns.
    pageLoadStrategy: 'normal',
    unhandledPromptBehavior: 'ignore',
    // Full screen: without toolbars, whose minimum width is larger than a phone.
    'webkitgtk:browserOptions': { binary: webkit.browser, args: ['--automation', '--full-screen'] },
  };
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch } });
  started.defer(() => send('DELETE', `/session/${sessionId}`));
  const get = (path: string) => send('GET', `/session/${sessionId}${path}`);
  const post = (path: string, body?: object) => send('POST', `/session/${sessionId}${path}`, body);
  await post('/window/rect', { x: 0, y: 0, ...size });
  const alerts: string[] = [];
  const formerMessages: string[] = [];

  /** Records messages first: the document may be a new one. */
  const execute = (run: (...parameters: never[]) => unknown, args: readonly unknown[] = []) =>
    post('/execute/sync', { script: `(${recordMessages})(); return (${run}).apply(null, arguments);`, args });

  async function find(role: Role, name: string): Promise<string | undefined> {
    const found: readonly object[] = await post('/elements', { using: 'css selector', value: candidates[role] });
    const elements = found.map((element) => `/element/${Object.values(element)[0]}`);
    const labels = await Promise.all(elements.map((element) => get(`${element}/computedlabel`)));
    for (const element of elements.filter((_, index) => labels[index] === name))
      if ((await get(`${element}/computedrole`)) === role && (await get(`${element}/displayed`))) return element;
    return undefined;
  }

  const type = (text: string) => {
    const actions = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((kind) => ({ type: kind, value })));
    return post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  };
  return {
    open: async (url) => {
      formerMessages.push(...(await execute(recordMessages)));
      await post('/url', { url });
      await execute(recordMessages);
    },
    url: () => get('/url'),
    evaluate: (run, ...parameters) => execute(run as never, parameters),
    click: async (role, name) => {
      let element: string | undefined;
      // The elements may be replaced while they are searched.
      const search = async () => {
        element = await find(role, name).catch((error) => {
          if (error.code !== 'stale element reference') throw error;
          return undefined;
        });
        return element;
      };
      await expect
        .poll(search, { message: `${role} “${name}”`, timeout: elementTimeout, intervals: [50] })
        .toBeDefined();
      return post(`${element}/click`);
    },
    press: (key) => type({ Enter: '\uE007', Escape: '\uE00C' }[key]),
    type,
    alerts: async () => {
      const text = await get('/alert/text').catch(() => undefined);
      if (text !== undefined) {
        alerts.push(text);
        await post('/alert/accept');
      }
      return alerts;
    },
    countTabs: async () => (await get('/window/handles')).length,
    takeScreenshot: async () => Buffer.from(await get('/screenshot'), 'base64'),
    messages: async () => [...formerMessages, ...(await execute(recordMessages))],
  };
}
