import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stampFileName } from '../build-stale.ts';
import { budgetTable, compareWithBudget } from '../release/budgets.ts';
import { buildCandidate, type Candidate, expectSameSources, stampOf } from '../release/candidate.ts';
import { checkFormat, checkTypes, runOwnTests } from '../release/own-tests.ts';
import { isPublished, offeredVersion, publish } from '../release/publish.ts';
import { parseReleaseOptions } from '../release/release-options.ts';
import { tryCandidate } from '../release/try-candidate.ts';
import { CommandError, runCommand } from '../run-command.ts';
import { remotes, root } from '../workspaces.ts';

/** Runs a step, and prints its name with the time it took. Nothing is published where it fails. */
async function step<Value>(name: string, run: () => Value | Promise<Value>): Promise<Value> {
  const begun = performance.now();
  try {
    const value = await run();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`  ✓ ${name}${typeof value === 'number' ? `: ${value} passed` : ''} (${seconds} s)`);
    return value;
  } catch (error) {
    console.log(`  ✗ ${name}`);
    if (error instanceof CommandError) throw new CommandError(`${error.message}\n\nNothing was published.`);
    throw error;
  }
}

function checkBudget({ release }: Candidate): void {
  const manifest = path.join(root, release.name, 'package.json');
  const { budget } = JSON.parse(readFileSync(manifest, 'utf8')) as { budget?: unknown };
  const { rows, problems } = compareWithBudget(release, budget, path.relative(root, manifest));
  for (const line of budgetTable(rows)) console.log(`    ${line}`);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/**
 * `npm run release -w <remote>`: builds the remote, tries it alone and inside the shell, and publishes it to its
 * origin. Nothing else of the repository is built, and nothing need run.
 */
await runCommand(async (started) => {
  const { remote, to, dryRun } = parseReleaseOptions(process.argv.slice(2), process.env, remotes);
  const origin = to ?? path.join(root, remote, 'dist');
  const before = await offeredVersion(origin, remote);
  console.log(`Releasing ${remote} …`);
  const candidate = await step('build', () => buildCandidate(remote));
  const { version } = candidate.release;
  // A dry run tries it all the same: the candidate may be copied to another origin.
  if (!dryRun && (await isPublished(candidate, origin))) {
    console.log(`\nNothing new to release: ${remote}@${version} is at its origin already.`);
    return;
  }
  await step('lint and format', () => checkFormat(remote));
  await step('types', () => checkTypes(remote));
  await step('its own tests', () => runOwnTests(remote));
  await step('size budget', () => checkBudget(candidate));
  await step('in a browser, inside the shell', () => tryCandidate(started, candidate, console.log));
  expectSameSources(candidate);
  if (dryRun) {
    console.log(`\n${remote}@${version} is fit for release. Nothing was published: it was a dry run.`);
    return;
  }
  await step(`publish to ${path.relative(process.cwd(), origin) || '.'}`, () =>
    publish(candidate, origin, () => {
      if (!to) writeFileSync(path.join(origin, stampFileName), stampOf(candidate.release));
    }),
  );
  console.log(
    `\nPublished ${remote}@${version}${before ? ` in place of ${before}` : ''}. A running site takes it over in seconds.`,
  );
  console.log(`  watch it:      npm run releases -- show ${remote}`);
  console.log(`  take it back:  npm run releases -- rollback ${remote}`);
});
