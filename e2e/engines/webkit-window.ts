import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebKit } from '@daybook/testing/browser';
import { findFreePort } from '@daybook/testing/ports';
import { type BrowserWindow, elementTimeout, keyActions, type Role, type WindowSize } from './browser-window.ts';

const startTimeout = 60_000;

/** Elements that can have a role, since W3C WebDriver does not search by role. */
const candidates: Readonly<Record<Role, string>> = {
  button: 'button',
  checkbox: 'input[type="checkbox"]',
  link: 'a[href]',
  textbox: 'input, textarea',
};

/** The key of an element's id in JSON, by the specification. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
type Element = { readonly [elementKey]: string };

/** Starts a program; it is stopped when `started` is disposed. */
function startProgram(
  started: AsyncDisposableStack,
  program: string,
  parameters: readonly string[],
  display?: string,
): ChildProcess {
  const environment = { ...process.env, ...(display !== undefined && { DISPLAY: display }) };
  // A pipe for the display's number, after input, output and errors.
  const child = spawn(program, parameters, { env: environment, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  started.defer(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  return child;
}

/**
 * Starts an X server whose screen is as large as the window, so that the pointer is in the window and gives it the focus
 * without a window manager.
 *
 * @returns the value of DISPLAY
 */
async function startDisplay({ display }: WebKit, { width, height }: WindowSize, started: AsyncDisposableStack) {
  const child = startProgram(started, display, ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`]);
  const [number] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  return `:${String(number).trim()}`;
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

/** A session of W3C WebDriver: https://www.w3.org/TR/webdriver2/. */
async function startSession(webkit: WebKit, display: string, started: AsyncDisposableStack) {
  const port = await findFreePort();
  startProgram(started, webkit.driver, [`--port=${port}`], display);
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = await response.json();
    if (!response.ok) throw Object.assign(new Error(`${path}: ${value.message || value.error}`), { code: value.error });
    return value;
  };
  const end = Date.now() + startTimeout;
  while (!(await send('GET', '/status').catch(() => undefined))) {
    if (Date.now() > end) throw new Error('WebKitWebDriver did not start.');
    await delay(25);
  }
  const capabilities = {
    // The load event ends a navigation: a script that runs while the document is replaced never returns.
    pageLoadStrategy: 'normal',
    unhandledPromptBehavior: 'ignore',
    // Full screen: without toolbars, whose minimum width is larger than a phone.
    'webkitgtk:browserOptions': { binary: webkit.browser, args: ['--automation', '--full-screen'] },
  };
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
  const session = `/session/${sessionId}`;
  started.defer(() => send('DELETE', session));
  return {
    get: (path: string) => send('GET', session + path),
    post: (path: string, body?: object) => send('POST', session + path, body),
  };
}

/**
 * Opens WebKitGTK's MiniBrowser with one tab.
 *
 * @param started closes the browser when it is disposed
 */
export async function openWebKitWindow(
  webkit: WebKit,
  size: WindowSize,
  started: AsyncDisposableStack,
): Promise<BrowserWindow> {
  const display = await startDisplay(webkit, size, started);
  const { get, post } = await startSession(webkit, display, started);
  await post('/window/rect', { x: 0, y: 0, ...size });
  const alerts: string[] = [];
  const formerMessages: string[] = [];

  /** Records messages first: the document may be a new one. */
  const execute = (run: (...parameters: never[]) => unknown, parameters: readonly unknown[] = []) =>
    post('/execute/sync', {
      script: `(${recordMessages})(); return (${run}).apply(null, arguments);`,
      args: parameters,
    });

  async function find(role: Role, name: string): Promise<string | undefined> {
    const elements: readonly Element[] = await post('/elements', { using: 'css selector', value: candidates[role] });
    const labels = await Promise.all(elements.map(({ [elementKey]: id }) => get(`/element/${id}/computedlabel`)));
    for (const { [elementKey]: id } of elements.filter((_, index) => labels[index] === name)) {
      const element = `/element/${id}`;
      if ((await get(`${element}/computedrole`)) === role && (await get(`${element}/displayed`))) return element;
    }
    return undefined;
  }

  /** The elements may be replaced while they are searched. */
  async function waitFor(role: Role, name: string): Promise<string> {
    const end = Date.now() + elementTimeout;
    for (;;) {
      const element = await find(role, name).catch((error) => {
        if (error.code !== 'stale element reference') throw error;
      });
      if (element) return element;
      if (Date.now() > end) throw new Error(`There is no ${role} “${name}”.`);
      await delay(50);
    }
  }

  const pressKeys = (keys: Iterable<string>) => post('/actions', { actions: [keyActions(keys)] });

  return {
    open: async (url) => {
      formerMessages.push(...(await execute(recordMessages)));
      await post('/url', { url: url });
      await execute(recordMessages);
    },
    url: () => get('/url'),
    evaluate: (run, ...parameters) => execute(run as never, parameters),
    click: async (role, name) => post(`${await waitFor(role, name)}/click`),
    press: (key) => pressKeys([key]),
    type: pressKeys,
    alerts: async () => {
      const text = await get('/alert/text').catch(() => undefined);
      if (text !== undefined) {
        alerts.push(text);
        await post('/alert/accept');
      }
      return alerts;
    },
    countTabs: async () => (await get('/window/handles')).length,
    messages: async () => [...formerMessages, ...(await execute(recordMessages))],
  };
}
