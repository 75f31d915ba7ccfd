import { launchBrowser } from '@daybook/testing/browser';
import { examplesOf } from '@daybook/testing/workspaces';
import { CommandError } from '../run-command.ts';
import type { Candidate } from './candidate.ts';
import { prepareShell, startPrivateShell } from './private-shell.ts';
import { tryPage } from './try-page.ts';

/**
 * Opens every page of a candidate in a real browser, inside a shell of its own.
 *
 * @param started what has to be stopped in the end is put here
 * @param report gets a line for each page
 * @throws CommandError naming the pages that are not as they should be, and what was found on them
 */
export async function tryCandidate(
  started: AsyncDisposableStack,
  candidate: Candidate,
  report: (line: string) => void,
): Promise<void> {
  await prepareShell(report);
  const address = await startPrivateShell(started, candidate);
  const browser = await launchBrowser(started);
  const examples = examplesOf(candidate.release.name);
  const found: string[] = [];
  for (const route of candidate.release.routes) {
    const problems = await tryPage(browser, address + route.path + (examples[route.path] ?? ''), candidate.release);
    report(`    ${problems.length === 0 ? '✓' : '✗'} ${route.path}`);
    found.push(...problems.map((problem) => `  ${route.path}: ${problem}`));
  }
  if (found.length > 0) throw new CommandError(`In the browser:\n${found.join('\n')}`);
}
