import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import type { ReleaseChange } from '../log/release-change.ts';
import { parsePercent } from '../percent.ts';
import { ChangeError } from '../release-changes.ts';
import type { ReleaseManagement } from '../release-management.ts';
import { overviewOf } from '../release-overview.ts';
import { logWordsSchema } from '../texts/log-words.ts';
import { describeChange, describeList, describeLog, describeRemote } from './describe-releases.ts';

const usage = `Usage:
  releases list                                    every remote: what is active, what is wrong
  releases show <remote>                           its kept releases and its last changes
  releases log [remote]                            every change: when, from, to, why, by whom
  releases rollback <remote> [version]             take the active release (or the canary) back
  releases pin <remote> <version>                  activate a kept release and hold it
  releases unpin <remote>                          let newer releases follow again
  releases canary <remote> <version> <percent>     give a kept release to some visitors;
                                                   100 gives it to all, 0 takes it back
Options:
  --auto         (canary) end it by itself where it fails too often
  --why <text>   the reason, for the log
  --by <name>    who makes the change, for the log; your user name where left out
  --help, -h     how it is used`;

/** The command was not written as it has to be. */
class UsageError extends Error {
  constructor(message: string) {
    super(`${message} See: releases help`);
  }
}

interface Given {
  readonly words: readonly string[];
  readonly help: boolean;
  readonly auto: boolean;
  readonly by?: string | undefined;
  readonly why?: string | undefined;
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

/** Cleans what is for the log. */
function forLog(given: string | undefined, what: string): string | undefined {
  const parsed = z.optional(logWordsSchema(what)).safeParse(given);
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(({ message }) => message).join(' '));
}

function parse(parameters: readonly string[]): Given {
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        auto: { type: 'boolean' },
        why: { type: 'string' },
        by: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { auto = false, help = false } = values;
    return { words: positionals, auto, help, by: forLog(values.by, 'a name'), why: forLog(values.why, 'a reason') };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // A share below zero looks like an option.
    const negative = parameters.find((parameter) => parameters.includes('canary') && /^-[\d.]+\s*%?$/.test(parameter));
    if (negative !== undefined) parsePercent(negative);
    throw new UsageError((error as Error).message);
  }
}

/** The words after the command's name, each there and no more than those. */
function take(words: readonly string[], names: readonly string[]): readonly string[] {
  const [command, ...rest] = words;
  const missing = names[rest.length];
  if (missing) throw new UsageError(`releases ${command} needs ${missing}.`);
  if (rest.length > names.length) throw new UsageError(`releases ${command} does not take “${rest[names.length]}”.`);
  return rest;
}

function change({ words, auto, by, why }: Given, { changes }: ReleaseManagement): ReleaseChange {
  const reason = { by: by || userName(), why };
  const [command] = words;
  switch (command) {
    case 'rollback': {
      const names = words.length > 2 ? ['a remote', 'a version'] : ['a remote'];
      const [remote = '', version] = take(words, names);
      return changes.rollback(remote, reason, version);
    }
    case 'pin': {
      const [remote = '', version = ''] = take(words, ['a remote', 'a version']);
      return changes.pin(remote, version, reason);
    }
    case 'unpin': {
      const [remote = ''] = take(words, ['a remote']);
      return changes.unpin(remote, reason);
    }
    case 'canary': {
      const [remote = '', version = '', percent = ''] = take(words, ['a remote', 'a version', 'a share in percent']);
      return changes.canary(remote, version, parsePercent(percent), auto, reason);
    }
    default:
      throw new UsageError(`There is no command “${command}”.`);
  }
}

/**
 * Runs one `releases` command on a releases folder, whether servers run on it or not.
 *
 * @param parameters what was written after `releases`
 * @param now the time in ms since the epoch
 * @returns the lines to print
 * @throws ChangeError, ReleaseRefusal, ConflictError or a usage error; nothing has changed then
 */
export function runReleasesCommand(
  parameters: readonly string[],
  management: ReleaseManagement,
  now = Date.now(),
): readonly string[] {
  const given = parse(parameters);
  if (given.help) return usage.split('\n');
  const { log, others } = management;
  const remotes = [...management.remotes, ...others];
  const known = (remote: string) => {
    if (!remotes.includes(remote))
      throw new ChangeError(`There is no remote “${remote}”; there are ${remotes.join(', ')}.`);
    return remote;
  };
  if (given.auto && given.words[0] !== 'canary') throw new UsageError('--auto is an option of releases canary.');
  switch (given.words[0]) {
    case undefined:
    case 'help':
      return usage.split('\n');
    case 'list':
      take(given.words, []);
      return describeList(
        remotes.map((remote) => overviewOf(remote, management)),
        log.problems(),
        now,
        others,
      );
    case 'show': {
      const [name = ''] = take(given.words, ['a remote']);
      const changes = log.changes().filter(({ remote }) => remote === known(name));
      return describeRemote(overviewOf(known(name), management), changes.slice(-10), now);
    }
    case 'log': {
      const [name] = take(given.words, given.words.length > 1 ? ['a remote'] : []);
      const changes = log.changes().filter(({ remote }) => name === undefined || remote === known(name));
      return describeLog(changes, now);
    }
    default: {
      const made = change(given, management);
      return describeChange(made, overviewOf(made.remote, management));
    }
  }
}
