import { CommandError, UsageError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import { Any, type EntityManager } from 'typeorm';
import { OutboxEvent, OutboxRepository } from '../outbox/index.ts';
import { parseEventIds } from './arguments.ts';
import type { OperatorContext } from './context.ts';

export function addReplayCommand(events: Command, context: OperatorContext): void {
  events
    .command('replay')
    .description('delivers dead events again')
    .argument('[id...]', 'event ids, from the view reports.events', parseEventIds)
    .option('--dead', 'all dead events instead of ids')
    .addHelpText('after', '\nEvents are delivered at once under the same id, and retried for three days.')
    .action(
      context.action(async (ids: readonly string[], { dead }: { readonly dead?: true }) => {
        if (dead && ids.length > 0) throw new UsageError('Use either ids or --dead.');
        if (!dead && ids.length === 0)
          throw new UsageError('Name the ids of the events, or use --dead for all dead events.');
        const dataSource = await context.connect({
          action: 'events replay',
          details: dead ? { dead } : { ids },
          emailsOf: (manager) => emailsOfEvents(manager, ids),
        });
        const replayed = await new OutboxRepository(dataSource).replay(dead ? {} : { id: Any(ids) });
        context.print({ replayed });
        const others = ids.filter((id) => !replayed.includes(id));
        if (others.length > 0) throw new CommandError(`No dead event has the id ${others.join(' or ')}.`);
      }),
    );
}

/** Returns the emails in events; one that reported an erasure has none. */
async function emailsOfEvents(manager: EntityManager, ids: readonly string[]): Promise<readonly string[]> {
  const events = await manager.findBy(OutboxEvent, { id: Any(ids) });
  return events.flatMap(({ data: { email } }) => (typeof email === 'string' ? [email] : []));
}
