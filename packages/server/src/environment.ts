import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { logLevels } from './logging.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Metadata of a variable in its schema's `meta`, which must be last in the chain. */
export interface VariableMeta {
  /** For the table of settings in docs/configuration.md. */
  readonly description?: string;
  /** Returns the secrets in a value. A variable with secrets can be read from a file, and production validates them. */
  readonly secretsIn?: (value: string) => readonly string[];
}

/** One or more variables are missing or invalid: one line each, without the values, because some are secret. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(problems: readonly string[]) {
    super(`These settings cannot be used:\n${[...new Set(problems)].map((each) => `  ${each}`).join('\n')}`);
  }
}

/**
 * Reads secrets from files: if `NAME_FILE` is set, `NAME` becomes the trimmed content of the file.
 *
 * @param names the variables that can be read from a file
 */
export function readSecretFiles(variables: Variables, names: readonly string[]) {
  const read: Record<string, string | undefined> = { ...variables };
  const problems: string[] = [];
  for (const name of names) {
    const file = variables[`${name}_FILE`];
    if (!file) continue;
    if (variables[name]) problems.push(`${name}: and ${name}_FILE are both set; set one of them`);
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      problems.push(`${name}_FILE: names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { variables: read, problems };
}

const secretMinLength = 12;

/** Words of examples and templates. A random secret practically never contains one. */
const examples = /change-?me|secret|password|passwort|example|default|insecure|placeholder|qwerty|letmein|daybook/i;

function weaknessOf(secret: string): string | undefined {
  if (secret.length < secretMinLength) return `has fewer than ${secretMinLength} characters`;
  return examples.test(secret) ? 'contains a word of examples' : undefined;
}

const metaOf = (schema: z.ZodType) => (schema.meta() ?? {}) as VariableMeta;

/**
 * Parses the environment. An empty variable counts as unset, as in a compose file. Secrets can be read from files; if
 * `NODE_ENV` is `production`, short ones and examples are rejected.
 *
 * @throws EnvironmentError
 */
export function readEnvironment<Schema extends z.ZodObject>(schema: Schema, variables: Variables): z.infer<Schema> {
  const metas = Object.entries(schema.shape).map(([name, each]) => ({ name, ...metaOf(each as z.ZodType) }));
  const names = metas.filter(({ secretsIn }) => secretsIn).map(({ name }) => name);
  const read = readSecretFiles(variables, names);
  if (read.problems.length > 0) throw new EnvironmentError(read.problems);
  const values = Object.fromEntries(Object.entries(read.variables).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(values, { error: ({ input }) => (input === undefined ? 'is required' : undefined) });
  const problems = (parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])}: ${message}`);
  if (variables.NODE_ENV === 'production')
    for (const { name, secretsIn } of metas) {
      const weak = secretsIn?.(values[name] ?? '').find((secret) => secret && weaknessOf(secret));
      const which = weak === values[name] ? '' : 'a secret in it ';
      if (weak) problems.push(`${name}: ${which}${weaknessOf(weak)}; make one with: openssl rand -hex 32`);
    }
  if (!parsed.success || problems.length > 0) throw new EnvironmentError(problems);
  return parsed.data;
}

/** Returns the metadata of each declared variable; without a default it is `required` or, if optional, `none`. */
export const variablesOf = (schema: z.ZodObject) =>
  Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, each]) => {
    const { description = '', secretsIn } = metaOf(each);
    const { success, data } = each.safeParse(undefined);
    const isEmpty = data === undefined || (Array.isArray(data) && data.length === 0);
    const fallback = success ? (isEmpty ? 'none' : `\`${data}\``) : '**required**';
    return { name, description, isSecret: secretsIn !== undefined, fallback };
  });

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};

const isPostgresUrl = (text: string) => ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? '');

export const databaseUrl = () =>
  z.string().refine(isPostgresUrl, 'must be a URL such as postgres://user:password@host:5432/database');

/** Sockets and certificates need no password. */
export const passwordIn = (url: string): string[] => [URL.parse(url)?.password ?? ''];

export const commaSeparated = (text: string): string[] => text.split(',').map((each) => each.trim());

const tokenMinLength = 24;

const optionalToken = (description: string) =>
  z
    .string()
    .min(tokenMinLength, `must have ${tokenMinLength} characters or more`)
    .optional()
    .meta({
      description: `${description}; at least ${tokenMinLength} characters`,
      secretsIn: (token: string) => [token],
    } satisfies VariableMeta);

const sharedVariables = {
  NODE_ENV: z
    .string()
    .optional()
    .meta({ description: '`production` rejects missing secrets and example secrets at start' }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be the URL of the site, such as https://daybook.example' })
    .transform((text) => new URL(text).origin)
    .optional()
    .meta({
      description:
        'public URL of the site, for canonical URLs, sitemap and sharing; additional origin allowed to send writes (CSRF check), besides the requested host; with https, cookies are `Secure`',
    }),
  PRIVACY_REQUESTS: z.enum(['simulate', 'record'], 'must be simulate or record').default('simulate').meta({
    description:
      '`record`: requests of the privacy pages are stored, with a due date, and sent to the mail system; `simulate`: the pages send nothing. Must be the same for both servers',
  }),
  METRICS_TOKEN: optionalToken('read-only token for `/metrics`, which is disabled without it'),
  VERSION: z
    .string()
    .default('unknown')
    .meta({ description: 'version that `/readyz` and `/metrics` report; images set it when they are built' }),
  REVISION: z
    .string()
    .default('unknown')
    .meta({ description: 'commit that `/readyz` and `/metrics` report; images set it when they are built' }),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .meta({ description: `minimum level of logged lines: ${logLevels.join(', ')}` }),
  DRAIN_SECONDS: wholeNumber(0, 600).default(0).meta({
    description:
      'seconds between failing readiness and shutdown, in which requests are still served: for balancers that learn late',
  }),
};

/** Returns the schema of a server: its own variables and the shared ones. */
export const serverSchema = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ ...sharedVariables, ...shape });
