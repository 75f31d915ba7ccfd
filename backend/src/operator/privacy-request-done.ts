import { CommandError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { parseReference } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { emailsOfReference } from './show-subscriber.ts';

export function addDoneCommand(requests: Command, context: OperatorContext): void {
  requests
    .command('done')
    .description('marks a privacy request as done')
    .argument('<reference>', 'such as K7QM-3XTA-9VD2', parseReference)
    .addHelpText('after', '\nIdempotent: later calls keep the first timestamp.')
    .action(
      context.action(async (reference: string) => {
        const { manager } = await context.connect({
          action: 'privacy-requests done',
          details: { reference },
          emailsOf: (before) => emailsOfReference(before, reference),
        });
        await manager.update(PrivacyRequest, { reference }, { doneAt: () => 'COALESCE(done_at, now())' });
        const request = await manager.findOneBy(PrivacyRequest, { reference });
        if (!request) throw new CommandError(`There is no privacy request ${reference}.`);
        context.print({ reference, doneAt: request.doneAt });
      }),
    );
}
