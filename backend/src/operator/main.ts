import { endWithReader } from '@daybook/server/command-line';
import { runOperator } from './operator.ts';

endWithReader();

process.exitCode = await runOperator(process.argv.slice(2), process.env);
