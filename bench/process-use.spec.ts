import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { cpuSeconds, cpuSecondsWithChildren, residentMegabytes } from './process-use.ts';

const onLinux = existsSync('/proc/self/stat') ? test : test.skip;

onLinux('what a process uses is what it knows of itself', () => {
  const known = process.memoryUsage().rss / 1e6;
  expect(residentMegabytes(process.pid)).toBeGreaterThan(known * 0.8);
  expect(residentMegabytes(process.pid)).toBeLessThan(known * 1.2);
  const { user, system } = process.cpuUsage();
  const seconds = cpuSeconds(process.pid) ?? Number.NaN;
  expect(Math.abs(seconds - (user + system) / 1e6)).toBeLessThan(0.2);
  expect(cpuSecondsWithChildren(process.pid)).toBeGreaterThanOrEqual(seconds);
});

test('of a process that is gone nothing is known', () => {
  const gone = 2 ** 30;
  expect(cpuSeconds(gone)).toBeUndefined();
  expect(cpuSecondsWithChildren(gone)).toBeUndefined();
  expect(residentMegabytes(gone)).toBeUndefined();
});
