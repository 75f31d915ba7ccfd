/** What of autocannon is used; it comes without types. */
declare module 'autocannon' {
  export interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request) => Request;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** In s. */
    readonly duration: number;
    /** How often it looks whether it shall end, in ms. */
    readonly sampleInt: number;
    readonly requests: readonly Request[];
  }
  interface Result {
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }
  interface Instance extends PromiseLike<Result> {
    /** The duration is in ms, with its fraction. */
    on(event: 'response', listener: (client: object, status: number, bytes: number, duration: number) => void): this;
  }
  export default function autocannon(options: Options): Instance;
}
