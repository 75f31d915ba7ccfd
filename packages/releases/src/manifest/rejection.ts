import type * as z from 'zod';
import { lineOf } from './line.ts';

/** Why a release is rejected; also the metric's `reason` label. */
export const rejectionReasons = [
  'malformed',
  'foreign',
  'contract',
  'incomplete',
  'collision',
  'too-large',
  'fragment',
  'tampered',
  'version-reused',
  'signature',
] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

const maxMessage = 500;
const maxErrors = 20;

/** Thrown for a release that this shell rejects; each error states the reason and the fix. */
export class ReleaseRejection extends Error {
  override readonly name = 'ReleaseRejection';
  /** Of the first error. */
  readonly reason: RejectionReason;
  /** All of them, or the first 20 and how many more there are. */
  readonly errors: readonly string[];

  constructor(reason: RejectionReason, ...errors: readonly string[]) {
    const more = errors.length - maxErrors;
    const lines = [
      ...errors.slice(0, maxErrors).map((error) => lineOf(error.slice(0, 4 * maxMessage), maxMessage)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
    super(lines.join('; '));
    this.reason = reason;
    this.errors = lines;
  }
}

/**
 * Checks one item after another.
 *
 * @throws ReleaseRejection with the errors of all items that are rejected; any other error at once
 */
export async function checkEach<Item>(items: readonly Item[], check: (item: Item) => Promise<void>): Promise<void> {
  const rejections: ReleaseRejection[] = [];
  for (const item of items)
    await check(item).catch((error: unknown) => {
      if (!(error instanceof ReleaseRejection)) throw error;
      rejections.push(error);
    });
  const [first] = rejections;
  if (first) throw new ReleaseRejection(first.reason, ...rejections.flatMap(({ errors }) => errors));
}

/** Characters of a quoted value. */
const maxQuoted = 60;

/**
 * Returns the errors of a schema in words, each with the path of its value: `routes[2] (/press).title must have 200
 * characters or fewer`.
 *
 * @param value what was checked; short texts in it are quoted
 */
export function issueTexts({ issues }: Pick<z.ZodError, 'issues'>, value: unknown): readonly string[] {
  return issues.map(({ path, message }) => {
    let [name, found] = ['', value];
    for (const [index, key] of path.entries()) {
      found = Object(found)[key];
      name += typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
      // A route is known by its path, not by its position.
      const route = Object(found).path;
      const isShown = index < path.length - 1 && path[index + 1] !== 'path';
      if (isShown && typeof route === 'string' && route.length <= maxQuoted) name += ` (${route})`;
    }
    const quoted = typeof found === 'string' && found.length <= maxQuoted ? ` “${found}”` : '';
    // The contract's own messages continue the sentence; zod's begin one.
    return `${name.slice(name.startsWith('.') ? 1 : 0) || 'it'}${quoted}${/^[a-z]/.test(message) ? '' : ':'} ${message}`;
  });
}
