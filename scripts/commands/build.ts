import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

/** `npm run build`: builds what is stale. */
await runCommand(async () => {
  await buildStale(console.log);
  console.log('Everything is built.');
});
