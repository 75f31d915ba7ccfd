import * as z from 'zod/mini';
import type { CallUrl } from './calls.ts';

/** Maximum size of the body of any call, in bytes. */
export const apiBodyLimit = 40_000;

/** The same of a call that states no other. */
export const defaultBodyLimit = 4_000;

/** One call of the HTTP API: for its caller, its handler and its documentation. */
export interface ApiCall extends CallUrl {
  readonly summary: string;
  /** What a page shows after the call. */
  readonly messages?: { readonly success: string; readonly failure: string };
  readonly parameters?: Readonly<Record<string, z.ZodMiniType>>;
  readonly query?: Readonly<Record<string, z.ZodMiniType>>;
  readonly body?: z.ZodMiniType;
  readonly bodyLimit?: number;
  readonly success: { readonly status: 200 | 201; readonly body: z.ZodMiniType; readonly description: string };
  /** By status. */
  readonly errorResponses: Readonly<Record<number, string>>;
}

/** The body of every error response: a message for people, and a stable code for programs. */
export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
