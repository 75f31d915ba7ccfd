import { leadingZeroBits, type ProofChallenge, type ProofOfWork, proofText } from '@daybook/contract';

/** Hashes under way at a time; between two lots the page draws and hears its visitor. */
const lot = 256;

const encoder = new TextEncoder();

async function isAnswer(proof: ProofOfWork, difficulty: number): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(proofText(proof)));
  return leadingZeroBits(new Uint8Array(hash)) >= difficulty;
}

/** Browsers hash on pages that came by https or from this machine. */
export const canWork = (): boolean => typeof globalThis.crypto?.subtle?.digest === 'function';

/** Looks for the answer to a challenge of the API; half a second on most machines, a few on slow ones. */
export async function work({ challenge, difficulty }: ProofChallenge): Promise<ProofOfWork> {
  for (let first = 0; ; first += lot) {
    const proofs = Array.from({ length: lot }, (_, index) => ({ challenge, answer: first + index }));
    const verdicts = await Promise.all(proofs.map((proof) => isAnswer(proof, difficulty)));
    const found = proofs[verdicts.indexOf(true)];
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
