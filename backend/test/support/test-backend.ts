import { readEnvironment } from '@daybook/server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/create-app.ts';
import { type Environment, environmentSchema } from '../../src/environment.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';

/** Disables the rate limits, which tests would exceed; tests of the limits set their own. */
const unlimited: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(environmentSchema.shape)
    .filter((name) => name.startsWith('LIMIT_'))
    .map((name) => [name, '100000000']),
);

export const anEnvironment = (overrides: Partial<Environment> & Pick<Environment, 'DATABASE_URL'>): Environment => ({
  ...readEnvironment(environmentSchema, {
    DATABASE_URL: overrides.DATABASE_URL,
    COOKIE_SECRET: 'a'.repeat(32),
    ...unlimited,
    // To see the log of a failing test's backend: LOG_LEVEL=debug npm test -- units …
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  }),
  ...overrides,
});

export interface TestResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** The `cookie` header that a browser would send next; `undefined` if none was set. */
  readonly cookie: string | undefined;
}

export interface TestBackend {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Sends a request over the network, with `json` as the body. */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<TestResponse<Body>>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Starts the application on a free port of 127.0.0.1, and waits until retention has run. */
export async function startBackend(
  overrides: Partial<Environment> & Pick<Environment, 'DATABASE_URL'>,
): Promise<TestBackend> {
  const app = await createApp(anEnvironment(overrides));
  await app.listen(0, '127.0.0.1');
  await app.get(RetentionService).latestRun;
  const url = await app.getUrl();
  return {
    app,
    url,
    request: (method, path, options) => send(`${url}${path}`, method, options),
    stop: () => app.close(),
  };
}

export async function send<Body>(
  url: string,
  method: string,
  options: RequestOptions = {},
): Promise<TestResponse<Body>> {
  const { json, body, headers } = options;
  const response = await fetch(url, {
    method,
    headers: json === undefined ? { ...headers } : { 'content-type': 'application/json', ...headers },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
    cookie: response.headers.getSetCookie()[0]?.split(';')[0],
  };
}
