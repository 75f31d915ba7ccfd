/** Getters of a web storage in browsers that forbid or lack it, or where an extension has replaced it; with what it does. */
export const brokenStorages: readonly (readonly [what: string, get: () => Storage])[] = [
  [
    'throws on access',
    () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  ],
  ['is missing', () => undefined as never],
  ['is null', () => null as never],
  ['has no functions', () => ({}) as never],
];
