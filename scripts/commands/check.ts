import { runChecks } from '../check-steps.ts';
import { CommandError, runCommand } from '../run-command.ts';

/** `npm run check`: lint, types, dependency direction, dead code. */
await runCommand(async () => {
  const failed = await runChecks(console.log);
  if (failed.length > 0) throw new CommandError(`Failed: ${failed.join(', ')}.`);
});
