import { findCompose } from '../../scripts/compose/engine.ts';
import { Stack } from '../../scripts/compose/stack.ts';

const program = await findCompose();
const { STACK_FOLDER } = process.env;
if (!program || !STACK_FOLDER) throw new Error('There is no stack to try. Run: npm run test:compose');

/** The stack that `npm run test:compose` has started. */
export const stack = new Stack(STACK_FOLDER, program);
