import * as z from 'zod/mini';

/** What the API asks for where very many sign up at once: an answer whose hash begins with this many zero bits. */
export const proofChallengeSchema = z.object({ challenge: z.string(), difficulty: z.int() });
export type ProofChallenge = z.infer<typeof proofChallengeSchema>;

/** An answer to a challenge: SHA-256 of `<challenge>.<answer>` begins with as many zero bits as it asks for. */
export const proofOfWorkSchema = z.object({
  challenge: z.string().check(z.maxLength(300)),
  answer: z.int().check(z.minimum(0)),
});
export type ProofOfWork = z.infer<typeof proofOfWorkSchema>;

/** What is hashed. */
export const proofText = ({ challenge, answer }: ProofOfWork): string => `${challenge}.${answer}`;

/** With how many zero bits a hash begins. */
export function leadingZeroBits(hash: Uint8Array): number {
  const zeros = hash.findIndex((byte) => byte !== 0);
  return zeros === -1 ? hash.length * 8 : zeros * 8 + Math.clz32(hash[zeros] ?? 0) - 24;
}
