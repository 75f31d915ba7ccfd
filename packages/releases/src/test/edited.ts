import fc from 'fast-check';

/** Texts that differ from this one by an edit: up to three characters in place of up to three others. */
export const edited = (text: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(text.length - 1),
      removed: fc.nat(3),
      added: fc.string({ unit: fc.constantFrom(...'Aaz09-_.\n \u0000=é{"'), maxLength: 3 }),
    })
    .map(({ at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed))
    .filter((changed) => changed !== text);
