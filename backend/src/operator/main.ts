import { endWithReader } from '@daybook/server/command-line';
import { runOperator } from './operator.ts';

// Entry point of the `operator` command, also in the container: `node backend/build/operator/main.js …`. A signal ends it at
// once: the database rolls back a transaction that is cut off.
endWithReader();

process.exitCode = await runOperator(process.argv.slice(2), process.env);
