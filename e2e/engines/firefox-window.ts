import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { elementTimeout, type Key, keyActions, type OpenWindow, type Role } from './browser-window.ts';

/** As visitors have it; WebDriver turns the popup blocker off. */
const preferences = 'user_pref("dom.disable_open_during_load", true);';

interface Context {
  readonly context: string;
  readonly userContext: string;
  readonly url: string;
}
interface Node {
  readonly sharedId: string;
}
type Event = Readonly<Record<'context' | 'message' | 'level' | 'text', string>> & {
  readonly source?: { readonly context?: string };
};

/** Connects to a debugger with WebDriver BiDi. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const pending = new Map<number, PromiseWithResolvers<never>>();
  const listeners: ((method: string, event: Event) => void)[] = [];
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error, message } = JSON.parse(data);
    if (typeof id !== 'number') for (const listener of listeners) listener(method, params);
    else if (error) pending.get(id)?.reject(new Error(message ?? JSON.stringify(error)));
    else pending.get(id)?.resolve(result as never);
  };
  await once(socket, 'open');
  let last = 0;
  return {
    send<Result>(method: string, params: object = {}): Promise<Result> {
      last += 1;
      const result = Promise.withResolvers<never>();
      pending.set(last, result);
      socket.send(JSON.stringify({ id: last, method, params }));
      return result.promise;
    },
    onEvent: (listener: (method: string, event: Event) => void) => void listeners.push(listener),
    close: () => socket.close(),
  };
}

/** Starts Firefox with an empty profile; returns the address of its debugger. */
async function startProgram(program: string, started: AsyncDisposableStack): Promise<string> {
  const { path: profile } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-firefox-')));
  writeFileSync(path.join(profile, 'user.js'), preferences);
  const parameters = ['--remote-debugging-port=0', '--headless', '--no-remote', '--profile', profile];
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  started.defer(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (!url) continue;
    child.stderr.resume();
    return url;
  }
  throw new Error(`${program} did not start.`);
}

/**
 * Starts Firefox with WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/): Debian has no geckodriver, and Playwright
 * drives only its own Firefox. Returns how to open a window of its own storage and cookies.
 */
export async function startFirefox(program: string, started: AsyncDisposableStack): Promise<OpenWindow> {
  const { send, onEvent, close } = await connect(`${await startProgram(program, started)}/session`);
  started.defer(close);
  await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } } });
  await send('session.subscribe', { events: ['log.entryAdded', 'browsingContext.userPromptOpened'] });
  return async (size, opened) => {
    const { userContext } = await send<Context>('browser.createUserContext');
    opened.defer(() => send('browser.removeUserContext', { userContext }));
    const { context } = await send<Context>('browsingContext.create', { type: 'tab', userContext });
    await send('browsingContext.setViewport', { context, viewport: size });
    const messages: string[] = [];
    const alerts: string[] = [];
    onEvent((method, event) => {
      if ((event.context ?? event.source?.context) !== context) return;
      if (method === 'browsingContext.userPromptOpened') {
        alerts.push(event.message);
        void send('browsingContext.handleUserPrompt', { context, accept: true });
      } else if (['error', 'warn'].includes(event.level)) messages.push(event.text);
    });
    const contexts = async (root?: string) =>
      (await send<{ contexts: readonly Context[] }>('browsingContext.getTree', root ? { root } : {})).contexts;
    const perform = (actions: readonly object[]) => send('input.performActions', { context, actions });
    const call = async (functionDeclaration: string, parameters: readonly object[]) => {
      const { result, exceptionDetails } = await send<{
        result?: { value?: unknown };
        exceptionDetails?: { text: string };
      }>('script.callFunction', {
        functionDeclaration,
        arguments: parameters,
        awaitPromise: true,
        target: { context },
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result?.value;
    };

    /** Scrolls the first visible element of a role and name into view. */
    async function find(role: Role, name: string): Promise<Node | undefined> {
      const locator = { type: 'accessibility', value: { role, name } };
      const { nodes } = await send<{ nodes: readonly Node[] }>('browsingContext.locateNodes', { context, locator });
      for (const { sharedId } of nodes) {
        const show = `(element) => {
          element.scrollIntoView({ block: 'center', behavior: 'instant' });
          return element.checkVisibility();
        }`;
        if (await call(show, [{ sharedId }])) return { sharedId };
      }
      return undefined;
    }

    return {
      open: async (address) =>
        void (await send('browsingContext.navigate', { context, url: address, wait: 'complete' })),
      url: async () => (await contexts(context))[0]?.url ?? '',
      evaluate: async (run, ...parameters) => {
        const wrapper = `async (parameters) => JSON.stringify(await (${run})(...JSON.parse(parameters)))`;
        const value = await call(wrapper, [{ type: 'string', value: JSON.stringify(parameters) }]);
        return value === undefined ? undefined : JSON.parse(String(value));
      },
      click: async (role, name) => {
        const end = Date.now() + elementTimeout;
        for (;;) {
          // It may be replaced while it is found.
          const element = await find(role, name).catch(() => undefined);
          if (element) {
            const origin = { type: 'element', element };
            const actions = [
              { type: 'pointerMove', x: 0, y: 0, origin },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ];
            return void (await perform([{ type: 'pointer', id: 'mouse', actions }]));
          }
          if (Date.now() > end) throw new Error(`There is no ${role} “${name}”.`);
          await delay(50);
        }
      },
      press: async (key: Key) => void (await perform([keyActions([key])])),
      type: async (text) => void (await perform([keyActions(text)])),
      alerts: async () => alerts,
      countTabs: async () => (await contexts()).filter((each) => each.userContext === userContext).length,
      messages: async () => messages,
    };
  };
}
