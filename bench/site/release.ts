import type { SitePart } from './parts.ts';
import { measureFirstVisitor } from './release/first-visitor.ts';
import { measureRebuild } from './release/rebuild.ts';

/** What releasing takes: from a finished build to visitors, and the build itself. */
export const measureRelease: SitePart = async (context) => [
  await measureFirstVisitor(context),
  await measureRebuild(context),
];
