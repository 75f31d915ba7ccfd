import * as z from 'zod/mini';

/** The body of every refusal: a message that a person can read, and a stable code for programs. */
export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
