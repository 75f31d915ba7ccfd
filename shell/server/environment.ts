import { defaultSiteSettings, remoteNameSchema, type SiteSettings, siteSettingsSchema } from '@daybook/contract';
import * as z from 'zod/mini';

/** Where a remote's releases come from; `folder` is a dist folder that holds `release.json`. */
export interface RemoteOrigin {
  readonly name: string;
  readonly folder: string;
}

const portSchema = z.pipe(
  z.coerce.number('must be a port number'),
  z
    .int('must be a port number')
    .check(z.minimum(0, 'must be a port number'), z.maximum(65535, 'must be a port number')),
);

const originPattern = /^([^=]+)=file:(.+)$/;

const remotesSchema = z.pipe(
  z.string('is required: a comma-separated list such as mf-legal=file:mf-legal/dist'),
  z.transform((text, context): RemoteOrigin[] =>
    text.split(',').map((item) => {
      const [, name, folder] = originPattern.exec(item.trim()) ?? [];
      if (name && folder && remoteNameSchema.safeParse(name).success) return { name, folder };
      context.issues.push({
        code: 'custom',
        input: item,
        message: `has “${item.trim()}” in it; write <name>=file:<folder>`,
      });
      return z.NEVER;
    }),
  ),
);

const isUnique = (origins: readonly RemoteOrigin[]) => new Set(origins.map(({ name }) => name)).size === origins.length;

const environmentSchema = z.object({
  PORT: z._default(portSchema, 8080),
  HOST: z._default(z.string(), 'localhost'),
  PUBLIC_URL: z.optional(
    z.pipe(
      z.url({ protocol: /^https?$/, error: 'must be the address of the site, such as https://daybook.example' }),
      z.transform((text) => new URL(text).origin),
    ),
  ),
  BACKEND_URL: z.url({
    protocol: /^https?$/,
    error: 'must be the address of the backend, such as http://127.0.0.1:3000',
  }),
  REMOTES: remotesSchema.check(z.refine(isUnique, 'names a remote twice')),
  TRUSTED_PROXIES: z._default(
    z.pipe(
      z.coerce.number('must be a whole number of hops'),
      z.int('must be a whole number of hops').check(z.minimum(0, 'must be a whole number of hops')),
    ),
    0,
  ),
  DEVELOPMENT: z._default(z.stringbool('must be true or false'), false),
  SUPPORT_ADDRESS: z.optional(z.string()),
  SPONSOR_GROCERY_URL: z.optional(z.string()),
  SPONSOR_VIVINT_URL: z.optional(z.string()),
  SPONSOR_AUDIEN_URL: z.optional(z.string()),
  SPONSOR_TMOBILE_URL: z.optional(z.string()),
  HOUSING_GUIDE_URL: z.optional(z.string()),
});

/** Where each site setting comes from, so that a bad one is named by its variable. */
const settingVariables: Readonly<Record<string, string>> = {
  supportAddress: 'SUPPORT_ADDRESS',
  'sponsorAddresses.grocery': 'SPONSOR_GROCERY_URL',
  'sponsorAddresses.vivint': 'SPONSOR_VIVINT_URL',
  'sponsorAddresses.audien': 'SPONSOR_AUDIEN_URL',
  'sponsorAddresses.tmobile': 'SPONSOR_TMOBILE_URL',
  housingGuideAddress: 'HOUSING_GUIDE_URL',
};

/** The settings of one shell server. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** The site's origin as visitors know it, without a slash at the end. */
  readonly publicUrl: string;
  readonly backendUrl: string;
  readonly remotes: readonly RemoteOrigin[];
  /** How many proxies in front may be believed in what they say of the client's address. */
  readonly trustedProxies: number;
  /** Pages reload themselves after a build, and nothing is cached. */
  readonly development: boolean;
  readonly settings: SiteSettings;
}

/** One or more variables are missing or bad; the message has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const describe = (issues: readonly Issue[], nameOf: (path: string) => string) =>
  issues.map(({ path, message }) => `  ${nameOf(path.join('.'))}: ${message}`);

/**
 * Parses the environment, all of it at once. An empty variable counts as not set, as in a compose file.
 *
 * @throws EnvironmentError naming every bad variable
 */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const { sponsorAddresses } = defaultSiteSettings;
  const settings = siteSettingsSchema.safeParse({
    supportAddress: given.SUPPORT_ADDRESS ?? defaultSiteSettings.supportAddress,
    sponsorAddresses: {
      grocery: given.SPONSOR_GROCERY_URL ?? sponsorAddresses.grocery,
      vivint: given.SPONSOR_VIVINT_URL ?? sponsorAddresses.vivint,
      audien: given.SPONSOR_AUDIEN_URL ?? sponsorAddresses.audien,
      tmobile: given.SPONSOR_TMOBILE_URL ?? sponsorAddresses.tmobile,
    },
    housingGuideAddress: given.HOUSING_GUIDE_URL ?? defaultSiteSettings.housingGuideAddress,
  });
  if (!parsed.success || !settings.success) {
    const lines = [
      ...describe(parsed.error?.issues ?? [], (name) => name),
      ...describe(settings.error?.issues ?? [], (path) => settingVariables[path] ?? path),
    ];
    throw new EnvironmentError(`The shell server can't start with these settings:\n${lines.join('\n')}`);
  }
  const { PORT, HOST, PUBLIC_URL, BACKEND_URL, REMOTES, TRUSTED_PROXIES, DEVELOPMENT } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    publicUrl: PUBLIC_URL ?? `http://localhost:${PORT}`,
    backendUrl: BACKEND_URL,
    remotes: REMOTES,
    trustedProxies: TRUSTED_PROXIES,
    development: DEVELOPMENT,
    settings: settings.data,
  };
}
