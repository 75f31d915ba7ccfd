import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts a browser without a tool between it and the test, with an empty profile.
 *
 * @param started ends the browser when it is disposed
 * @param parameters receives the folder of the profile
 * @returns the address of its debugger
 */
export async function startDebugged(
  program: string,
  parameters: (profile: string) => readonly string[],
  started: AsyncDisposableStack,
): Promise<string> {
  const profile = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-browser-'));
  started.defer(() => profile.remove());
  const child = spawn(program, ['--remote-debugging-port=0', ...parameters(profile.path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.defer(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (url) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error(`${program} did not start.`);
}

type Fields = Readonly<Record<string, unknown>>;

/** Connects to a debugger, in WebDriver BiDi or the Chrome DevTools Protocol: both have the same messages. */
export async function connect(url: string) {
  const socket = new WebSocket(url);
  const pending = new Map<number, PromiseWithResolvers<never>>();
  const listeners: ((method: string, parameters: never) => void)[] = [];
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error, message } = JSON.parse(data);
    if (id === undefined || id === null) for (const listener of listeners) listener(method, params as never);
    else if (error) pending.get(id)?.reject(new Error(message ?? JSON.stringify(error)));
    else pending.get(id)?.resolve(result as never);
  };
  await once(socket, 'open');
  let last = 0;
  return {
    /** Sends a command; returns its result. */
    send<Result>(method: string, params: Fields = {}): Promise<Result> {
      last += 1;
      const result = Promise.withResolvers<never>();
      pending.set(last, result);
      socket.send(JSON.stringify({ id: last, method, params }));
      return result.promise;
    },
    onEvent: (listener: (method: string, parameters: never) => void) => void listeners.push(listener),
    close: () => socket.close(),
  };
}
