// Without schemas: pages don't load zod.

/** Method of a call, and its path with `{name}` for each path parameter, as in OpenAPI. */
export interface CallUrl {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: `/api/${string}`;
}

/** The calls of docs/product.md (Calls). */
export const callUrls = {
  signUp: { method: 'POST', path: '/api/waitlist' },
  findByEmail: { method: 'GET', path: '/api/waitlist/by-email' },
  setStep: { method: 'PUT', path: '/api/waitlist/{id}/step/{step}' },
  complete: { method: 'PUT', path: '/api/waitlist/{id}/complete' },
  updateInformation: { method: 'PUT', path: '/api/waitlist/{id}' },
  selectOffers: { method: 'PUT', path: '/api/waitlist/{id}/offers' },
  updateClientInfo: { method: 'PUT', path: '/api/waitlist/{id}/update-client-info' },
  notifyComplete: { method: 'POST', path: '/api/waitlist/{id}/notify-complete' },
  sendEmergencyNotice: { method: 'POST', path: '/api/emergency-webhook' },
  makePrivacyRequest: { method: 'POST', path: '/api/privacy-requests' },
} as const satisfies Record<string, CallUrl>;

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string | number } & PathParameters<Rest>
  : unknown;

/** Returns the path of a call with its parameters inserted and percent-encoded. */
export function pathOf<Call extends CallUrl>(call: Call, parameters: PathParameters<Call['path']>): string {
  const values = parameters as Record<string, string | number>;
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The last step of a registration; signing up is step 1 (docs/product.md, Calls). */
export const lastStep = 2;

/** Entry ids are random and below 2^48: hard to guess, and exact in a JavaScript number. */
export const waitlistEntryIdLimit = 2 ** 48;

/** Returns the id of the entry in a response; `undefined` without one. */
export function entryIdIn(response: unknown): number | undefined {
  const id = (response as { readonly entry?: { readonly id?: unknown } | null } | null | undefined)?.entry?.id;
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}
