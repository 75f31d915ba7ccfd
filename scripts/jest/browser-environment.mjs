import { TestEnvironment } from 'jest-environment-jsdom';

// React Router and zod use these, browsers have them, jsdom does not.
const missingFromJsdom = ['Request', 'Response', 'Headers', 'fetch', 'TextEncoder', 'TextDecoder', 'structuredClone'];

// jsdom has its own of these, which the Request above does not take; React Router makes one with the other.
const fittingRequest = ['AbortController', 'AbortSignal'];

/** jsdom with the web platform's own classes that it leaves out. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of missingFromJsdom) this.global[name] ??= globalThis[name];
    for (const name of fittingRequest) this.global[name] = globalThis[name];
    this.global.URL.parse ??= (text, base) =>
      this.global.URL.canParse(text, base) ? new this.global.URL(text, base) : null;
  }
}
