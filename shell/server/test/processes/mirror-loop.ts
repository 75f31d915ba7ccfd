import { openOrigin } from '@daybook/release';
import { RemoteMirror } from '../../releases/mirror/remote-mirror.ts';
import { ReleaseManagement } from '../../releases/release-management.ts';

const [folder = '', ...dists] = process.argv.slice(2);

/** Mirrors what each folder offers, again and again: each release is stored, made active and removed in its turn. */
async function mirrorForever(): Promise<never> {
  const management = new ReleaseManagement(folder, ['mf-legal'], (problem) => process.send?.({ problem }));
  const mirrors = dists.map(
    (dist) =>
      new RemoteMirror({
        remote: 'mf-legal',
        origin: openOrigin(`file:${dist}`),
        management,
        kept: 2,
        onProblem: ({ message }) => process.send?.({ problem: message }),
      }),
  );
  process.send?.('begun');
  const { signal } = new AbortController();
  for (;;) {
    for (const mirror of mirrors) {
      await mirror.look(signal);
      process.send?.({ active: management.log.stateOf('mf-legal').active });
    }
  }
}

// It is started ahead of time, and begins when it is told to.
process.once('message', mirrorForever);
