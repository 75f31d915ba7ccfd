import type { Release } from '@daybook/contract';
import { ReleaseRefusal } from './release-refusal.ts';

/** More than any honest release has; sizes in bytes. */
export const releaseLimits = {
  description: 1_000_000,
  files: 2_000,
  routes: 200,
  /** Characters of a file's path, and of a version. */
  name: 200,
  fileSize: 20_000_000,
  size: 60_000_000,
} as const;

/** @throws ReleaseRefusal where a release is larger than any honest one */
export function checkLimits({ files, routes }: Release): void {
  if (routes.length > releaseLimits.routes)
    throw new ReleaseRefusal('too-large', `it has ${routes.length} routes; at most ${releaseLimits.routes} are taken`);
  const sizes = Object.entries(files).map(([name, { size }]) => ({ name, size }));
  if (sizes.length > releaseLimits.files)
    throw new ReleaseRefusal('too-large', `it has ${sizes.length} files; at most ${releaseLimits.files} are taken`);
  const largest = sizes.find(({ size }) => size > releaseLimits.fileSize);
  if (largest)
    throw new ReleaseRefusal(
      'too-large',
      `its file ${largest.name} has ${largest.size} bytes; at most ${releaseLimits.fileSize} are taken`,
    );
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  if (total > releaseLimits.size)
    throw new ReleaseRefusal('too-large', `it has ${total} bytes; at most ${releaseLimits.size} are taken`);
}
