import type * as z from 'zod';

/** Characters of a quoted value. */
const maxQuoted = 60;

/**
 * Describes the errors of a schema, each with the path of its value: `routes[2] (/press).title must have 200
 * characters or fewer`.
 *
 * @param value what was checked; short texts in it are quoted
 */
export function describeIssues({ issues }: Pick<z.ZodError, 'issues'>, value: unknown): readonly string[] {
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
