import * as z from 'zod/mini';
import { proofChallengeSchema } from './proof-of-work.ts';

/** The body of every refusal: a message that a person can read, and a stable code for programs. */
export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
  /** With PROOF_OF_WORK_REQUIRED: what has to be answered for the same request to be taken at once. */
  proofOfWork: z.optional(proofChallengeSchema),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
