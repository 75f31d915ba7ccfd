import * as z from 'zod/mini';

/** Maximum size of the body of any call, in bytes: proxies reject larger ones before they reach a backend. */
export const apiBodyLimit = 40_000;

/** The same of a call that states no other: parsing may take long, and their largest fields have 320 characters. */
export const defaultBodyLimit = 4_000;

/** One call of the HTTP API: the single source for its caller, its handler and its documentation. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path with `{name}` for each path parameter, as in OpenAPI. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, z.ZodMiniType>>;
  readonly query?: Readonly<Record<string, z.ZodMiniType>>;
  readonly body?: z.ZodMiniType;
  /** Maximum size of the body in bytes; by default `defaultBodyLimit`. */
  readonly bodyLimit?: number;
  readonly success: { readonly status: 200 | 201; readonly body: z.ZodMiniType; readonly description: string };
  /** Descriptions of the expected error responses by status; each has the error body. */
  readonly errorResponses: Readonly<Record<number, string>>;
}

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string | number } & PathParameters<Rest>
  : unknown;

/**
 * Returns the path of a call with its parameters inserted and percent-encoded.
 *
 * @example pathOf(setStep, { id: 7, step: 2 }) // '/api/waitlist/7/step/2'
 */
export function pathOf<Call extends ApiCall>(call: Call, parameters: PathParameters<Call['path']>): string {
  const values = parameters as Record<string, string | number>;
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The body of every error response: a message for people, and a stable code for programs. */
export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
