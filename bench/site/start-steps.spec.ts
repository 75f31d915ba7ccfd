import { expect, test } from '@jest/globals';
import { timeSteps } from './start-steps.ts';

const line = (at: number, text: string) => ({ at, text });

test('each step ends with a line of its own', () => {
  const steps = timeSteps([
    line(0.2, 'Installing dependencies from package-lock.json; about a minute on a fresh clone …'),
    line(40, 'Installed in 39 s.'),
    line(41, 'Building mf-legal, shell …'),
    line(50, '  mf-legal built in 3.2 s'),
    line(60, 'Starting the database …'),
    line(63, 'Starting backend and shell server …'),
    line(65, '  Daybook runs at http://localhost:8080'),
  ]);
  expect([...steps.values()]).toEqual([40, 20, 3, 2]);
});

test('a step that there was no need for takes no time', () => {
  const steps = timeSteps([
    line(1, 'Starting the database …'),
    line(2, 'Starting backend and shell server …'),
    line(4, '  Daybook runs at http://localhost:8080'),
  ]);
  expect([...steps.values()]).toEqual([0, 1, 1, 2]);
});
