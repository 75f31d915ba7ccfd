import { findCompose, Stack } from '@daybook/testing/compose';
import { remotes } from '@daybook/testing/workspaces';
import { expect } from '@playwright/test';

const program = await findCompose();
const { STACK_FOLDER } = process.env;
if (!program || !STACK_FOLDER) throw new Error('There is no stack to try. Run: npm run test:compose');

/** The stack that `npm run test:compose` has started. */
export const stack = new Stack(STACK_FOLDER, program);

/** The services that run all the time. */
export const running: readonly string[] = ['postgres', 'backend', 'shell', ...remotes];

/** How long a container may take until it is as it should be, on a busy machine, in ms. */
export const healthLimit = 120_000;

/** Expects what the health of a service becomes. */
export const expectHealth = (service: string) =>
  expect.poll(() => stack.healthOf(service), { timeout: healthLimit, message: service });

/** Waits until everything runs again. */
export async function untilAllHealthy(): Promise<void> {
  for (const service of running) await expectHealth(service).toBe('healthy');
}
