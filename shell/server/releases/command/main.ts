import { runProgram } from '@daybook/server';
import { createReleasesProgram, openReleasesFolder } from './releases-command.ts';

const program = createReleasesProgram(() => openReleasesFolder(process.env));
process.exitCode = await runProgram(program, process.argv.slice(2));
