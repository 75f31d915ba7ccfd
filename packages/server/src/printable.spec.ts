import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { escapeControls, printable, printableLine } from './printable.ts';

/** A range of each kind, as code points: C0, DEL and C1, marks and overrides of direction, isolates, and separators. */
const ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
] as const;
const controls = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
);
const controlsIn = (text: string) => controls.filter((each) => text.includes(each));

/** Strangers' texts: any characters, and many that control a terminal. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.oneof(fc.constantFrom(...controls), fc.constantFrom('[', ']', '3', '1', 'm', 'é', '你')) }),
);

describe('what a command prints', () => {
  test('contains no character that controls a terminal but the ends of its own lines', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(controlsIn(printableLine(text))).toEqual([]);
        expect(controlsIn(printable(text)).filter((each) => each !== '\n')).toEqual([]);
      }),
    );
    expect(printableLine(controls.join(''))).toBe('\ufffd'.repeat(controls.length));
  });

  test('is otherwise unchanged: names of any script, with joiners and emoji', () => {
    for (const text of ['Ada', '你好', 'é', 'نام\u200cها', '👩‍💻', '\u00a0', '\ufeff', '–'])
      expect([printableLine(text), printable(text)]).toEqual([text, text]);
    expect(printable('a\n\nb\n')).toBe('a\n\nb\n');
  });

  test('as JSON contains none either, and the same values', () => {
    fc.assert(
      fc.property(
        fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))),
        fc.constantFrom(0, 2),
        (value, indent) => {
          const json = escapeControls(JSON.stringify(value, undefined, indent));
          expect(controlsIn(json).filter((each) => each !== '\n')).toEqual([]);
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });
});
