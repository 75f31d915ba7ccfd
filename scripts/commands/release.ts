import { readFileSync } from 'node:fs';
import path from 'node:path';
import { budgetTable, compareWithBudget } from '@daybook/testing/budgets';
import { remotes, root } from '@daybook/testing/workspaces';
import { stampFileName } from '../build-stale.ts';
import { buildCandidate, type Candidate, expectSameSources, stampOf } from '../release/candidate.ts';
import { passGate } from '../release/gate.ts';
import { checkFormat, checkTypes, runOwnTests } from '../release/own-tests.ts';
import { isPublished, offeredVersion, publish, tidyUp } from '../release/publish.ts';
import { parseReleaseOptions } from '../release/release-options.ts';
import { step } from '../release/step.ts';
import { tryCandidate } from '../release/try-candidate.ts';
import { watchSite } from '../release/watch-site.ts';
import { CommandError, runCommand } from '../run-command.ts';

function checkBudget({ release }: Candidate): void {
  const manifest = path.join(root, release.name, 'package.json');
  const { budget } = JSON.parse(readFileSync(manifest, 'utf8')) as { budget?: unknown };
  const { rows, problems } = compareWithBudget(release, budget, path.relative(root, manifest));
  for (const line of budgetTable(rows)) console.log(`    ${line}`);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/** Tries a candidate alone and inside the shell; throws where it is not fit for release. */
async function tryOut(started: AsyncDisposableStack, stopped: AbortSignal, candidate: Candidate): Promise<void> {
  const { name } = candidate.release;
  await step('gate of the shell server', stopped, () => passGate(candidate, console.log));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('types', stopped, () => checkTypes(name));
  await step('its own tests', stopped, () => runOwnTests(name));
  await step('size budget', stopped, () => checkBudget(candidate));
  await step('in a browser, inside the shell', stopped, () => tryCandidate(started, candidate, console.log));
  await step('sources as they were', stopped, () => expectSameSources(candidate));
}

/**
 * `npm run release -w <remote>`: builds the remote, tries it alone and inside the shell, and publishes it to its
 * origin. Nothing else of the repository is built, and nothing need run.
 */
await runCommand(async (started, stopped) => {
  const { remote, to, site, dryRun } = parseReleaseOptions(process.argv.slice(2), process.env, remotes);
  // Said at the end, however that comes.
  let outcome = 'Nothing was published.';
  started.defer(() => console.log(`\n${outcome}`));
  const origin = to ?? path.join(root, remote, 'dist');
  const before = await offeredVersion(origin, remote);
  console.log(`Releasing ${remote} …`);
  const candidate = await step('build', stopped, () => buildCandidate(remote));
  const name = `${remote}@${candidate.release.version}`;
  // A dry run tries it all the same: the candidate may be copied to another origin.
  if (!dryRun && (await isPublished(candidate, origin))) {
    outcome = `Nothing new to release: ${name} is at its origin already.`;
    return;
  }
  await tryOut(started, stopped, candidate);
  if (dryRun) {
    outcome = `${name} is fit for release. Nothing was published: it was a dry run.`;
    return;
  }
  const publishing = step(`publish to ${path.relative(process.cwd(), origin) || '.'}`, stopped, async () => {
    await publish(candidate, origin, stopped);
    outcome = `${name} is published${before ? ` in place of ${before}` : ''}.`;
  });
  // It takes moments: whoever stops the command meanwhile is told what came of it.
  started.defer(() => publishing.catch(() => undefined));
  await publishing;
  const stamp = to ? undefined : { file: stampFileName, content: stampOf(candidate.release) };
  const { removed, problems } = await tidyUp(candidate, origin, stamp);
  if (removed > 0) console.log(`    ${removed} files of earlier builds removed`);
  for (const problem of problems) console.log(`  ! It is published, but not all was tidied up: ${problem}`);
  const taken = site ? await watchSite(site, candidate.release) : 'A site that runs takes it over in seconds.';
  outcome += `
  ${taken}
  look at it:    npm run releases -- show ${remote}
  take it back:  npm run releases -- rollback ${remote}`;
});
