import { endWithReader, runProgram } from '@daybook/server/command-line';
import { createReleasesProgram } from './releases-command.ts';

// RELEASES_COMMAND is set by `npm run releases`, whose users have no command of this name.
const program = createReleasesProgram(process.env, undefined, process.env.RELEASES_COMMAND || undefined);
endWithReader();
process.exitCode = await runProgram(program, process.argv.slice(2));
