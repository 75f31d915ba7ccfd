import { spawnSync } from 'node:child_process';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { project } from './stack.ts';

/** Runs `docker …`; returns all its output, also if it fails. Synchronous: the next test would change what is printed. */
function docker(...words: readonly string[]): string {
  const { stdout, stderr } = spawnSync('docker', words, { encoding: 'utf8', timeout: 30_000 });
  return stdout + stderr;
}

/** After a failed test, prints the containers of the stack, and the last lines of those that are not healthy. */
export default class StateReporter implements Reporter {
  onTestEnd({ expectedStatus }: TestCase, { status }: TestResult): void {
    if (status === expectedStatus || status === 'skipped') return;
    const format = '{{.Names}}\t{{.Status}}\t{{.Networks}}';
    const containers = docker('ps', '--all', '--filter', `name=^${project}`, '--format', format);
    console.log(containers);
    for (const [name = '', state = ''] of containers.split('\n').map((line) => line.split('\t')))
      if (/unhealthy|starting|Restarting|Created|Dead|Removal|Exited \((?!0\))/.test(state))
        console.log(`${name}:\n${docker('logs', '--tail', '15', '--timestamps', name)}`);
  }
}
