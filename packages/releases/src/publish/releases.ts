import { endWithReader, runProgram } from '@daybook/server/command-line';
import { createReleasesProgram } from './releases-command.ts';

// Set by `npm run releases`, whose users have no command of this name.
const command = process.env.RELEASES_COMMAND || undefined;
const program = createReleasesProgram(process.env, undefined, command);
endWithReader();
process.exitCode = await runProgram(program, process.argv.slice(2));
