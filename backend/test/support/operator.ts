import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from '@daybook/server/command-line';
import { runOperator as run } from '../../src/operator/operator.ts';
import type { ProcessResult } from './processes.ts';

/** Runs the command in this process, without a terminal, as Ann and with a key of the audit log. */
export async function runOperator(
  { url }: { readonly url?: string },
  parameters: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ProcessResult> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(output), text(errors)]);
  const terminal = { output, errors } as unknown as Terminal;
  const environment = { AUDIT_KEY: 'k'.repeat(32), OPERATOR: 'Ann', ...(url && { DATABASE_URL: url }), ...variables };
  const exitCode = await run(parameters, environment, terminal);
  output.end();
  errors.end();
  const [printed, failures] = await texts;
  return { exitCode, output: printed, errors: failures };
}
