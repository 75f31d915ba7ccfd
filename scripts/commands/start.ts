import { buildStale } from '../build-stale.ts';
import { CommandError, runCommand } from '../run-command.ts';
import { requestedPort, runSite } from '../site-command.ts';

/** `npm start`: builds what is stale, then runs the assembled site until Ctrl-C or SIGTERM. */
await runCommand(
  async (started) => {
    const port = await requestedPort();
    await buildStale(console.log);
    const site = await runSite(started, port, false);
    throw new CommandError(await site.broken);
  },
  { untilStopped: true },
);
