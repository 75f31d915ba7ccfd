import { TestEnvironment } from 'jest-environment-jsdom';

// React Router and zod use these; browsers have them, jsdom lacks them.
const missingFromJsdom = ['Request', 'Response', 'Headers', 'fetch', 'TextEncoder', 'TextDecoder', 'structuredClone'];

// React Router passes a signal to Request; Node's Request rejects jsdom's own AbortSignal.
const fittingRequest = ['AbortController', 'AbortSignal'];

/** jsdom plus Node's implementations of web platform classes that jsdom lacks. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of missingFromJsdom) this.global[name] ??= globalThis[name];
    for (const name of fittingRequest) this.global[name] = globalThis[name];
    this.global.URL.parse ??= (text, base) =>
      this.global.URL.canParse(text, base) ? new this.global.URL(text, base) : null;
  }
}
