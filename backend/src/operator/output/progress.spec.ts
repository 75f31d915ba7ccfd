import { beforeEach, describe, expect, test } from '@jest/globals';
import { Progress } from './progress.ts';

let now = 0;
let written: string[] = [];
const on = (isTTY: boolean) => {
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  return new Progress({ write, isTTY } as NodeJS.WriteStream, () => now);
};
beforeEach(() => {
  now = 0;
  written = [];
});

function goOn(progress: Progress, seconds: number) {
  for (const end = now + seconds * 1000; now < end; ) {
    now += 100;
    progress.tell(() => `${now / 1000} s`);
  }
  progress.end();
}

describe('progress', () => {
  test('is one line that changes on a terminal, and is gone in the end', () => {
    goOn(on(true), 0.5);
    expect(written).toEqual(['\r\u001b[K0.2 s', '\r\u001b[K0.4 s', '\r\u001b[K']);
  });

  test('is a line every ten seconds elsewhere', () => {
    goOn(on(false), 25);
    expect(written).toEqual(['10 s\n', '20 s\n']);
  });

  test.each([true, false])('is nothing where it is quick (terminal: %p)', (isTTY) => {
    goOn(on(isTTY), 0.1);
    expect(written).toEqual([]);
  });
});
