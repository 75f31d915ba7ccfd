import { expect, test } from '@jest/globals';
import { escapeControls, printable, printableLine } from './printable.ts';

const controls = ['\0', '\x1b', '\x7f', '\x9b', '\u061c', '\u200e', '\u2028', '\u202e', '\u2066'].join('');

test('what a command prints controls no terminal, and is otherwise unchanged', () => {
  expect(printableLine(`${controls}\n`)).toBe('\ufffd'.repeat(controls.length + 1));
  expect(printable(`a${controls}\n\nb\n`)).toBe(`a${'\ufffd'.repeat(controls.length)}\n\nb\n`);
  for (const text of ['Ada', '你好', 'نام\u200cها', '👩‍💻', '\u00a0']) expect(printableLine(text)).toBe(text);
});

test('JSON keeps its values without characters that control a terminal', () => {
  const json = escapeControls(JSON.stringify({ [controls]: controls }, undefined, 2));
  expect(printable(json)).toBe(json);
  expect(JSON.parse(json)).toEqual({ [controls]: controls });
});
