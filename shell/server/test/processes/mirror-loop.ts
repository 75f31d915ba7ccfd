import { openOrigin } from '@daybook/release';
import { RemoteMirror } from '../../releases/mirror/remote-mirror.ts';
import { ReleaseManagement } from '../../releases/release-management.ts';

const [folder = '', ...origins] = process.argv.slice(2);

/** Mirrors each folder in turn, forever: each release is stored, activated and removed again. */
async function mirrorForever(): Promise<never> {
  const management = new ReleaseManagement(folder, ['mf-legal'], (problem) => process.send?.({ problem }));
  const mirrors = origins.map(
    (origin) =>
      new RemoteMirror({
        remote: 'mf-legal',
        origin: openOrigin(`file:${origin}`),
        management,
        retained: 2,
        onProblem: ({ message }) => process.send?.({ problem: message }),
      }),
  );
  process.send?.('begun');
  const { signal } = new AbortController();
  for (;;) {
    for (const mirror of mirrors) {
      await mirror.poll(signal);
      process.send?.({ active: management.log.stateOf('mf-legal').active });
    }
  }
}

// Prestarted by the test; begins with its first message.
process.once('message', mirrorForever);
