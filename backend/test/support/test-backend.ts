import type {
  CompletionNotice,
  EmergencyNotice,
  PrivacyRequestResponse,
  WaitlistEntryResponse,
} from '@daybook/contract/api';
import { Drain, readEnvironment } from '@daybook/server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/create-app.ts';
import { type Environment, environmentSchema } from '../../src/environment.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { anEmail, completionNotice, emergencyNotice, privacyRequest } from './factories.ts';

/** Disables the rate limits, which tests would exceed; tests of the limits set their own. */
const unlimited: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(environmentSchema.shape)
    .filter((name) => name.startsWith('LIMIT_'))
    .map((name) => [name, '100000000']),
);

export type Settings = Partial<Environment> & Pick<Environment, 'DATABASE_URL'>;

const environmentOf = (settings: Settings): Environment => ({
  ...readEnvironment(environmentSchema, {
    DATABASE_URL: settings.DATABASE_URL,
    COOKIE_SECRET: 'a'.repeat(32),
    ...unlimited,
    // To see the log of a failing test's backend: LOG_LEVEL=debug npm test -- units …
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  }),
  ...settings,
});

export interface TestResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** The `cookie` header that a browser would send next; `undefined` if none was set. */
  readonly cookie: string | undefined;
}

export interface RequestOptions {
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

interface SignupOptions extends RequestOptions {
  readonly email?: string;
  readonly cookie?: string | undefined;
  /** The honeypot. */
  readonly topic?: string;
}

/** The application on a free port of 127.0.0.1; `start` starts it. */
export class TestBackend {
  app!: NestFastifyApplication;
  url = '';

  /** Starts the application, and waits until retention has run. */
  async start(settings: Settings): Promise<this> {
    this.app = await createApp(environmentOf(settings), new Drain());
    await this.app.listen(0, '127.0.0.1');
    await this.app.get(RetentionService).latestRun;
    this.url = await this.app.getUrl();
    return this;
  }

  /** Sends a request over the network, with `json` as the body. */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<TestResponse<Body>> {
    return send(`${this.url}${path}`, method, options);
  }

  /** Signs up like a browser that has `cookie`. */
  signUp({ email = anEmail(), topic, cookie, headers }: SignupOptions = {}) {
    const options = { json: { email, topic }, headers: { ...headers, ...(cookie !== undefined && { cookie }) } };
    return this.request<WaitlistEntryResponse>('POST', '/api/waitlist', options);
  }

  /** Signs up and returns the entry. */
  async anEntry(options?: SignupOptions) {
    return (await this.signUp(options)).body.entry;
  }

  /** Calls a call on an entry, such as `/complete`. */
  put(id: number | string, path: string, json?: unknown, headers: Record<string, string> = {}) {
    return this.request('PUT', `/api/waitlist/${id}${path}`, { json, headers });
  }

  notifyComplete(id: number, overrides: Partial<CompletionNotice> = {}) {
    return this.request('POST', `/api/waitlist/${id}/notify-complete`, { json: completionNotice(overrides) });
  }

  findByEmail(email: string, cookie?: string) {
    const headers: Record<string, string> = cookie ? { cookie } : {};
    return this.request('GET', `/api/waitlist/by-email?${new URLSearchParams({ email })}`, { headers });
  }

  giveNotice(overrides: Partial<EmergencyNotice> = {}) {
    return this.request('POST', '/api/emergency-webhook', { json: emergencyNotice(overrides) });
  }

  makePrivacyRequest<Body = PrivacyRequestResponse>(overrides: object = {}, headers: Record<string, string> = {}) {
    return this.request<Body>('POST', '/api/privacy-requests', { json: privacyRequest(overrides), headers });
  }

  unsubscribe(email: string) {
    return this.makePrivacyRequest({ email });
  }

  /** Sends every call that has a statement of its own, and returns the responses that are no success. */
  async failingCalls(): Promise<readonly TestResponse[]> {
    const signup = await this.signUp();
    const { id, email } = signup.body.entry;
    const responses = [
      signup,
      await this.put(id, '/step/2'),
      await this.put(id, '/complete'),
      await this.put(id, '/offers', { selectedOffers: [] }),
      await this.notifyComplete(id),
      await this.findByEmail(email, signup.cookie),
      await this.giveNotice(),
      await this.unsubscribe(email),
    ];
    return responses.filter(({ status }) => status >= 300);
  }

  stop(): Promise<void> {
    return this.app?.close();
  }
}

export async function send<Body>(
  url: string,
  method: string,
  { json, body, headers }: RequestOptions = {},
): Promise<TestResponse<Body>> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
    cookie: response.headers.getSetCookie()[0]?.split(';')[0],
  };
}
