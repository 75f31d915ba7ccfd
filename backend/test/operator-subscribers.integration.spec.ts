import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  anAddress,
  completionNotice,
  emergencyNotice,
  information,
  privacyRequest,
  signUp,
} from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { useBackend } from './support/use-backend.ts';

let folder: string;
const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeEach(async () => {
  await database.query(
    'TRUNCATE subscriber, waitlist_entry, privacy_request, emergency_notice, outbox_event, forgotten_count',
  );
  folder = mkdtempSync(join(tmpdir(), 'daybook-export-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const operator = (...parameters: string[]) => runOperator(database, parameters);

/** Signs up, and applies SQL changes to the entry. */
async function anEntry(email = anAddress(), changes = "created_at = '2026-11-01T00:00:00Z'") {
  const { id } = (await signUp(backend, { email })).body.entry;
  await database.query(`UPDATE waitlist_entry SET ${changes} WHERE id = $1`, [id]);
  return { id, email };
}

const exported = async (...parameters: string[]) => {
  const { exitCode, output, errors } = await operator('subscribers', 'export', '--format', 'json', ...parameters);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return JSON.parse(output);
};
const exportedAddresses = async (...parameters: string[]) =>
  (await exported(...parameters)).map(({ email }: { email: string }) => email);

describe('subscribers export', () => {
  test('has one row per subscriber, which combines the entries', async () => {
    const { email } = await anEntry(
      undefined,
      `created_at = '2026-11-01T00:00:00Z', completed_at = '2026-11-01T00:05:00Z', first_name = 'Ada',
       last_name = 'Byron', zip_code = '10001', selected_offers = '{grocery,vivint}'`,
    );
    await anEntry(email, `created_at = '2026-11-02T00:00:00Z', last_name = 'Lovelace', selected_offers = '{}'`);
    await anEntry(email, "created_at = '2026-11-03T00:00:00Z'");
    expect(await exported()).toEqual([
      {
        email,
        status: 'completed',
        signed_up_at: '2026-11-01T00:00:00.000Z',
        last_signed_up_at: '2026-11-03T00:00:00.000Z',
        completed_at: '2026-11-01T00:05:00.000Z',
        unsubscribed_at: null,
        signups: 3,
        first_name: 'Ada',
        last_name: 'Lovelace',
        zip_code: '10001',
        selected_offers: [],
      },
    ]);
  });

  test('escapes formulas in CSV, and exports exact values as JSON', async () => {
    const email = '+ada@example.com';
    const { id } = await anEntry(email);
    const name = information({ firstName: '=HYPERLINK("http://evil.example","Ada")', lastName: 'de\nMorgan' });
    await backend.request('PUT', `/api/waitlist/${id}`, { json: name });
    expect((await operator('subscribers', 'export')).output).toBe(
      'email,status,signed_up_at,last_signed_up_at,completed_at,unsubscribed_at,signups,first_name,last_name,zip_code,selected_offers\r\n' +
        `'${email},unfinished,2026-11-01T00:00:00.000Z,2026-11-01T00:00:00.000Z,,,1,` +
        `"'=HYPERLINK(""http://evil.example"",""Ada"")","de\nMorgan",10001,\r\n`,
    );
    expect(await exported()).toMatchObject([{ email, first_name: name.firstName, last_name: name.lastName }]);
  });

  test('filters by the time of the first or a later signup', async () => {
    await anEntry(undefined, "created_at = '2026-11-01T23:59:59Z'");
    const again = await anEntry(undefined, "created_at = '2026-10-01T00:00:00Z'");
    await anEntry(again.email, "created_at = '2026-11-02T00:00:00Z'");
    const late = await anEntry(undefined, 'created_at = now()');
    expect(await exportedAddresses('--since', '2026-11-02')).toEqual([again.email, late.email]);
    expect(await exportedAddresses('--since', '2026-11-02T00:00:00.001Z')).toEqual([late.email]);
    expect(await exportedAddresses('--since', '1h')).toEqual([late.email]);
  });

  test('marks subscribers with only suspected entries', async () => {
    const json = { email: anAddress(), topic: 'Cheap watches' };
    await backend.request('POST', '/api/waitlist', { json });
    const both = { email: anAddress(), topic: 'Cheap watches' };
    await backend.request('POST', '/api/waitlist', { json: both });
    await anEntry(both.email);
    expect(await exported('--status', 'suspected')).toMatchObject([{ email: json.email, status: 'suspected' }]);
    expect(await exported('--status', 'unfinished')).toMatchObject([{ email: both.email, status: 'unfinished' }]);
  });

  test('filters by status, with a completion notice counting as completed', async () => {
    const unfinished = await anEntry();
    const completed = await anEntry();
    await backend.request('PUT', `/api/waitlist/${completed.id}/complete`);
    const noticed = await anEntry();
    await backend.request('POST', `/api/waitlist/${noticed.id}/notify-complete`, { json: completionNotice() });
    expect(await exportedAddresses('--status', 'completed')).toEqual([completed.email, noticed.email]);
    const gone = await anEntry();
    await backend.request('PUT', `/api/waitlist/${gone.id}/complete`);
    await database.query('UPDATE subscriber SET unsubscribed_at = now() WHERE email = $1', [gone.email]);
    expect(await exportedAddresses('--status', 'completed')).toEqual([completed.email, noticed.email]);
    expect(await exportedAddresses('--status', 'unfinished')).toEqual([unfinished.email]);
    expect(await exportedAddresses('--status', 'unsubscribed')).toEqual([gone.email]);
    expect(await exported('--status', 'unsubscribed')).toMatchObject([{ status: 'unsubscribed' }]);
  });

  test('writes a new file with --output, and does not overwrite it', async () => {
    await anEntry();
    const file = join(folder, 'subscribers.json');
    const toFile = ['subscribers', 'export', '--format', 'json', '--output', file];
    expect(await operator(...toFile)).toEqual({
      exitCode: 0,
      output: `1 subscriber written to ${file}.\n`,
      errors: '',
    });
    expect(await operator(...toFile)).toMatchObject({
      exitCode: 1,
      errors: `The file ${file} exists already. Remove it, or choose another name.\n`,
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(1);
  });
});

describe('subscribers show', () => {
  test('prints all data of an address', async () => {
    const { id, email } = await anEntry();
    await backend.request('PUT', `/api/waitlist/${id}`, { json: information() });
    await backend.request('PUT', `/api/waitlist/${id}/update-client-info`, { headers: { 'user-agent': 'Browser/1' } });
    await backend.request('POST', '/api/emergency-webhook', {
      json: emergencyNotice({ email, source: 'x\u001b[31m' }),
    });
    await anEntry();
    const { exitCode, output } = await operator('subscribers', 'show', email);
    expect(exitCode).toBe(0);
    for (const text of [`${email}  subscriber since`, `REGISTRATION ${id}`, 'Lovelace', '10001', 'Browser/1'])
      expect(output).toContain(text);
    expect(output.match(/REGISTRATION/g)).toHaveLength(1);
    expect(output).toContain('x�[31m');
    expect(output).toMatch(/signup\.created +pending +0 /);
    const record = JSON.parse((await operator('subscribers', 'show', email, '--json')).output);
    expect(Object.keys(record)).toEqual([
      'email',
      'subscriber',
      'entries',
      'history',
      'emergencyNotices',
      'privacyRequests',
      'events',
    ]);
    expect(record.entries).toMatchObject([{ id, firstName: 'Ada', zipCode: '10001', userAgent: 'Browser/1' }]);
    expect(record.emergencyNotices).toMatchObject([{ source: 'x\u001b[31m' }]);
    expect(record.events.map(({ type }: { type: string }) => type)).toEqual(['signup.created', 'signup.emergency']);
  });

  test('lists signups and unsubscribes in chronological order, case-insensitively', async () => {
    const first = await anEntry('ada@example.com');
    await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email: 'ADA@example.com' }) });
    const again = await anEntry('ada@example.com', 'created_at = now()');
    const [created] = await eventsWith(database, { entryId: again.id });
    expect(created?.data).toMatchObject({ resubscribed: true });
    const [{ reference }] = (await database.query('SELECT reference FROM privacy_request')) as [{ reference: string }];
    const { history } = JSON.parse((await operator('subscribers', 'show', first.email, '--json')).output);
    expect(history).toMatchObject([
      { what: 'signup', reference: String(first.id) },
      { what: 'unsubscribe', reference },
      { what: 'signup', reference: String(again.id) },
    ]);
    expect((await operator('subscribers', 'show', first.email)).output).toMatch(
      /\nHISTORY\n.+\n.+ signup .+\n.+ unsubscribe .+\n.+ signup /,
    );
  });

  test('reports that no data is stored', async () => {
    expect(await operator('subscribers', 'show', 'nobody@example.com')).toEqual({
      exitCode: 1,
      output: '',
      errors: 'No data is stored for nobody@example.com.\n',
    });
  });
});
