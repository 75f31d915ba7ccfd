import { isIP } from 'node:net';
import { readSecretFiles, variablesOf } from '@daybook/server';
import { CommandError } from '@daybook/server/command-line';
import { environmentSchema as backendSchema } from '../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../shell/server/environment.ts';

type Schema = Parameters<typeof variablesOf>[0];
type Variables = Readonly<Record<string, string | undefined>>;

/** What `npm start` decides for its servers, because they must find each other. */
const decided = {
  shell: /^(?:PORT|HOST|BACKEND_URL|RELEASES_DATABASE_URL|RELEASES_FOLDER|DEVELOPMENT|DEVELOPMENT_BUILDS)$/,
  backend: /^(?:PORT|HOST|DATABASE_URL|TRUSTED_PROXIES)$/,
};

/** Other programs' `HOST` is no address: conda's is a platform, that of csh the name of the machine. */
const meansAnother = (name: string, value: string) => name === 'HOST' && value !== 'localhost' && isIP(value) === 0;

/** Returns the settings of one server that are set, secrets read from their files, and what is invalid. */
function settingsOf(schema: Schema, variables: Variables) {
  const described = variablesOf(schema);
  const names = described.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));
  const set = Object.entries(variables).filter(
    ([name, value]) => value && names.includes(name) && !meansAnother(name, value),
  );
  const secrets = described.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const read = readSecretFiles(Object.fromEntries(set), secrets);
  const settings = Object.fromEntries(
    Object.entries(read.variables).flatMap(([name, value]) =>
      value === undefined || secrets.some((secret) => name === `${secret}_FILE`) ? [] : [[name, value]],
    ),
  ) as Readonly<Record<string, string>>;
  const invalid = described.flatMap(({ name }) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { error } = (schema.shape[name] as Schema).safeParse(value);
    return (error?.issues ?? []).map(({ message }) => `  ${name}: ${message}`);
  });
  return { settings, problems: [...read.problems.map((each) => `  ${each}`), ...invalid] };
}

const without = (settings: Readonly<Record<string, string>>, decided: RegExp) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !decided.test(name)));

/**
 * Reads the settings of a site from the environment of `npm start`, secrets also from files (`COOKIE_SECRET_FILE`). Each
 * server gets those that it reads. Throws a CommandError that names each invalid one.
 */
export function readSiteSettings(variables: Variables) {
  const [shell, backend] = [settingsOf(shellSchema, variables), settingsOf(backendSchema, variables)];
  const problems = new Set([...shell.problems, ...backend.problems]);
  if (problems.size > 0) throw new CommandError(`These settings cannot be used:\n${[...problems].join('\n')}`);
  return {
    /** All that are set, by name. */
    all: { ...backend.settings, ...shell.settings },
    shell: without(shell.settings, decided.shell),
    backend: without(backend.settings, decided.backend),
  };
}

export type SiteSettings = ReturnType<typeof readSiteSettings>;
