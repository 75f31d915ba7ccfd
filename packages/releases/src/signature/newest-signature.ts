import { ReleaseRejection } from '../gate/gate.ts';
import type { ReleaseSignature } from './signature.ts';

/** The newest signature of a remote that was accepted, with the version of its release. */
export interface NewestSignature extends ReleaseSignature {
  readonly version: string;
}

/**
 * Checks that a signature is the newest of its remote: an origin may offer a release of the past, such as one with a
 * vulnerability, together with its valid signature.
 *
 * @param newest the newest one that any server has accepted
 * @throws ReleaseRejection
 */
export function checkNotOlder(newest: NewestSignature | undefined, { signedAt, integrity }: ReleaseSignature): void {
  if (!newest || signedAt > newest.signedAt) return;
  if (signedAt === newest.signedAt && integrity === newest.integrity) return;
  const isoOf = (ms: number) => new Date(ms).toISOString();
  throw new ReleaseRejection(
    'signature',
    signedAt === newest.signedAt
      ? `its signature is of the same second as that of ${newest.version}; release it again`
      : `its signature of ${isoOf(signedAt)} is older than that of ${newest.version} of ${isoOf(newest.signedAt)}, which was seen before; release it again, or roll back as an operator`,
  );
}
