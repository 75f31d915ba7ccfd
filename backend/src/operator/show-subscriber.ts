import { CommandError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import { ArrayContains, type DataSource, type EntityManager } from 'typeorm';
import { sameEmail } from '../database/index.ts';
import { OutboxEvent, ofEmail } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { EmergencyNotice, Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { parseEmail, parseReference } from './arguments.ts';
import { AuditLogEntry } from './audit-log.entity.ts';
import type { OperatorContext } from './context.ts';

function readRecord(dataSource: DataSource, email: string) {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const where = { email: sameEmail(email) };
    const subscriber = await manager.findOneBy(Subscriber, where);
    const entries = await manager.find(WaitlistEntry, {
      where: { subscriberId: subscriber?.id ?? 0 },
      order: { createdAt: 'ASC' },
    });
    const emergencyNotices = await manager.find(EmergencyNotice, { where, order: { receivedAt: 'ASC' } });
    const privacyRequests = await manager.find(PrivacyRequest, { where, order: { receivedAt: 'ASC' } });
    const events = await manager.find(OutboxEvent, { where: ofEmail(email), order: { id: 'ASC' } });
    return { email: subscriber?.email ?? email, subscriber, entries, emergencyNotices, privacyRequests, events };
  });
}

/** Returns the email of a privacy request; none if the number is unknown. */
export async function emailsOfReference(manager: EntityManager, reference: string): Promise<readonly string[]> {
  const request = await manager.findOneBy(PrivacyRequest, { reference });
  return request ? [request.email] : [];
}

const parseSubject = (text: string) =>
  text.includes('@') ? { email: parseEmail(text) } : { reference: parseReference(text) };

export function addShowCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('show')
    .description('shows all data of an email, e.g. to respond to an access request')
    .argument('<email>', 'the email, or the reference number of one of its privacy requests', parseSubject)
    .option('--audit', 'show instead what operators did about the email, also after its erasure')
    .addHelpText('after', '\nTimes are in UTC. It is not verified that an email belongs to the sender of its requests.')
    .action(
      context.action(async (subject: ReturnType<typeof parseSubject>, details: { readonly audit?: true }) => {
        let emails: readonly string[] = [];
        const emailsOf = async (manager: EntityManager) => {
          emails = subject.email ? [subject.email] : await emailsOfReference(manager, subject.reference ?? '');
          return emails;
        };
        const dataSource = await context.connect({ action: 'subscribers show', details, emailsOf });
        const [email] = emails;
        if (email === undefined) throw new CommandError(`There is no privacy request ${subject.reference}.`);
        const where = { subjects: ArrayContains([context.subjectOf(email)]) };
        context.print(
          details.audit
            ? await dataSource.manager.find(AuditLogEntry, { where, order: { id: 'DESC' } })
            : await readRecord(dataSource, email),
        );
      }),
    );
}
