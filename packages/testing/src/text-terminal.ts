import type { Terminal } from '@daybook/server/command-line';

/** Returns a terminal that records a command's output. */
export function textTerminal() {
  const written = { output: '', errors: '' };
  const streamOf = (name: keyof typeof written) => ({
    columns: 120,
    write: (text: string) => {
      written[name] += text;
      return true;
    },
  });
  const terminal = { input: process.stdin, output: streamOf('output'), errors: streamOf('errors') };
  return { terminal: terminal as unknown as Terminal, output: () => written.output, errors: () => written.errors };
}
