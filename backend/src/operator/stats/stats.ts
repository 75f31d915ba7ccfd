import { type Command, print, printJson } from '../command-line/command.ts';
import { readWholeNumber } from '../command-line/values.ts';
import { describeStats } from './describe-stats.ts';
import { readStats } from './read-stats.ts';

const defaultDays = 14;

export const stats: Command = {
  name: 'stats',
  summary: 'subscribers, signups by day, events that wait or are dead, size',
  options: { days: { type: 'string' }, json: { type: 'boolean' } },
  help: [
    `  --days <number>   days of signups, today included; ${defaultDays} where left out`,
    '  --json            the same for programs',
    '',
    'A registration counts as completed once its visitor finished it or reached the thank-you page, and as suspected',
    'until then if the field that people do not see was filled in. Addresses that were forgotten are no longer among',
    'subscribers and signups.',
  ],
  run: async (given, workplace) => {
    const text = given.text('days');
    const days = text === undefined ? defaultDays : readWholeNumber(text, '--days', 1, 366);
    const found = await readStats(await workplace.connect(), days);
    if (given.has('json')) printJson(workplace, found);
    else print(workplace, describeStats(found, Date.now()));
  },
};
