import { remoteNameSchema } from '@daybook/contract/release';
import { siteSettingsSchema } from '@daybook/contract/server';
import { defaultSiteSettings, type OfferId, type SiteSettings } from '@daybook/contract/site';
import { publicKeySchema } from '@daybook/releases';
import {
  allOperatorTokens,
  commaSeparated,
  databaseAddress,
  operatorVariables,
  passwordIn,
  readEnvironment,
  seconds,
  serverSchema,
  type VariableMeta,
  wholeNumber,
} from '@daybook/server';
import * as z from 'zod';

export { EnvironmentError } from '@daybook/server';

/** Source of a remote's releases: `file:<folder>`, or the address of the remote's own server. */
export interface RemoteOrigin {
  readonly name: string;
  readonly origin: string;
}

/** Returns why an item of `REMOTES` is rejected; `undefined` for a valid one. */
function originProblem(item: string, name: string, origin: string): string | undefined {
  const isFolder = origin.startsWith('file:');
  // File paths are appended to it, so a query or a fragment would swallow them.
  if (!isFolder && /[?#]/.test(origin))
    return 'has an address with a ? or # in it; write only the address of the folder of release.json, such as http://mf-legal:8080';
  // Credentials would end up in logs, and requests don't send them.
  if (!isFolder && item.includes('@')) return 'has a name or password in it; origins are requested without credentials';
  if (!(isFolder || URL.canParse(origin)) || !remoteNameSchema.safeParse(name).success)
    return `has “${item}” in it; write <name>=file:<folder> or <name>=http://<host>`;
  return undefined;
}

const remotesSchema = z
  .string()
  .transform((text, context) =>
    commaSeparated(text).map((item): RemoteOrigin => {
      const [, name = '', origin = ''] = /^([^=]+)=((?:file:.|https?:\/\/[^/]).*)$/.exec(item) ?? [];
      const problem = originProblem(item, name, origin);
      if (problem === undefined) return { name, origin };
      context.addIssue(problem);
      return z.NEVER;
    }),
  )
  .refine((origins) => new Set(origins.map(({ name }) => name)).size === origins.length, 'names a remote twice');

/**
 * Parses the origins of remotes from the value of `REMOTES`.
 *
 * @throws EnvironmentError with the reason
 */
export const parseRemotes = (text: string): readonly RemoteOrigin[] =>
  readEnvironment(z.object({ REMOTES: remotesSchema }), { REMOTES: text }).REMOTES;

/** The public keys of each remote's team, or that a remote, or every one, needs no signature. */
type TrustedKeys = ReadonlyMap<string, readonly string[] | 'none'> | 'none';

const trustedKeysSchema = z.string().transform((text, context): TrustedKeys => {
  if (text.trim() === 'none') return 'none';
  const pairs = text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => item.split(/:\s*/));
  for (const [index, [name, key, ...rest]] of pairs.entries()) {
    const isKey = key === 'none' || publicKeySchema.safeParse(key).success;
    // Without its text: it may be a private key.
    if (!isKey || rest.length > 0 || !remoteNameSchema.safeParse(name).success)
      context.addIssue(
        `must be pairs of <remote>:<public key>, with keys of 43 characters, or <remote>:none; pair ${index + 1} is not`,
      );
  }
  if (context.issues.length > 0) return z.NEVER;
  const trusted = new Map<string, readonly string[] | 'none'>();
  for (const [name = '', each] of Map.groupBy(pairs, ([remote]) => remote)) {
    const keys = each.map(([, key = '']) => key).filter((key) => key !== 'none');
    if (keys.length > 0 && keys.length < each.length)
      context.addIssue(`has both a key and none for ${name}; remove one of them`);
    trusted.set(name, keys.length > 0 ? keys : 'none');
  }
  return trusted;
});

/** Rejects a path as well: the calls' own path would replace it, and every call would fail. */
const isServerAddress = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`;
};

const { supportAddress, housingGuideAddress: webAddress } = siteSettingsSchema.shape;
const sponsorAddress = (offer: OfferId) =>
  webAddress
    .default(defaultSiteSettings.sponsorAddresses[offer])
    .meta({ description: `where the ${offer} offer leads` });

export const environmentSchema = serverSchema({
  ...operatorVariables,
  PORT: wholeNumber(0, 65_535).default(8080).meta({ description: 'port of the site' }),
  HOST: z.string().default('localhost').meta({ description: 'address to listen on' }),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0).meta({
    description: 'number of proxies in front whose X-Forwarded-* and x-request-id are trusted',
  }),
  BACKEND_URL: z
    .string()
    .refine(isServerAddress, 'must be the address of the backend, such as http://127.0.0.1:3000')
    .transform((address) => new URL(address).origin)
    .optional()
    .meta({
      description:
        'address of the backend, to which the shell server forwards `/api` on a site without an edge; without it, `/api` is not served',
    }),
  REMOTES: remotesSchema.meta({
    description: 'where releases come from: `mf-legal=file:/srv/mf-legal,mf-privacy=http://mf-privacy:8080,…`',
  }),
  TRUSTED_KEYS: trustedKeysSchema.optional().meta({
    description:
      'public keys that sign the releases of each remote, several during a rotation: `mf-legal:<key>,mf-privacy:none,…`; required in production. `none` for a remote, or alone for all, accepts releases without a signature: then whoever controls the origin controls its pages',
    canBeFile: true,
  } satisfies VariableMeta),
  RELEASES_DATABASE_URL: databaseAddress()
    .optional()
    .meta({
      description:
        '`postgres://…` address of the database, with the role `shell`, in which all shell servers store releases and their changes; required in production. Without it, they are in memory',
      secretsIn: passwordIn,
    } satisfies VariableMeta),
  RELEASES_FOLDER: z.string().default('.data/releases').meta({
    description:
      'folder of checked files and the last known state: a cache of this server, which may be deleted at any time',
  }),
  RELEASES_INTERVAL: seconds(0.05, 3600).default(3).meta({
    description: 'how often origins are polled for new releases, in seconds',
  }),
  // At least 2: a rollback needs the release before the active one.
  RELEASES_KEPT: wholeNumber(2, 1000).default(5).meta({
    description: 'releases retained of each remote, and versions of the shell’s own files',
  }),
  DEVELOPMENT: z.stringbool('must be true or false').default(false).meta({
    description: 'pages reload themselves after a build, and nothing is cached',
  }),
  SUPPORT_ADDRESS: supportAddress
    .default(defaultSiteSettings.supportAddress)
    .meta({ description: 'mailbox that pages name as support' }),
  SPONSOR_GROCERY_URL: sponsorAddress('grocery'),
  SPONSOR_VIVINT_URL: sponsorAddress('vivint'),
  SPONSOR_AUDIEN_URL: sponsorAddress('audien'),
  SPONSOR_TMOBILE_URL: sponsorAddress('tmobile'),
  HOUSING_GUIDE_URL: webAddress
    .default(defaultSiteSettings.housingGuideAddress)
    .meta({ description: 'where the bonus housing guide leads' }),
}).superRefine(
  ({ NODE_ENV, OPERATOR_TOKEN, OPERATOR_TOKENS, RELEASES_DATABASE_URL, REMOTES, TRUSTED_KEYS: keys }, context) => {
    if (NODE_ENV === 'production' && OPERATOR_TOKEN === undefined && OPERATOR_TOKENS.length === 0)
      context.addIssue({ code: 'custom', path: ['OPERATOR_TOKEN'], message: 'is required in production' });
    if (NODE_ENV === 'production' && RELEASES_DATABASE_URL === undefined)
      context.addIssue({ code: 'custom', path: ['RELEASES_DATABASE_URL'], message: 'is required in production' });
    const addIssue = (message: string) => context.addIssue({ code: 'custom', path: ['TRUSTED_KEYS'], message });
    if (keys === undefined && NODE_ENV === 'production')
      addIssue('is required in production; `none` accepts releases without a signature');
    if (keys === undefined || keys === 'none') return;
    const missing = REMOTES.filter(({ name }) => !keys.has(name)).map(({ name }) => name);
    if (missing.length > 0)
      addIssue(
        `does not name ${missing.join(', ')} of REMOTES, only ${[...keys.keys()].join(', ')}; add ${missing[0]}:<public key>, which npm run release -w ${missing[0]} -- --show-key prints, or ${missing[0]}:none to accept its releases without a signature`,
      );
  },
);

/**
 * Parses the environment of a shell server.
 *
 * @throws EnvironmentError naming every bad variable
 */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const {
    OPERATOR_TOKEN,
    OPERATOR_TOKENS,
    SUPPORT_ADDRESS: supportAddress,
    SPONSOR_GROCERY_URL: grocery,
    SPONSOR_VIVINT_URL: vivint,
    SPONSOR_AUDIEN_URL: audien,
    SPONSOR_TMOBILE_URL: tmobile,
    HOUSING_GUIDE_URL: housingGuideAddress,
    PRIVACY_REQUESTS: privacyRequests,
    ...parsed
  } = readEnvironment(environmentSchema, variables);
  const operatorTokens = allOperatorTokens(OPERATOR_TOKEN, OPERATOR_TOKENS);
  const sponsorAddresses = { grocery, vivint, audien, tmobile };
  return {
    ...parsed,
    /** The site's public origin, without a trailing slash. */
    PUBLIC_URL: parsed.PUBLIC_URL ?? `http://localhost:${parsed.PORT}`,
    operatorTokens,
    /**
     * Derived from all operator tokens, the same on every replica, to derive keys from; empty without tokens. Changing any
     * token or name changes it and invalidates everything signed before.
     */
    operatorSecret: operatorTokens
      .map(({ name = '', token }) => `${name}:${token}`)
      .sort()
      .join('\n'),
    settings: { supportAddress, sponsorAddresses, housingGuideAddress, privacyRequests } satisfies SiteSettings,
  };
}

export type Environment = Readonly<ReturnType<typeof parseEnvironment>>;
