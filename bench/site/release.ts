import type { SitePart } from './parts.ts';
import { measureColdStart } from './release/cold-start.ts';
import { measureFirstVisitor } from './release/first-visitor.ts';
import { measureRebuild } from './release/rebuild.ts';

/** What releasing takes: from a finished build to visitors, the build itself, and on request a start from nothing. */
export const measureRelease: SitePart = async (context) => [
  await measureFirstVisitor(context),
  await measureRebuild(context),
  ...(context.effort.coldStart ? [await measureColdStart(context)] : []),
];
