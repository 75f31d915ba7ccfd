import { RemoteMirror } from '../../mirror/remote-mirror.ts';
import { openOrigin } from '../../origins/open-origin.ts';
import { PostgresRegistry } from '../../registry/postgres-registry.ts';
import { createTemporaryReleases } from '../release-folder.ts';

const [address = '', folder, ...origins] = process.argv.slice(2);

/** Mirrors each folder in turn, forever: each release is stored, activated and removed again. */
async function mirrorForever(): Promise<never> {
  const registry = new PostgresRegistry(address);
  const releases = createTemporaryReleases(['mf-legal'], registry, folder);
  const mirrors = origins.map(
    (origin) =>
      new RemoteMirror(
        releases.mirrorOptions(openOrigin(`file:${origin}`), {
          retained: 2,
          onProblem: ({ message }) => process.send?.({ problem: message }),
        }),
      ),
  );
  process.send?.('begun');
  const { signal } = new AbortController();
  for (;;) {
    for (const mirror of mirrors) {
      await mirror.poll(signal);
      await releases.active.update();
      process.send?.({ active: releases.copy.stateOf('mf-legal').active });
    }
  }
}

// Prestarted by the test; begins with its first message.
process.once('message', mirrorForever);
