import * as z from 'zod/mini';

/** Longest body of a call, in bytes; the largest honest one is well under a thousand. */
export const apiBodyLimit = 100_000;

/** One call of the HTTP API: everything that its caller, its handler and its documentation must agree on. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path with `{name}` for each path parameter, as OpenAPI writes it. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, z.ZodMiniType>>;
  readonly query?: Readonly<Record<string, z.ZodMiniType>>;
  readonly body?: z.ZodMiniType;
  readonly success: { readonly status: 200 | 201; readonly body: z.ZodMiniType; readonly description: string };
  /** Expected refusals by status; each is answered with the error body. */
  readonly refusals: Readonly<Record<number, string>>;
}

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string | number } & PathParameters<Rest>
  : unknown;

/**
 * The path of a call with its parameters filled in and percent-encoded.
 *
 * @example pathOf(setStep, { id: 7, step: 2 }) // '/api/waitlist/7/step/2'
 */
export function pathOf<Call extends ApiCall>(call: Call, parameters: PathParameters<Call['path']>): string {
  const values = parameters as Record<string, string | number>;
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The body of every refusal: a message that a person can read, and a stable code for programs. */
export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
