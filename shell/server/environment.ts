import { remoteNameSchema } from '@daybook/contract/release';
import { siteSettingsSchema } from '@daybook/contract/server';
import { defaultSiteSettings, type OfferId, offerIds, type SiteSettings } from '@daybook/contract/site';
import {
  databaseUrl,
  EnvironmentError,
  passwordIn,
  readEnvironment,
  serverSchema,
  type VariableMeta,
  wholeNumber,
} from '@daybook/server';
import * as z from 'zod';
import { Tokens } from './publish/tokens.ts';

export { EnvironmentError };

export interface DevelopmentBuild {
  readonly name: string;
  readonly folder: string;
}

const developmentBuildsSchema = z.string().transform((text, context): DevelopmentBuild[] => {
  try {
    const folders = z.record(remoteNameSchema, z.string().min(1)).parse(JSON.parse(text));
    return Object.entries(folders).map(([name, folder]) => ({ name, folder }));
  } catch {
    context.addIssue('must be JSON such as {"mf-legal": "/srv/mf-legal/build"}');
    return z.NEVER;
  }
});

/** Without a path: that of the calls would replace it. */
const isServerUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`;
};

const { supportAddress, housingGuideAddress: webUrl } = siteSettingsSchema.shape;

const offerSchema = z.enum(offerIds, {
  error: ({ input }) => `has “${input}”, which is none of ${offerIds.join(', ')}`,
});
const pairSchema = z.tuple([offerSchema, webUrl]);

/** URLs may contain commas, hence the spaces. */
const sponsorUrls = z
  .string()
  .transform((text, context): Partial<Record<OfferId, string>> => {
    const items = text.split(/\s+/).filter((item) => item !== '');
    const pairs = items.map((item) => {
      const [id = '', ...rest] = item.split('=');
      return [id, rest.join('=')];
    });
    const { data = [], error } = z.array(pairSchema).safeParse(pairs);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue(path[1] === 0 ? message : `has an address of ${pairs[Number(path[0])]?.[0]} that ${message}`);
    const ids = data.map(([id]) => id);
    for (const id of ids.filter((each, index) => ids.indexOf(each) < index)) context.addIssue(`names ${id} twice`);
    return Object.fromEntries(data);
  })
  .optional()
  .meta({
    description: `where each bonus offer leads, separated by spaces: \`${offerIds[0]}=https://… ${offerIds[1]}=https://…\`; one that is not named keeps its default`,
  });

export const environmentSchema = serverSchema({
  PORT: wholeNumber(0, 65_535).default(8080).meta({ description: 'port of the site' }),
  HOST: z.string().default('localhost').meta({ description: 'address to listen on' }),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0).meta({
    description: 'number of proxies in front whose X-Forwarded-* and x-request-id are trusted',
  }),
  BACKEND_URL: z
    .string()
    .refine(isServerUrl, 'must be the address of the backend, such as http://127.0.0.1:3000')
    .transform((url) => new URL(url).origin)
    .optional()
    .meta({
      description:
        'address of the backend, to which the shell server forwards `/api` on a site without an edge; without it, `/api` is not served',
    }),
  TOKENS_FILE: z.string().optional().meta({
    description:
      'file with the tokens of teams and operators: lines such as `legal-ci mf-legal 9f86…` and `ann * 5e88…`, a name, remotes or `*` for all, and the SHA-256 of the token in hex. The remotes in it are those of the site. It is read again when it changes',
  }),
  RELEASES_DATABASE_URL: databaseUrl()
    .optional()
    .meta({
      description:
        '`postgres://…` address of the database, with the role `shell`, in which all shell servers store releases; needed unless `DEVELOPMENT_BUILDS` has all remotes',
      secretsIn: passwordIn,
    } satisfies VariableMeta),
  RELEASES_FOLDER: z.string().default('.data/releases').meta({
    description:
      'folder of checked files and the last known state: a cache of this server, which may be deleted at any time',
  }),
  // At least 2: a rollback needs the release before the active one.
  RELEASES_KEPT: wholeNumber(2, 1000).default(50).meta({
    description: 'releases retained of each remote, and versions of the shell’s own files',
  }),
  DEVELOPMENT: z.stringbool('must be true or false').default(false).meta({
    description: 'pages reload themselves after a build, and nothing is cached',
  }),
  DEVELOPMENT_BUILDS: developmentBuildsSchema.default([]).meta({
    description:
      'builds that are served in place of releases, only with `DEVELOPMENT`, as JSON: `{"mf-legal": "/srv/mf-legal/build"}`',
  }),
  SUPPORT_ADDRESS: supportAddress
    .default(defaultSiteSettings.supportAddress)
    .meta({ description: 'mailbox that pages name as support' }),
  SPONSOR_URLS: sponsorUrls,
  HOUSING_GUIDE_URL: webUrl
    .default(defaultSiteSettings.housingGuideAddress)
    .meta({ description: 'where the bonus housing guide leads' }),
}).superRefine(({ TOKENS_FILE, RELEASES_DATABASE_URL, DEVELOPMENT, DEVELOPMENT_BUILDS: builds }, context) => {
  const addIssue = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  if (!DEVELOPMENT && builds.length > 0) addIssue('DEVELOPMENT_BUILDS', 'is only for DEVELOPMENT=true');
  if (builds.length > 0) return;
  if (!TOKENS_FILE) addIssue('TOKENS_FILE', 'is required');
  if (!RELEASES_DATABASE_URL) addIssue('RELEASES_DATABASE_URL', 'is required');
});

/** @throws EnvironmentError naming every bad variable */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const {
    SUPPORT_ADDRESS: supportAddress,
    SPONSOR_URLS,
    HOUSING_GUIDE_URL: housingGuideAddress,
    PRIVACY_REQUESTS: privacyRequests,
    ...parsed
  } = readEnvironment(environmentSchema, variables);
  const sponsorAddresses = { ...defaultSiteSettings.sponsorAddresses, ...SPONSOR_URLS };
  return {
    ...parsed,
    PUBLIC_URL: parsed.PUBLIC_URL ?? new URL(`http://localhost:${parsed.PORT}`).origin,
    tokens: openTokens(
      parsed.TOKENS_FILE,
      parsed.DEVELOPMENT_BUILDS.map(({ name }) => name),
    ),
    settings: { supportAddress, sponsorAddresses, housingGuideAddress, privacyRequests } satisfies SiteSettings,
  };
}

function openTokens(file: string | undefined, remotes: readonly string[]): Tokens {
  try {
    return new Tokens(file, remotes);
  } catch (error) {
    throw new EnvironmentError([`TOKENS_FILE: ${(error as Error).message}`]);
  }
}

export type Environment = Readonly<ReturnType<typeof parseEnvironment>>;
