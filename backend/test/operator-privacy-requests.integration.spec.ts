import { beforeEach, describe, expect, test } from '@jest/globals';
import { runOperator } from './support/operator.ts';
import { useDatabase } from './support/use-backend.ts';

const database = useDatabase();
beforeEach(async () => {
  await database.query('TRUNCATE privacy_request');
});

const requests = (...parameters: string[]) => runOperator(database, ['privacy-requests', ...parameters]);
const listed = async (...parameters: string[]) =>
  JSON.parse((await requests('list', '--json', ...parameters)).output).map(
    ({ reference }: { reference: string }) => reference,
  );

/** Stores a request that is due in so many hours and returns its reference. */
async function aRequest(letter: string, hours: number, fields: object = {}) {
  const reference = `${letter.repeat(4)}-3XTA-9VD2`;
  await database.query(
    `INSERT INTO privacy_request (reference, kind, email, fields, page_version, global_privacy_control,
       received_at, due_at)
     VALUES ($1, 'privacy-rights-request', 'ada@example.com', $3, 'mf-privacy@1.0.0', false,
       now() - interval '30 days', now() + $2 * interval '1 hour')`,
    [reference, hours, JSON.stringify(fields)],
  );
  return reference;
}

describe('privacy-requests list', () => {
  test('lists the most urgent first, and marks overdue requests', async () => {
    const later = await aRequest('A', 50, { name: 'Ada\u001b[31m', requestType: 'access' });
    const overdue = await aRequest('B', -1);
    const { exitCode, output } = await requests('list');
    expect(exitCode).toBe(0);
    const [head, first, second] = output.split('\n');
    expect(head).toMatch(/^REFERENCE +DUE +STATE +KIND +ADDRESS +RECEIVED +FIELDS$/);
    expect(first).toMatch(new RegExp(`^${overdue} .+ OVERDUE +privacy-rights-request +ada@example.com `));
    expect(second).toMatch(new RegExp(`^${later} .+ open .+ name: Ada�\\[31m, requestType: access$`));
  });

  test('filters by days until the due date', async () => {
    const [overdue, tomorrow, later] = [await aRequest('A', -1), await aRequest('B', 23), await aRequest('C', 500)];
    expect(await listed('--due', '0')).toEqual([overdue]);
    expect(await listed('--due')).toEqual([overdue, tomorrow]);
    expect(await listed('--due', '--limit', '1')).toEqual([overdue]);
    expect(await listed('--due', '21')).toEqual([overdue, tomorrow, later]);
    expect((await requests('list', '--limit', '2')).output).toMatch(/\nThe first 2 requests; more with --limit\.\n$/);
  });

  test('reports that there are none', async () => {
    expect((await requests('list')).output).toBe('There are no such privacy requests.\n');
  });
});

describe('privacy-requests done', () => {
  test('marks an open request as done', async () => {
    const reference = await aRequest('A', 1);
    for (let time = 1; time <= 2; time++)
      expect(await requests('done', reference.toLowerCase())).toEqual({
        exitCode: 0,
        output: `Privacy request ${reference} is done.\n`,
        errors: '',
      });
    expect(await listed()).toEqual([]);
  });

  test('names an unknown request in the error', async () => {
    expect(await requests('done', 'K7QM-3XTA-9VD2')).toEqual({
      exitCode: 1,
      output: '',
      errors: 'There is no privacy request K7QM-3XTA-9VD2; operator privacy-requests list shows them.\n',
    });
  });
});
