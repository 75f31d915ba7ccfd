/** negotiator has no types, and third-party ones lack the preferred encodings. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly 'accept-encoding': string | undefined } });
    encoding<Encoding extends string>(
      available: readonly Encoding[],
      options: { readonly preferred: readonly Encoding[] },
    ): Encoding | undefined;
  }
}
